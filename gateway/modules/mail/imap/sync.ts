import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import type { Account } from '../accounts'
import { LARGEST_READ, readMail, verdictsOf } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { takeOld, type Old } from '../receive/backlog'
import { receive, type Place } from '../receive/receive'
import { expunge, followFlags, matchAgain, type ServerMessage } from './state'
import type { Folder } from './folders'

/** Bodies of the first synchronisation that come by themselves: those of so many days. */
const RECENT = 30 * 86_400_000
const BATCH = 200
/** Flags that are written at once. */
const FLAGS = 2_000

type Parts = Pick<MailParts, 'engine' | 'queue' | 'database' | 'raw' | 'now'>

const flagsOf = ({ uid, flags = new Set() }: FetchMessageObject) => ({
  uid,
  seen: flags.has('\\Seen'),
  starred: flags.has('\\Flagged'),
  answered: flags.has('\\Answered'),
})

/**
 * Brings a folder to what the server has: new mail, flags, what is gone; nothing twice. Answers the number that its next message will have, and whether
 * its counts are still right.
 */
export async function syncFolder(
  parts: Parts,
  client: ImapFlow,
  account: Account,
  folder: Folder,
  signal: AbortSignal,
): Promise<{ next: number; isCounted: boolean }> {
  const { database } = parts
  // what an open folder says of itself is from when it was opened
  if (client.mailbox !== false) await client.mailboxClose()
  const lock = await client.getMailboxLock(folder.path)
  try {
    const { mailbox } = client
    if (mailbox === false) return { next: Infinity, isCounted: true }
    const { uidNext } = mailbox
    const uidValidity = String(mailbox.uidValidity)
    const isFirst = folder.uidValidity === null
    const isRenumbered = !isFirst && folder.uidValidity !== uidValidity
    let from = isRenumbered ? 1 : folder.uidNext
    if (isRenumbered) from = await renumber(parts, client, account, folder, uidValidity)
    const reflagged = isFirst || isRenumbered ? 0 : await followServer(parts, client, folder, mailbox)
    const { found, taken } =
      uidNext > from && mailbox.exists > 0
        ? await takeNew(parts, client, account, folder, { from, uidValidity, isFirst }, signal)
        : { found: 0, taken: 0 }
    const gone = isFirst ? 0 : await followGone(parts, client, account, folder, mailbox)
    await database.query(
      `update mail_folder set uid_validity = $2, uid_next = greatest($3::bigint, 1), highest_mod_seq = $4, synced_at = $5, updated_at = $5 where id = $1`,
      [folder.id, uidValidity, uidNext, mailbox.highestModseq?.toString() ?? null, parts.now().toISOString()],
    )
    // what is taken counts itself
    const isCounted = !isFirst && !isRenumbered && reflagged + gone === 0 && found === taken
    return { next: uidNext, isCounted }
  } finally {
    lock.release()
  }
}

/** The server numbered a folder anew: what is known is found by Message-ID and size, and keeps its marks and follow-ups. Answers the first number that is new. */
async function renumber(parts: Parts, client: ImapFlow, account: Account, folder: Folder, uidValidity: string): Promise<number> {
  const all: ServerMessage[] = []
  for await (const message of client.fetch('1:*', { uid: true, flags: true, size: true, envelope: true }, { uid: true }))
    all.push({ ...flagsOf(message), size: message.size ?? 0, messageId: message.envelope?.messageId ?? null })
  return parts.database.transaction((tx) => matchAgain(tx, account.id, folder.id, uidValidity, all, parts.now()))
}

/** Takes over flags that changed. Answers how many messages differ. */
async function followServer(
  parts: Parts,
  client: ImapFlow,
  folder: Folder,
  mailbox: { highestModseq?: bigint | undefined; exists: number },
): Promise<number> {
  const { database } = parts
  const known = folder.highestModSeq === null ? null : BigInt(folder.highestModSeq)
  let differ = 0
  const changed: ReturnType<typeof flagsOf>[] = []
  if (mailbox.exists > 0 && (known === null || mailbox.highestModseq !== known)) {
    const options = known === null || mailbox.highestModseq === undefined ? { uid: true } : { uid: true, changedSince: known }
    for await (const message of client.fetch('1:*', { uid: true, flags: true }, options)) {
      changed.push(flagsOf(message))
      if (changed.length >= FLAGS) differ += await followFlags(database, folder.id, changed.splice(0))
    }
  }
  return differ + (await followFlags(database, folder.id, changed))
}

/** Lets go of messages that the server has no more: it is asked for all that it has when we have another number of them. Answers how many are gone. */
async function followGone(
  parts: Parts,
  client: ImapFlow,
  account: Account,
  folder: Folder,
  mailbox: { exists: number },
): Promise<number> {
  const { rows } = await parts.database.query<{ count: number }>(
    'select count(uid)::int as count from mail_message where folder_id = $1 and deleted_at is null',
    [folder.id],
  )
  if (rows[0]?.count === mailbox.exists) return 0
  const uids = mailbox.exists === 0 ? [] : await client.search({ all: true }, { uid: true })
  if (!Array.isArray(uids)) return 0
  return parts.database.transaction((tx) => expunge(tx, account.id, folder.id, uids, parts.now()))
}

interface Fresh {
  from: number
  uidValidity: string
  isFirst: boolean
}

/** Takes new messages: at the first time headers of all and the bodies of the last days, later each whole. */
async function takeNew(
  parts: Parts,
  client: ImapFlow,
  account: Account,
  folder: Folder,
  { from, uidValidity, isFirst }: Fresh,
  signal: AbortSignal,
): Promise<{ found: number; taken: number }> {
  const query = { uid: true, flags: true, size: true, internalDate: true }
  const { rows: there } = await parts.database.query<{ uid: number }>(
    'select uid::int as uid from mail_message where folder_id = $1 and uid >= $2 and uid_validity = $3 and deleted_at is null',
    [folder.id, from, uidValidity],
  )
  // one that was interrupted goes on where it was
  const known = new Set(there.map(({ uid }) => uid))
  const found: FetchMessageObject[] = []
  for await (const message of client.fetch(`${from}:*`, query, { uid: true }))
    if (message.uid >= from && !known.has(message.uid)) found.push(message)
  // the newest first: they are what is looked at
  found.sort((a, b) => b.uid - a.uid)
  const since = parts.now().getTime() - RECENT
  let taken = 0
  // one batch is written while the next one is read
  let writing: Promise<number> = Promise.resolve(0)
  for (let start = 0; start < found.length; start += BATCH) {
    // what was not taken is taken the next time
    signal.throwIfAborted()
    const batch = found.slice(start, start + BATCH)
    for (const isWhole of [true, false]) {
      const isRecent = (message: FetchMessageObject): boolean => !isFirst || momentOf(message, parts.now()).getTime() > since
      const some = new Map(
        batch.filter((message) => (isFetched(message) && isRecent(message)) === isWhole).map((message) => [message.uid, message]),
      )
      if (some.size === 0) continue
      const content = isWhole ? { uid: true, source: true } : { uid: true, headers: true }
      const old: Old[] = []
      for await (const { uid, source, headers } of client.fetch([...some.keys()].join(','), content, { uid: true })) {
        const about = some.get(uid)
        const raw = source ?? headers
        if (!about || !raw) continue
        const place = { folderId: folder.id, role: folder.role, uidValidity, ...flagsOf(about) }
        const incoming = await readIncoming(parts, raw, about, place, isWhole)
        if (isFirst) old.push(incoming)
        else if ((await received(parts, (tx, now) => receive(parts, tx, account, incoming, now))) !== null) taken += 1
      }
      if (old.length === 0) continue
      taken += await writing
      writing = received(parts, (tx, now) => takeOld(parts, tx, account, old, now))
      writing.catch(() => undefined)
    }
  }
  taken += await writing
  return { found: found.length, taken }
}

const isFetched = ({ size = 0 }: FetchMessageObject): boolean => size <= LARGEST_READ

const momentOf = ({ internalDate }: FetchMessageObject, otherwise: Date): Date =>
  internalDate === undefined ? otherwise : new Date(internalDate)

async function readIncoming(parts: Parts, raw: Buffer, about: FetchMessageObject, place: Place, isWhole: boolean): Promise<Old> {
  const mail = await readMail(raw)
  // another program answered the wish for a receipt (RFC 3503)
  if (about.flags?.has('$MDNSent')) mail.receiptTo = null
  const rawHash = isWhole ? await parts.raw.keep(raw) : null
  const [size, at] = [about.size ?? raw.length, momentOf(about, parts.now())]
  return { mail, raw, rawHash, size, at, authResults: verdictsOf(mail.authentication), place }
}

function received<Taken>(parts: Parts, take: (tx: Transaction, now: Date) => Promise<Taken>): Promise<Taken> {
  const now = parts.now()
  return parts.engine.transaction(systemContext({ now }), (_entities, tx) => take(tx, now))
}

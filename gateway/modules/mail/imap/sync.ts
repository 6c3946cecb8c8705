import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { systemContext } from '../../../platform/http'
import type { Account } from '../accounts'
import { readMail } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { LARGEST } from './connect'
import { receive, type Place } from '../receive/receive'
import { expunge, followFlags, matchAgain, type ServerMessage } from './state'
import type { Folder } from './folders'

/** Bodies of the first synchronisation that come by themselves: those of so many days. */
const RECENT = 30 * 86_400_000
const BATCH = 200
/** Flags that are written at once. */
const FLAGS = 2_000

type Parts = Pick<MailParts, 'engine' | 'database' | 'raw' | 'now'>

const flagsOf = ({ uid, flags = new Set() }: FetchMessageObject) => ({
  uid,
  seen: flags.has('\\Seen'),
  starred: flags.has('\\Flagged'),
  answered: flags.has('\\Answered'),
})

/** Brings a folder to what the server has: new mail, flags, what is gone; nothing twice. Answers how many messages were new. */
export async function syncFolder(
  parts: Parts,
  client: ImapFlow,
  account: Account,
  folder: Folder,
  signal: AbortSignal,
): Promise<number> {
  const { database } = parts
  // what an open folder says of itself is from when it was opened
  if (client.mailbox !== false) await client.mailboxClose()
  const lock = await client.getMailboxLock(folder.path)
  try {
    const { mailbox } = client
    if (mailbox === false) return 0
    const uidValidity = String(mailbox.uidValidity)
    const isFirst = folder.uidValidity === null
    const isRenumbered = !isFirst && folder.uidValidity !== uidValidity
    let from = isRenumbered ? 1 : folder.uidNext
    if (isRenumbered) from = await renumber(parts, client, account, folder, uidValidity)
    else if (!isFirst) await followServer(parts, client, account, folder, mailbox)
    const fresh =
      mailbox.uidNext > from && mailbox.exists > 0
        ? await takeNew(parts, client, account, folder, { from, uidValidity, isFirst }, signal)
        : 0
    await database.query(
      `update mail_folder set uid_validity = $2, uid_next = greatest($3::bigint, 1), highest_mod_seq = $4, synced_at = $5, updated_at = $5 where id = $1`,
      [folder.id, uidValidity, mailbox.uidNext, mailbox.highestModseq?.toString() ?? null, parts.now().toISOString()],
    )
    return fresh
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

/** Flags that changed, and messages that are gone. */
async function followServer(
  parts: Parts,
  client: ImapFlow,
  account: Account,
  folder: Folder,
  mailbox: { highestModseq?: bigint | undefined; exists: number },
): Promise<void> {
  const { database } = parts
  const known = folder.highestModSeq === null ? null : BigInt(folder.highestModSeq)
  const changed: ReturnType<typeof flagsOf>[] = []
  if (mailbox.exists > 0 && (known === null || mailbox.highestModseq !== known)) {
    const options = known === null || mailbox.highestModseq === undefined ? { uid: true } : { uid: true, changedSince: known }
    for await (const message of client.fetch('1:*', { uid: true, flags: true }, options)) {
      changed.push(flagsOf(message))
      if (changed.length >= FLAGS) await followFlags(database, folder.id, changed.splice(0))
    }
  }
  const uids = mailbox.exists === 0 ? [] : await client.search({ all: true }, { uid: true })
  await database.transaction(async (tx) => {
    await followFlags(tx, folder.id, changed)
    if (Array.isArray(uids)) await expunge(tx, account.id, folder.id, uids, parts.now())
  })
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
): Promise<number> {
  const query = { uid: true, flags: true, size: true, internalDate: true }
  const found: FetchMessageObject[] = []
  for await (const message of client.fetch(`${from}:*`, query, { uid: true })) if (message.uid >= from) found.push(message)
  // the newest first: they are what is looked at
  found.sort((a, b) => b.uid - a.uid)
  const since = parts.now().getTime() - RECENT
  let taken = 0
  for (let start = 0; start < found.length; start += BATCH) {
    // what was not taken is taken the next time
    signal.throwIfAborted()
    const batch = found.slice(start, start + BATCH)
    for (const isWhole of [true, false]) {
      const some = batch.filter(
        (message) => (isFetched(message) && (!isFirst || momentOf(message, parts.now()).getTime() > since)) === isWhole,
      )
      if (some.length === 0) continue
      const range = some.map(({ uid }) => uid).join(',')
      const content = isWhole ? { uid: true, source: true } : { uid: true, headers: true }
      for await (const { uid, source, headers } of client.fetch(range, content, { uid: true })) {
        const about = some.find((message) => message.uid === uid)
        const raw = source ?? headers
        if (!about || !raw) continue
        const place: Place = { folderId: folder.id, role: folder.role, uidValidity, ...flagsOf(about) }
        if (await take(parts, account, raw, about, { place, isWhole, isQuiet: isFirst })) taken += 1
      }
    }
  }
  return taken
}

const isFetched = ({ size = 0 }: FetchMessageObject): boolean => size <= LARGEST

const momentOf = ({ internalDate }: FetchMessageObject, otherwise: Date): Date =>
  internalDate === undefined ? otherwise : new Date(internalDate)

async function take(
  parts: Parts,
  account: Account,
  raw: Buffer,
  about: FetchMessageObject,
  { place, isWhole, isQuiet }: { place: Place; isWhole: boolean; isQuiet: boolean },
): Promise<boolean> {
  const now = parts.now()
  const mail = await readMail(raw)
  const rawHash = isWhole ? await parts.raw.keep(raw) : null
  const size = about.size ?? raw.length
  const incoming = {
    mail,
    raw,
    rawHash,
    size,
    at: momentOf(about, now),
    authResults: trusted(mail.authentication),
    place,
    isQuiet,
  }
  const id = await parts.engine.transaction(systemContext({ now }), (_entities, tx) => receive(parts, tx, account, incoming, now))
  return id !== null
}

/** What the mailbox's own server says of the origin; a header further down may be anybody's. */
export function trusted([first]: readonly string[]): Record<string, string> | null {
  if (first === undefined) return null
  const found = [...first.matchAll(/\b(spf|dkim|dmarc)=(\w+)/giu)].map(([, name = '', verdict = '']) => [
    name.toLowerCase(),
    verdict,
  ])
  return found.length === 0 ? null : (Object.fromEntries(found) as Record<string, string>)
}

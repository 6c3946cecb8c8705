import { asciiAddress, domainOf } from '../../../../src/headless/mail'
import { newId, type Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { countOne, folderOf, ownDomains, type Account } from '../accounts'
import { logMail } from '../log'
import {
  cleanHtml,
  HTML_VERSION,
  registered,
  textsOf,
  warningsOf,
  weighsAsSpam,
  type ReadMail,
  type Warning,
} from '../../../platform/mail'
import type { MailParts } from '../parts'
import { replyWhileAway } from './absence'
import { followerOf } from './follow'
import { countHit, listedBecause, listedSender } from './lists'
import { partiesOf, partyAmong, partyDomains, type Party } from './parties'
import { noteReport } from './reported'
import { tellNewMail } from './tell'
import { threadOf, threadSubject } from './threads'

/** A raw message that came for a mailbox, with where it stands there. */
export interface Incoming {
  mail: ReadMail
  raw: Buffer
  /** Of the kept bytes; null where only the headers came so far. */
  rawHash: string | null
  /** Bytes of the whole message. */
  size: number
  at: Date
  /** How its origin was verified, and by whom. */
  authResults: Record<string, unknown> | null
  /** Of a server: the folder, place and flags there; null: the portal decides where it goes. */
  place: Place | null
}

export interface Place {
  folderId: string
  role: string
  uid: number
  uidValidity: string
  seen: boolean
  starred: boolean
  answered: boolean
}

type Parts = Pick<MailParts, 'engine' | 'queue'>

/**
 * Takes a message into a mailbox: its row in the right folder and conversation, with customer, warnings and whoever follows it up; tells who has to know.
 * The same bytes are taken once a folder. Answers the id of the row, null where it was there.
 */
export async function receive(
  parts: Parts,
  tx: Transaction,
  account: Account,
  incoming: Incoming,
  now: Date,
): Promise<string | null> {
  const { mail, place, at } = incoming
  const { engine } = parts
  const isOut = isOutgoing(account, incoming)
  const judged = isOut
    ? { junk: false, because: null, warnings: [] as Warning[] }
    : await judge(parts, tx, account, mail, place, now)
  const role = place?.role ?? (judged.junk ? 'junk' : 'inbox')
  const folderId = place?.folderId ?? (await folderOf(tx, account.id, judged.junk ? 'junk' : 'inbox'))
  const { rowCount: known } = await tx.query(
    `select 1 from mail_message where account_id = $1 and deleted_at is null and ($3::bigint is null and raw_hash = $2 and direction = 'in' or folder_id = $4 and uid = $3 and uid_validity = $5)`,
    [account.id, incoming.rawHash, place?.uid ?? null, folderId, place?.uidValidity ?? null],
  )
  if (known > 0) return null
  if (place && (await adopted(tx, account.id, mail.messageId, place, isOut))) return null
  const others = isOut ? [...mail.to, ...mail.cc] : [mail.sender]
  const emails = others.map(({ email }) => email)
  const party = partyAmong(await partiesOf(engine, tx, emails, now), emails)
  const follower =
    isOut || judged.junk || account.kind === 'personal' ? null : await followerOf(engine, tx, account.id, mail, party)
  const threadId = await threadOf(tx, account, mail, at)
  const { warnings, because: movedBecause } = judged
  const row = rowOf(account, incoming, { isOut, role, folderId, threadId, party, warnings, now })
  const { id } = row
  const followStaffId = follower?.staffId ?? null
  const entities = engine.entities(tx, systemContext({ now }))
  await entities.insertMany('mail.message', [{ ...row, movedBecause, followStaffId }])
  // whoever wrote what it answers, e.g. a campaign, has a hook on it
  if (!isOut && (mail.inReplyTo !== null || /^\s*unsubscribe /iu.test(mail.subject)))
    await entities.transition('mail.message', id, 'arrived')
  await countOne(tx, folderId, row.seen)
  const isReport = !isOut && (await noteReport(parts, tx, account, incoming, now))
  const { sender, subject } = mail
  const action = isOut ? 'sent' : 'received'
  await logMail(tx, [{ accountId: account.id, action, messageId: id, peer: sender.email, subject }], now)
  if (!isOut && !isReport && role === 'inbox') await replyWhileAway(tx, parts.queue, account, { mail, at, id }, now)
  if (!isOut && !place?.seen && (role === 'inbox' || role === 'junk'))
    await tellNewMail(
      tx,
      account,
      [{ id, isSpam: role === 'junk', subject, followStaffId, sender: sender.name ?? sender.email }],
      now,
    )
  return id
}

/** Whether a message of a server was written by its mailbox. */
export function isOutgoing(account: Account, { mail, place }: Pick<Incoming, 'mail' | 'place'>): boolean {
  const isOwn = asciiAddress(mail.sender.email || '@') === account.address
  return place?.role === 'sent' || place?.role === 'drafts' || (place !== null && isOwn && place.role !== 'inbox')
}

interface Decided {
  isOut: boolean
  role: string
  folderId: string
  threadId: string
  party: Party
  warnings: Warning[]
  now: Date
}

/** A new row of a mailbox. */
export const rowOf = (
  account: Account,
  incoming: Incoming,
  { isOut, role, folderId, threadId, party, warnings, now }: Decided,
) => ({
  ...messageRow(incoming.mail, incoming),
  ...{ id: newId(), accountId: account.id, folderId, threadId, warnings, ...party, direction: isOut ? 'out' : 'in' },
  ...{ emailType: isOut ? '1' : role === 'junk' ? '3' : '2', receiptState: !isOut && incoming.mail.receiptTo ? 'asked' : null },
  ...{ followState: incoming.place?.answered ? 'answered' : 'new', createdAt: now.toISOString(), version: 1 },
})

/** Gives a row that has no number yet, because the portal moved or sent it, the one that the server gave it. */
export async function adopted(
  tx: Transaction,
  accountId: string,
  messageId: string | null,
  place: Place,
  isOut: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update mail_message set folder_id = $3, uid = $4, uid_validity = $5 where id = (
       select id from mail_message where account_id = $1 and message_id = $2 and uid is null and direction = $6 and deleted_at is null order by folder_id = $3 desc limit 1)`,
    [accountId, messageId, place.folderId, place.uid, place.uidValidity, isOut ? 'out' : 'in'],
  )
  return rowCount > 0
}

/** Whether a mail is spam, by the lists, by what the server says, by its warnings; and why it was moved. */
async function judge(
  parts: Parts,
  tx: Transaction,
  account: Account,
  mail: ReadMail,
  place: Place | null,
  now: Date,
): Promise<{ junk: boolean; because: string | null; warnings: Warning[] }> {
  const { email } = mail.sender
  const { rowCount: before } = await tx.query(
    'select 1 from mail_message where account_id = $1 and sender_email = any($2::text[]) and deleted_at is null limit 1',
    [account.id, [email, email.toLowerCase()]],
  )
  const domains = [...(await ownDomains(tx)), ...(await partyDomains(parts.engine, tx, registered(domainOf(email))))]
  const warnings = warningsOf(mail, { domains, isKnown: before > 0 })
  const listed = await listedSender(tx, account, email)
  if (listed) await countHit(tx, listed, now)
  if (place) return { junk: place.role === 'junk', because: null, warnings }
  if (listed) return { junk: listed.list === 'black', because: listed.list === 'black' ? listedBecause(listed) : null, warnings }
  if (mail.spamFlag) return { junk: true, because: 'X-Spam', warnings }
  const heavy = weighsAsSpam(warnings)
  return { junk: heavy, because: heavy ? warnings.join(', ') : null, warnings }
}

/** What a row of a message holds of the mail itself. */
export function messageRow(mail: ReadMail, incoming: Pick<Incoming, 'rawHash' | 'size' | 'at' | 'authResults' | 'place'>) {
  const { place, at, rawHash, size } = incoming
  const clean = mail.html === null ? null : cleanHtml(mail.html)
  const files = mail.attachments.filter(({ inline }) => !inline)
  const made = mail.messageId ?? `<${rawHash?.slice(0, 40) ?? newId()}@made.invalid>`
  return {
    ...{
      messageId: made.slice(0, 998),
      messageIdMade: mail.messageId === null,
      inReplyTo: mail.inReplyTo?.slice(0, 998) ?? null,
    },
    ...{ references: mail.references.slice(-100), threadSubject: threadSubject(mail.subject) },
    ...{ receiveTime: at.toISOString(), sentTime: mail.date?.toISOString() ?? null, subject: mail.subject.slice(0, 998) },
    ...{ senderEmail: mail.sender.email.slice(0, 320), senderName: mail.sender.name?.slice(0, 200) ?? null },
    ...{ replyToList: mail.replyTo, receiverEmailList: mail.to, ccEmailList: mail.cc, bccEmailList: mail.bcc },
    ...{
      listPost: mail.listPost,
      receiptTo: mail.receiptTo?.slice(0, 320) ?? null,
      autoSubmitted: mail.autoSubmitted,
      authResults: incoming.authResults,
    },
    ...textsOf(mail),
    ...{ htmlBody: clean?.html ?? null, htmlVersion: HTML_VERSION, htmlCut: clean?.cut ?? false },
    ...{ charsetGuessed: mail.charsetGuessed, attachments: mail.attachments, hasAttachment: files.length > 0 },
    ...{ seen: place?.seen ?? false, starred: place?.starred ?? false, answered: place?.answered ?? false },
    ...{ forwarded: false, marks: [], uid: place?.uid ?? null, uidValidity: place?.uidValidity ?? null },
    ...{ rawHash, size, bodyState: rawHash === null ? 'headers' : 'whole', bounced: false },
  }
}

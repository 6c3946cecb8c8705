import { asciiAddress, domainOf, type MailAddress } from '../../../../src/headless/mail'
import { newId, type Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { countOne, folderOf, ownDomains, type Account } from '../accounts'
import { logMail } from '../log'
import { cleanHtml, HTML_VERSION, type ReadMail } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { readBounce } from './bounce'
import { noteBounce } from './bounced'
import { followerOf } from './follow'
import { countHit, listedBecause, listedSender } from './lists'
import { partiesOf, partyAmong, partyDomains } from './parties'
import { tellNewMail } from './tell'
import { threadOf, threadSubject } from './threads'
import { registered, warningsOf, weighsAsSpam, type Warning } from './warnings'

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
  /** Nobody is told: it was there before the mailbox was bound. */
  isQuiet: boolean
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

type Parts = Pick<MailParts, 'engine'>

/** Text of a message that is searched, at most so much. */
const SEARCHED = 60_000
const LONGEST_TEXT = 2_000_000

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
  const isOwn = asciiAddress(mail.sender.email || '@') === account.address
  const isOut = place?.role === 'sent' || place?.role === 'drafts' || (place !== null && isOwn && place.role !== 'inbox')
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
  if (place && (await adopted(tx, account.id, mail.messageId, folderId, place, isOut))) return null
  const others = isOut ? [...mail.to, ...mail.cc] : [mail.sender]
  const emails = others.map(({ email }) => email)
  const party = partyAmong(await partiesOf(engine, tx, emails, now), emails)
  const follower =
    isOut || judged.junk || account.kind === 'personal' || incoming.isQuiet
      ? null
      : await followerOf(engine, tx, account.id, mail, party)
  const id = newId()
  const row = {
    ...messageRow(mail, incoming),
    ...{ id, accountId: account.id, folderId, direction: isOut ? 'out' : 'in' },
    emailType: isOut ? '1' : role === 'junk' ? '3' : '2',
    threadId: await threadOf(tx, account.id, mail, account.address, at),
    ...{ warnings: judged.warnings, movedBecause: judged.because },
    ...{ customerId: party.customerId, supplierId: party.supplierId, contactId: party.contactId },
    ...{ followStaffId: follower?.staffId ?? null, followState: place?.answered ? 'answered' : 'new' },
    ...{ createdAt: now.toISOString(), version: 1 },
  }
  const entities = engine.entities(tx, systemContext({ now }))
  await entities.insertMany('mail.message', [row])
  // whoever wrote what it answers, e.g. a campaign, has a hook on it
  if (!isOut && (mail.inReplyTo !== null || /^\s*unsubscribe /iu.test(mail.subject)))
    await entities.transition('mail.message', id, 'arrived')
  if (!incoming.isQuiet) {
    await countOne(tx, folderId, row.seen)
    const bounce = isOut ? null : readBounce(mail, incoming.raw)
    if (bounce) await noteBounce(parts, tx, account, bounce, now)
    const { sender, subject } = mail
    const action = isOut ? 'sent' : 'received'
    await logMail(tx, [{ accountId: account.id, action, messageId: id, peer: sender.email, subject }], now)
    const about = { id, isSpam: role === 'junk', subject, followStaffId: follower?.staffId ?? null }
    if (!isOut && !place?.seen && (role === 'inbox' || role === 'junk'))
      await tellNewMail(tx, account, [{ ...about, sender: sender.name ?? sender.email }], now)
  }
  return id
}

/** Gives a row that has no number yet, because the portal moved or sent it, the one that the server gave it. */
async function adopted(
  tx: Transaction,
  accountId: string,
  messageId: string | null,
  folderId: string,
  place: Place,
  isOut: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update mail_message set folder_id = $3, uid = $4, uid_validity = $5 where id = (
       select id from mail_message where account_id = $1 and message_id = $2 and uid is null and direction = $6 and deleted_at is null order by folder_id = $3 desc limit 1)`,
    [accountId, messageId, folderId, place.uid, place.uidValidity, isOut ? 'out' : 'in'],
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
    'select 1 from mail_message where account_id = $1 and lower(sender_email) = $2 and deleted_at is null limit 1',
    [account.id, email.toLowerCase()],
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
    ...{ listPost: mail.listPost, autoSubmitted: mail.autoSubmitted, authResults: incoming.authResults },
    ...{ previewText: preview(mail.text), textBody: plain(mail.text).slice(0, LONGEST_TEXT), searchText: searched(mail) },
    ...{ htmlBody: clean?.html ?? null, htmlVersion: HTML_VERSION, htmlCut: clean?.cut ?? false },
    ...{ charsetGuessed: mail.charsetGuessed, attachments: mail.attachments, hasAttachment: files.length > 0 },
    ...{ seen: place?.seen ?? false, starred: place?.starred ?? false, answered: place?.answered ?? false },
    ...{ forwarded: false, marks: [], uid: place?.uid ?? null, uidValidity: place?.uidValidity ?? null },
    ...{ rawHash, size, bodyState: rawHash === null ? 'headers' : 'whole', bounced: false },
  }
}

/** A text without characters that the database does not hold. */
const plain = (text: string): string => text.replace(/\u0000/gu, '')

const preview = (text: string): string => plain(text).replace(/\s+/gu, ' ').trim().slice(0, 200)

const line = (list: readonly MailAddress[]): string => list.map(({ email, name = '' }) => `${name} ${email}`).join(' ')

const searched = (mail: ReadMail): string =>
  plain(
    [
      ...[mail.subject, line([mail.sender]), line(mail.to), line(mail.cc), mail.attachments.map(({ name }) => name).join(' ')],
      mail.text,
    ].join('\n'),
  ).slice(0, SEARCHED)

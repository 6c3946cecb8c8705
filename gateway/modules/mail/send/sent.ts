import { systemContext } from '../../../platform/http'
import { newId, type Transaction } from '../../../platform/database'
import { dayOf } from '../../../platform/calendar'
import { countOne, ensureFolders, folderOf, type Account } from '../accounts'
import { logMail } from '../log'
import { readMail, type RefusedRecipient } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { partiesOf, partyAmong } from '../receive/parties'
import { messageRow } from '../receive/receive'
import { threadOf } from '../receive/threads'
import { envelopeOf, type Outgoing } from './outgoing'

/**
 * Notes that a mail was sent, in one transaction: its state, its copy in Sent, the count of the day, the log, and that what it answers is answered. Answers the id
 * of the copy.
 */
export async function noteSent(
  parts: Pick<MailParts, 'engine' | 'raw'>,
  tx: Transaction,
  account: Account,
  mail: Outgoing,
  refused: readonly RefusedRecipient[],
  now: Date,
): Promise<string> {
  const { engine } = parts
  const entities = engine.entities(tx, systemContext({ now }))
  await entities.transition('mail.outgoing', mail.id, 'sent', { sentAt: now.toISOString(), refused: [...refused] })
  const raw = await parts.raw.read(mail.rawHash)
  const read = await readMail(raw)
  const recipients = envelopeOf(mail)
  const party = partyAmong(await partiesOf(engine, tx, recipients, now), recipients)
  await ensureFolders(tx, account.id, now)
  const id = newId()
  const place = { folderId: await folderOf(tx, account.id, 'sent'), at: now, authResults: null, place: null }
  await entities.insertMany('mail.message', [
    {
      ...messageRow(read, { ...place, rawHash: mail.rawHash, size: raw.length }),
      ...{ id, accountId: account.id, folderId: place.folderId, direction: 'out', emailType: '1', seen: true },
      // nobody can have named it before it was sent
      threadId: await threadOf(tx, account, { ...read, messageId: null }, now),
      ...{ bccEmailList: mail.bcc, warnings: [], customerId: party.customerId, supplierId: party.supplierId },
      ...{ contactId: party.contactId, followState: 'closed', createdAt: now.toISOString(), createdBy: mail.staffId, version: 1 },
    },
  ])
  const day = dayOf(now.toISOString(), account.timeZone ?? 'Asia/Shanghai') ?? null
  await tx.query(
    `update mail_account set sent_today = case when sent_on = $2::date then coalesce(sent_today, 0) + 1 else 1 end, sent_on = $2::date where id = $1`,
    [account.id, day],
  )
  await countOne(tx, place.folderId, true)
  await answered(parts, tx, mail, now)
  const peer = recipients.join(', ')
  const result = refused.map(({ email, reason }) => `${email}: ${reason}`).join('; ') || null
  await logMail(
    tx,
    [{ accountId: account.id, action: 'sent', staffId: mail.staffId, messageId: id, peer, subject: mail.subject, result }],
    now,
  )
  return id
}

/** What an answer answers is answered, and what is passed on passed on. */
async function answered(parts: Pick<MailParts, 'engine'>, tx: Transaction, mail: Outgoing, now: Date): Promise<void> {
  if (mail.sourceMessageId === null) return
  if (mail.kind === 'forward' || mail.kind === 'forwardAsAttachment')
    await tx.query('update mail_message set forwarded = true where id = $1', [mail.sourceMessageId])
  if (mail.kind !== 'reply' && mail.kind !== 'replyAll') return
  const entities = parts.engine.entities(tx, systemContext({ now }))
  await entities.transitions('mail.message', [mail.sourceMessageId], 'answer')
}

/** How many more a mailbox may send today. */
export function roomOf(account: Account, now: Date): number {
  const today = dayOf(now.toISOString(), account.timeZone ?? 'Asia/Shanghai')
  return account.dailyLimit - (account.sentOn === today ? account.sentToday : 0)
}

import type { Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { readBounce, readComplaint, readReceipt, type ReadMail } from '../../../platform/mail'
import type { Account } from '../accounts'
import type { MailParts } from '../parts'
import { noteBounce } from './bounced'

/** Notes what a program reports of a mail that was sent: it came back, was read, or was called spam. False for a mail that reports nothing. */
export async function noteReport(
  { engine }: Pick<MailParts, 'engine'>,
  tx: Transaction,
  account: Account,
  { mail, raw, at }: { mail: ReadMail; raw: Buffer; at: Date },
  now: Date,
): Promise<boolean> {
  const bounce = readBounce(mail, raw)
  if (bounce) await noteBounce({ engine }, tx, account, bounce, now)
  const receipt = readReceipt(mail, raw)
  if (receipt)
    await tx.query(
      `update mail_message set receipts = coalesce(receipts, '[]') || jsonb_build_array(jsonb_build_object('email', $3::text, 'at', $4::text))
       where account_id = $1 and message_id = $2 and direction = 'out' and receipt_to is not null and deleted_at is null and not coalesce(receipts, '[]') @> jsonb_build_array(jsonb_build_object('email', $3::text))`,
      [account.id, receipt.messageId, receipt.reader.slice(0, 320), at.toISOString()],
    )
  const complaint = readComplaint(raw)
  if (complaint) {
    // whoever complains names the mail, whichever mailbox his provider writes to
    const { rows } = await tx.query<{ id: string }>(
      `select id from mail_message where message_id = any($1::text[]) and direction = 'out' and deleted_at is null limit 1`,
      [complaint.messageIds],
    )
    await engine.entities(tx, systemContext({ now })).transitions(
      'mail.message',
      rows.map(({ id }) => id),
      'complained',
    )
  }
  return bounce !== null || receipt !== null || complaint !== null
}

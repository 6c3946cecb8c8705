import type { MailAddress } from '../../../../src/headless/mail'
import type { Executor } from '../../../platform/database'

/** A mail that is to be sent. */
export interface Outgoing
  extends
    Record<'id' | 'accountId' | 'kind' | 'messageId' | 'rawHash' | 'state' | 'dueAt', string>,
    Record<
      'staffId' | 'subject' | 'bodyHtml' | 'signatureId' | 'sourceMessageId' | 'returnPath' | 'leaseBy' | 'leaseUntil',
      string | null
    >,
    Record<'to' | 'cc' | 'bcc', MailAddress[]> {
  attachments: { id: string; name: string; size: number; type: string }[] | null
  attempts: number
  wantsReceipt: boolean
}

/** The queue's line of what is to be sent; the key of a message is the id of the mail, after a slash what tells a second wish from the first. */
export const SENDING_LINE = 'mail.sending'
/** The line of what is filed in the Sent folder of a server; the key of a message is the id of the mailbox. */
export const FILING_LINE = 'mail.filing'
/** The line of what the portal changed and the server has to know. */
export const UPSTREAM_LINE = 'mail.upstream'
/** The line of what comes back into the inbox; the key of a message is the id of the mail, after a slash the moment. */
export const WAKING_LINE = 'mail.waking'

/** A mail that is to be sent, held until the transaction ends. */
export async function lockOutgoing(db: Executor, id: string): Promise<Outgoing | null> {
  const { rows } = await db.query<Outgoing>(
    `select id, account_id as "accountId", staff_id as "staffId", coalesce("to", '[]') as "to", coalesce(cc, '[]') as cc, coalesce(bcc, '[]') as bcc, subject, body_html as "bodyHtml",
       attachments, signature_id as "signatureId", kind, source_message_id as "sourceMessageId", coalesce(wants_receipt, false) as "wantsReceipt", message_id as "messageId", return_path as "returnPath", raw_hash as "rawHash", state, due_at as "dueAt",
       coalesce(attempts, 0)::int as attempts, lease_by as "leaseBy", lease_until as "leaseUntil"
     from mail_outgoing where id = $1 and deleted_at is null for update`,
    [id],
  )
  return rows[0] ?? null
}

/** Everybody whom it goes to, each once. */
export const envelopeOf = ({ to, cc, bcc }: Pick<Outgoing, 'to' | 'cc' | 'bcc'>): string[] => [
  ...new Set([...to, ...cc, ...bcc].map(({ email }) => email)),
]

import { bareSubject } from '../../../../src/headless/mail'
import { newId, type Executor } from '../../../platform/database'
import type { ReadMail } from '../../../platform/mail'

/** Days in which the same subject among the same people is the same conversation. */
const DAYS = 30

/** The subject that a conversation is known by. */
export const threadSubject = (subject: string): string => bareSubject(subject).toLowerCase().slice(0, 300)

/**
 * The conversation of a mail in a mailbox: by References, then In-Reply-To (a mail that answers what is not here yet finds it later), then by the same subject
 * among the same people within 30 days. None of them joins two mailboxes.
 */
export async function threadOf(db: Executor, accountId: string, mail: ReadMail, own: string, at: Date): Promise<string> {
  const named = [...mail.references, ...(mail.inReplyTo === null ? [] : [mail.inReplyTo])]
  const answered = [...new Set([...named, ...(mail.messageId === null ? [] : [mail.messageId])])].slice(-50)
  if (answered.length > 0) {
    const { rows } = await db.query<{ threadId: string }>(
      `select thread_id as "threadId" from mail_message where account_id = $1 and deleted_at is null and thread_id is not null
         and (message_id = any($2::text[]) or "references" ?| $2::text[]) order by receive_time desc limit 1`,
      [accountId, answered],
    )
    if (rows[0]) return rows[0].threadId
  }
  const subject = threadSubject(mail.subject)
  const others = [mail.sender, ...mail.to, ...mail.cc]
    .map(({ email }) => email.toLowerCase())
    .filter((email) => email !== '' && email !== own.toLowerCase())
  if (subject === '' || others.length === 0) return newId()
  const { rows } = await db.query<{ threadId: string }>(
    `select thread_id as "threadId" from mail_message where account_id = $1 and deleted_at is null and thread_id is not null and thread_subject = $2
       and receive_time > $3::timestamptz - make_interval(days => $5) and receive_time < $3::timestamptz + make_interval(days => $5)
       and (lower(sender_email) = any($4::text[]) or exists (select from jsonb_array_elements(receiver_email_list) e where lower(e ->> 'email') = any($4::text[])))
     order by receive_time desc limit 1`,
    [accountId, subject, at.toISOString(), others, DAYS],
  )
  return rows[0]?.threadId ?? newId()
}

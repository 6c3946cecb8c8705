import { bareSubject } from '../../../../src/headless/mail'
import { newId, type Executor } from '../../../platform/database'
import type { ReadMail } from '../../../platform/mail'
import type { Account } from '../accounts'

/** Days in which the same subject among the same people is the same conversation. */
const DAYS = 30

/** The subject that a conversation is known by. */
export const threadSubject = (subject: string): string => bareSubject(subject).toLowerCase().slice(0, 300)

/** What says which conversation a mail belongs to. */
type Threaded = Pick<ReadMail, 'references' | 'inReplyTo' | 'messageId' | 'subject' | 'sender' | 'to' | 'cc'>

/**
 * The conversations of mails in a mailbox: by References, then In-Reply-To (a mail that answers what is not here yet finds it later), then by the same subject
 * among the same people within 30 days. None of them joins two mailboxes. Those of one batch find each other as well.
 */
export async function threadsOf(
  db: Executor,
  { id, address }: Pick<Account, 'id' | 'address'>,
  mails: readonly { mail: Threaded; at: Date }[],
): Promise<string[]> {
  const asked = mails.map(({ mail, at }, n) => {
    const named = [...mail.references, ...(mail.inReplyTo === null ? [] : [mail.inReplyTo])]
    const ids = [...new Set([...named, ...(mail.messageId === null ? [] : [mail.messageId])])].slice(-50)
    const others = [mail.sender, ...mail.to, ...mail.cc]
      .map(({ email }) => email.toLowerCase())
      .filter((email) => email !== '' && email !== address.toLowerCase())
    return { n, ids, subject: threadSubject(mail.subject), others, at: at.toISOString() }
  })
  const { rows } = await db.query<{ n: number; named: string | null; alike: string | null }>(
    `select r.n, named.thread_id as named, alike.thread_id as alike from jsonb_to_recordset($2::jsonb) as r(n int, ids text[], subject text, others text[], at timestamptz)
     left join lateral (select thread_id from mail_message where account_id = $1 and deleted_at is null and thread_id is not null
         and (message_id = any(r.ids) or "references" ?| r.ids) order by receive_time desc limit 1) named on cardinality(r.ids) > 0
     left join lateral (select thread_id from mail_message where named.thread_id is null and account_id = $1 and deleted_at is null and thread_id is not null and thread_subject = r.subject
         and receive_time > r.at - make_interval(days => $3) and receive_time < r.at + make_interval(days => $3)
         and (lower(sender_email) = any(r.others) or exists (select from jsonb_array_elements(receiver_email_list) e where lower(e ->> 'email') = any(r.others)))
       order by receive_time desc limit 1) alike on r.subject <> '' and cardinality(r.others) > 0`,
    [id, JSON.stringify(asked), DAYS],
  )
  const stored = new Map(rows.map(({ n, named, alike }) => [n, { named, alike }]))
  const byId = new Map<string, string>()
  const bySubject = new Map<string, string>()
  return asked.map(({ n, ids, subject, others }) => {
    const { named, alike } = stored.get(n)!
    const keys = subject === '' ? [] : others.map((other) => `${other} ${subject}`)
    const first = <Key>(map: ReadonlyMap<Key, string>, wanted: readonly Key[]): string | undefined =>
      wanted.map((key) => map.get(key)).find(Boolean)
    const thread = named ?? first(byId, ids) ?? alike ?? first(bySubject, keys) ?? newId()
    for (const one of ids) byId.set(one, thread)
    for (const key of keys) bySubject.set(key, thread)
    return thread
  })
}

/** The conversation of one mail. */
export const threadOf = async (
  db: Executor,
  account: Pick<Account, 'id' | 'address'>,
  mail: Threaded,
  at: Date,
): Promise<string> => (await threadsOf(db, account, [{ mail, at }]))[0]!

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
  const named = await namedThreads(db, id, [...new Set(asked.flatMap(({ ids }) => ids))])
  const latest = (ids: readonly string[]): string | undefined => {
    const found = ids.flatMap((one) => named.get(one) ?? [])
    return found.sort((a, b) => b.at.localeCompare(a.at))[0]?.threadId
  }
  const alike = await alikeThreads(
    db,
    id,
    asked.filter(({ ids, subject, others }) => latest(ids) === undefined && subject !== '' && others.length > 0),
  )
  const byId = new Map<string, string>()
  const bySubject = new Map<string, string>()
  return asked.map(({ n, ids, subject, others }) => {
    const keys = subject === '' ? [] : others.map((other) => `${other} ${subject}`)
    const first = (map: ReadonlyMap<string, string>, wanted: readonly string[]): string | undefined =>
      wanted.map((key) => map.get(key)).find(Boolean)
    const thread = latest(ids) ?? first(byId, ids) ?? alike.get(n) ?? first(bySubject, keys) ?? newId()
    for (const one of ids) byId.set(one, thread)
    for (const key of keys) bySubject.set(key, thread)
    return thread
  })
}

/** The conversations that messages with these ids are in, or that name them; all in one look, for an index of lists is slow to begin. */
async function namedThreads(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { threadId: string; at: string }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; threadId: string; at: string }>(
    `select k.id, (array_agg(m.thread_id order by m.receive_time desc))[1] as "threadId", max(m.receive_time) as at
     from mail_message m cross join lateral (select m.message_id as id union all select jsonb_array_elements_text(m."references")) k
     where m.account_id = $1 and m.deleted_at is null and m.thread_id is not null and (m.message_id = any($2::text[]) or m."references" ?| $2::text[]) and k.id = any($2::text[])
     group by k.id`,
    [accountId, [...ids]],
  )
  return new Map(rows.map(({ id, threadId, at }) => [id, { threadId, at: new Date(at).toISOString() }]))
}

interface Asked {
  n: number
  subject: string
  others: readonly string[]
  at: string
}

/** The conversations with the same subject among the same people. */
async function alikeThreads(db: Executor, accountId: string, asked: readonly Asked[]): Promise<ReadonlyMap<number, string>> {
  if (asked.length === 0) return new Map()
  const { rows } = await db.query<{ n: number; threadId: string }>(
    `select r.n, m.thread_id as "threadId" from jsonb_to_recordset($2::jsonb) as r(n int, subject text, others text[], at timestamptz)
     cross join lateral (select thread_id from mail_message where account_id = $1 and deleted_at is null and thread_id is not null and thread_subject = r.subject
         and receive_time > r.at - make_interval(days => $3) and receive_time < r.at + make_interval(days => $3)
         and (lower(sender_email) = any(r.others) or exists (select from jsonb_array_elements(receiver_email_list) e where lower(e ->> 'email') = any(r.others)))
       order by receive_time desc limit 1) m`,
    [accountId, JSON.stringify(asked), DAYS],
  )
  return new Map(rows.map(({ n, threadId }) => [n, threadId]))
}

/** The conversation of one mail. */
export const threadOf = async (
  db: Executor,
  account: Pick<Account, 'id' | 'address'>,
  mail: Threaded,
  at: Date,
): Promise<string> => (await threadsOf(db, account, [{ mail, at }]))[0]!

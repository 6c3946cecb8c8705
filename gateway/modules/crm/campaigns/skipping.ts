import { domainOf, isMailAddress } from '../../../../src/headless/mail'
import { tableOf, thereIs } from '../../../entities'
import type { Executor } from '../../../platform/database'

/** Why somebody gets nothing (dictionary `mailSkip`), the first that holds. */
export const SKIPS = ['duplicate', 'invalid', 'unsubscribed', 'blacklisted', 'cap7d', 'notConnected'] as const
export type Skip = (typeof SKIPS)[number]

/** Campaign mails that an address gets at most in seven days. */
const MOST_IN_SEVEN_DAYS = 2
const SEVEN_DAYS = 7 * 86_400_000

interface Addressed {
  email: string
  unsubscribed: boolean
  bounced: boolean
  barred: boolean
}

/** Why each of these gets nothing, null for who gets it; the first of equal addresses counts. */
export async function skipReasons(
  db: Executor,
  rows: readonly Addressed[],
  senderId: string | null,
  now: Date,
): Promise<(Skip | null)[]> {
  const emails = [...new Set(rows.map(({ email }) => email))]
  const history = await historyOf(db, emails, now)
  const barred = await barredAmong(db, emails)
  const reachable = await reachableFrom(db, senderId, emails)
  const seen = new Set<string>()
  return rows.map(({ email, ...row }) => {
    if (seen.has(email)) return 'duplicate'
    seen.add(email)
    const before = history.get(email)
    if (!isMailAddress(email) || row.bounced || before?.bounced) return 'invalid'
    if (row.unsubscribed || before?.unsubscribed) return 'unsubscribed'
    if (row.barred || barred.has(email) || barred.has(domainOf(email))) return 'blacklisted'
    if ((before?.recent ?? 0) >= MOST_IN_SEVEN_DAYS) return 'cap7d'
    if (reachable && !reachable.has(email)) return 'notConnected'
    return null
  })
}

interface History {
  email: string
  unsubscribed: boolean
  bounced: boolean
  recent: number
}

/** What earlier campaigns know of addresses. */
async function historyOf(db: Executor, emails: readonly string[], now: Date): Promise<ReadonlyMap<string, History>> {
  const { rows } = await db.query<History>(
    `select email, bool_or(unsubscribed_at is not null and (resubscribed_at is null or resubscribed_at < unsubscribed_at)) as unsubscribed, bool_or(coalesce(hard_bounce, false)) as bounced,
       count(*) filter (where released_at > $2)::int as recent
     from ${tableOf('crm.mailRecipient')} where email = any($1::text[]) and deleted_at is null group by email`,
    [emails, new Date(now.getTime() - SEVEN_DAYS).toISOString()],
  )
  return new Map(rows.map((row) => [row.email, row]))
}

/** Addresses and domains of these that the company does not deal with. */
async function barredAmong(db: Executor, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set([...emails, ...emails.map(domainOf)])]
  const { rows } = await db.query<{ value: string }>(
    `select distinct v.value from ${tableOf('crm.blacklist')} b, jsonb_array_elements_text(coalesce(b.emails, '[]'::jsonb) || coalesce(b.domains, '[]'::jsonb)) v(value)
     where b.status = 'active' and b.deleted_at is null and v.value = any($1::text[])`,
    [asked],
  )
  const barred = new Set(rows.map(({ value }) => value))
  if (!(await thereIs(db, 'mail.blacklist'))) return barred
  const { rows: listed } = await db.query<{ value: string }>(
    `select lower(value) as value from ${tableOf('mail.blacklist')} where scope = 'company' and deleted_at is null and lower(value) = any($1::text[])`,
    [asked],
  )
  for (const { value } of listed) barred.add(value)
  return barred
}

/** A mailbox of the portal reaches mailboxes of the portal: which of these they are. Null: everybody is reached. */
async function reachableFrom(
  db: Executor,
  senderId: string | null,
  emails: readonly string[],
): Promise<ReadonlySet<string> | null> {
  if (senderId === null || !(await thereIs(db, 'mail.account'))) return null
  const { rows: senders } = await db.query<{ transport: string }>(
    `select transport from ${tableOf('mail.account')} where id = $1`,
    [senderId],
  )
  if (senders[0]?.transport !== 'local') return null
  const { rows } = await db.query<{ address: string }>(
    `select address from ${tableOf('mail.account')} where address = any($1::text[]) and transport = 'local' and state in ('active', 'failing') and deleted_at is null`,
    [emails],
  )
  return new Set(rows.map(({ address }) => address))
}

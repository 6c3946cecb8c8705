import { asciiAddress, domainOf } from '../../../../src/headless/mail'
import type { Executor } from '../../../platform/database'
import type { Account } from '../accounts'

/** What the lists say of a sender. */
export interface Listed {
  list: 'white' | 'black'
  id: string
  value: string
  scope: string
}

/**
 * What the lists of the company and of the owner of a mailbox say of a sender. A white entry of the company wins over everything, one of its black list over what
 * is white for the owner alone; his own white entry over his own black one.
 */
export async function listedSender(db: Executor, account: Account, email: string): Promise<Listed | null> {
  if (!email.includes('@')) return null
  const values = [asciiAddress(email), domainOf(email)]
  const { rows } = await db.query<Listed>(
    `select * from (
       select 'white' as list, id, value, scope, case scope when 'company' then 1 else 3 end as rank from mail_whitelist where value = any($1::text[]) and (scope = 'company' or staff_id = $2) and deleted_at is null
       union all
       select 'black', id, value, scope, case scope when 'company' then 2 else 4 end from mail_blacklist where value = any($1::text[]) and (scope = 'company' or staff_id = $2) and deleted_at is null) l
     order by rank limit 1`,
    [values, account.ownerId],
  )
  return rows[0] ?? null
}

/** Counts that a list decided. */
export async function countHit(db: Executor, { list, id }: Listed, now: Date): Promise<void> {
  const table = list === 'white' ? 'mail_whitelist' : 'mail_blacklist'
  await db.query(`update ${table} set hits = coalesce(hits, 0) + 1, last_hit_at = $2 where id = $1`, [id, now.toISOString()])
}

/** Why a list moved a mail, as its reader's language says it: `company/black/x.io`. */
export const listedBecause = ({ list, value, scope }: Listed): string => `${scope}/${list}/${value}`

import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { ruleFor } from '../../../rules'
import { zoneSql } from '../../fin'
import { DAY_LOCKS } from './guards'

const ACCOUNT = sql.raw(tableOf('fin.customerAccount'))
const CYCLE = sql.raw(tableOf('fin.billCycle'))
const LOCKS = sql.raw(DAY_LOCKS)

/** The locked days of an account. */
export interface DayLock {
  /** First day that was open when the account was first locked: what is older may still be taken over. */
  begins: Day
  /** Last day that is locked. */
  through: Day
}

/** The last day that is locked in a zone: a day locks when receipts had `waitHours` after its end (quotes-traffic 7.1). */
export const lockedThrough = (now: Date, zone: string, waitHours: number): Day =>
  addDays(dayOf(new Date(now.getTime() - waitHours * 3_600_000), zone), -1)

/** Hours that receipts of an account `a` with the cycle `y` have, as its bill waits for them. */
const waitHours = async (db: Executor, now: Date): Promise<SQL> => {
  const { dlrWaitHours } = await ruleFor(db, 'fin.billing', now)
  return sql`coalesce(y.dlr_wait_hours, ${dlrWaitHours})::int`
}

/** Accounts whose lock has to go on, with the day up to which; days that were locked once stay locked, whatever zone or hours are set later. */
async function due(db: Executor, now: Date, accountIds?: readonly string[]): Promise<SQL> {
  const hours = await waitHours(db, now)
  const zone = zoneSql('a', sql`(${now.toISOString()}::timestamptz - ${hours} * interval '1 hour')`, db.companyTimeZone)
  const accounts = sql`${ACCOUNT} a left join ${CYCLE} y on y.id = a.bill_cycle_id
    where ${accountIds ? sql`a.id = any(${sql.param([...accountIds])}::text[])` : sql`true`}`
  const { rows } = await db.query<{ zone: string; hours: number }>(
    sql`select distinct ${zone} as zone, ${hours} as hours from ${accounts}`,
  )
  const days = rows.map((row) => ({ ...row, through: lockedThrough(now, row.zone, row.hours) }))
  return sql`select x.id, d.through from (select a.id, ${zone} as zone, ${hours} as hours from ${accounts}) x
      join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(zone text, hours int, through date) using (zone, hours)
      left join ${LOCKS} k on k.account_id = x.id where k.through is null or k.through < d.through`
}

/** Whether days are over whose receipts had their time and that are not locked. */
export async function locksWait(db: Executor, now: Date): Promise<boolean> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return false
  const { rows } = await db.query<{ waits: boolean }>(sql`select exists (${await due(db, now)}) as waits`)
  return rows[0]?.waits ?? false
}

/** Locks the days whose receipts had their time, of all accounts or of some; answers how many accounts went on. */
export async function lockDays(db: Executor, now: Date, accountIds?: readonly string[]): Promise<number> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return 0
  const { rowCount } = await db.query(
    sql`insert into ${LOCKS} as k (account_id, begins, through) select id, through + 1, through from (${await due(db, now, accountIds)}) x order by id
      on conflict (account_id) do update set through = excluded.through where k.through < excluded.through`,
  )
  return rowCount
}

/** Locked days by account. */
export async function dayLocks(db: Executor, accountIds: readonly string[]): Promise<ReadonlyMap<string, DayLock>> {
  if (accountIds.length === 0) return new Map()
  const { rows } = await db.query<DayLock & { id: string }>(
    sql`select account_id as id, begins::text as begins, through::text as through from ${LOCKS} where account_id = any(${sql.param([...new Set(accountIds)])}::text[])`,
  )
  return new Map(rows.map(({ id, ...lock }) => [id, lock]))
}

/** The most hours that receipts of any account have. */
export async function longestWait(db: Executor, now: Date): Promise<number> {
  const { dlrWaitHours } = await ruleFor(db, 'fin.billing', now)
  if (!(await thereIs(db, 'fin.billCycle'))) return dlrWaitHours
  const { rows } = await db.query<{ hours: number }>(
    sql`select greatest(${dlrWaitHours}::int, max(dlr_wait_hours)) as hours from ${CYCLE} where deleted_at is null`,
  )
  return rows[0]?.hours ?? dlrWaitHours
}

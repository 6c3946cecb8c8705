import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { ruleFor } from '../../../rules'
import { zoneSql } from '../../fin'
import { DAY_LOCKS } from './guards'
import { openDays } from './waits'

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

/**
 * Accounts whose lock has to go on, with the day up to which: up to the first day of which something is not posted or has no price. Days
 * that were locked once stay locked, whatever zone or hours are set later.
 */
async function due(db: Executor, now: Date, accountIds?: readonly string[]): Promise<SQL> {
  const hours = await waitHours(db, now)
  const zone = zoneSql('a', sql`(${now.toISOString()}::timestamptz - ${hours} * interval '1 hour')`, db.companyTimeZone)
  const accounts = sql`${ACCOUNT} a left join ${CYCLE} y on y.id = a.bill_cycle_id
    where ${accountIds ? sql`a.id = any(${sql.param([...accountIds])}::text[])` : sql`true`}`
  const { rows } = await db.query<{ zone: string; hours: number }>(
    sql`select distinct ${zone} as zone, ${hours} as hours from ${accounts}`,
  )
  const days = rows.map((row) => ({ ...row, through: lockedThrough(now, row.zone, row.hours) }))
  const open = await openDays(db, accountIds)
  const first = open
    ? sql`(select o.account_id, min(o.day) as day from (${open}) o left join ${LOCKS} l on l.account_id = o.account_id where l.through is null or o.day > l.through group by 1)`
    : sql`(select null::text as account_id, null::date as day where false)`
  return sql`(select x.id, least(d.through, w.day - 1) as through, d.through as due, w.day as waits, k.through as locked from (select a.id, ${zone} as zone, ${hours} as hours from ${accounts}) x
      join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(zone text, hours int, through date) using (zone, hours)
      left join ${LOCKS} k on k.account_id = x.id left join ${first} w on w.account_id = x.id) y`
}

/** Whether days can be locked. */
export async function locksWait(db: Executor, now: Date): Promise<boolean> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return false
  const { rows } = await db.query<{ waits: boolean }>(
    sql`select exists (select 1 from ${await due(db, now)} where locked is null or locked < through) as waits`,
  )
  return rows[0]?.waits ?? false
}

/** A day that is over, whose receipts had their time, and that is not locked: something of it is not posted or has no price. */
export interface HeldDay {
  accountId: string
  day: Day
}

/** The first such day of each account. */
export async function heldDays(db: Executor, now: Date): Promise<readonly HeldDay[]> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return []
  const { rows } = await db.query<HeldDay>(
    sql`select id as "accountId", waits::text as day from ${await due(db, now)} where waits <= due order by waits, id`,
  )
  return rows
}

/** Whether the day of records is locked, as a condition; days from before the account was first locked here are not. */
export const isLocked = (account: SQL, day: SQL): SQL =>
  sql`exists (select 1 from ${LOCKS} k where k.account_id = ${account} and ${day} between k.begins and k.through)`

/** Locks the days whose receipts had their time and of which everything is posted, of all accounts or of some; answers how many accounts went on. */
export async function lockDays(db: Executor, now: Date, accountIds?: readonly string[]): Promise<number> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return 0
  const { rowCount } = await db.query(
    sql`insert into ${LOCKS} as k (account_id, begins, through) select id, through + 1, through from ${await due(db, now, accountIds)} where locked is null or locked < through order by id
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

import type { Executor } from '../../../../platform/database'
import { addDays, type Day } from '../../rules/companyDay'
import { decideOf, deadlinesStatement, type RefreshPlace } from './refresh'

export interface DueCustomer {
  id: string
  code: string
  name: string
  ownerId: string
  owner: string
  recycleOn: Day
  /** The rule's reason where it is known before the second look. */
  reason: string | null
}

/** Customers whose day has come, the oldest deadline first, at most `limit`; `total` counts all. A dry run decides anew. */
export async function dueCustomers(
  db: Executor,
  place: RefreshPlace,
  limit: number,
  dry: boolean,
  by: Day = place.today,
): Promise<{ due: DueCustomer[]; total: number }> {
  const source = dry ? await decidedRows(db, place) : { sql: STORED, params: [] }
  const day = source.params.length + 1
  const { rows } = await db.query<DueCustomer & { total: number }>(
    `with due as materialized (
       select d.id, d."nextOn", d.reason, c.owned_at, count(*) over () as total from (${source.sql}) d join crm_customer c on c.id = d.id
       where d."nextOn" <= $${day}::date order by d."nextOn", c.owned_at, c.id limit $${day + 1})
     select c.id, c.code, c.name, c.owner_id as "ownerId", coalesce(s.name || ' (' || s.job_number || ')', '') as owner,
       d."nextOn"::text as "recycleOn", d.reason, d.total
     from due d join crm_customer c on c.id = d.id left join sys_staff s on s.id = c.owner_id order by d."nextOn", c.owned_at, c.id`,
    [...source.params, by, limit],
  )
  return { due: rows.map(({ total: _, ...row }) => row), total: Number(rows[0]?.total ?? 0) }
}

/** Who is due by the stored days, the oldest deadline first, at most `limit`, and how many there are. */
export async function dueList(
  db: Executor,
  today: Day,
  limit: number,
): Promise<{ due: { id: string; ownerId: string }[]; total: number }> {
  const { rows } = await db.query<{ id: string; ownerId: string; total: number }>(
    `select id, owner_id as "ownerId", count(*) over () as total from crm_customer
     where holding = 'private' and deleted_at is null and recycle_on <= $1::date order by recycle_on, owned_at, id limit $2`,
    [today, limit],
  )
  return { due: rows.map(({ id, ownerId }) => ({ id, ownerId })), total: Number(rows[0]?.total ?? 0) }
}

export interface DueReminder {
  id: string
  recycleOn: Day
  /** Days that are left. */
  days: number
}

/** Customers of whom the owner is to be reminded today. */
export async function remindersDue(
  db: Executor,
  place: RefreshPlace,
  remindDays: readonly number[],
  dry: boolean,
): Promise<DueReminder[]> {
  const source = dry ? await decidedRows(db, place) : { sql: STORED, params: [] }
  const days = [...new Set(remindDays)].filter((one) => one > 0)
  const last = source.params.length + 1
  const { rows } = await db.query<DueReminder>(
    `select d.id, d."nextOn"::text as "recycleOn", d."nextOn" - $${last}::date as days
     from (${source.sql}) d where d."nextOn" = any($${last + 1}::date[])`,
    [...source.params, place.today, days.map((one) => addDays(place.today, one))],
  )
  return rows.map((row) => ({ ...row, days: Number(row.days) }))
}

const STORED = `select id, recycle_on as "nextOn", null::text as reason from crm_customer
  where holding = 'private' and deleted_at is null and recycle_on is not null`

/** What the rule says now, for all private customers: (id, nextOn, reason). */
async function decidedRows(db: Executor, place: RefreshPlace): Promise<{ sql: string; params: readonly unknown[] }> {
  const { sql, params, onLeave } = await deadlinesStatement(db, place)
  const byHand = await decideOf(db, place, onLeave)
  return {
    sql: `select id, "nextOn", reason from (${sql}) as by_rule
      union all select * from jsonb_to_recordset($${params.length + 1}::jsonb) as by_hand(id text, "nextOn" date, reason text)`,
    params: [...params, JSON.stringify(byHand.map(({ id, nextOn, reason }) => ({ id, nextOn, reason })))],
  }
}

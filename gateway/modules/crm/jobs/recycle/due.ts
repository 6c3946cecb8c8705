import type { Executor } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import { addDays, type Day } from '../../rules/companyDay'
import { staffName } from '../../../../staff'
import { decideOf, deadlinesStatement, type RefreshPlace } from './refresh'

export interface DueCustomer {
  id: string
  code: string
  name: string
  ownerId: string
  owner: Text | null
  recycleOn: Day
  /** The rule's reason where it is known before the second look. */
  reason: string | null
}

/**
 * What the rule says now about a night, decided anew: customers whose day has come, the oldest deadline first, at most `limit`;
 * `total` counts all, `reminded` those whose day lies so many days ahead.
 */
export async function dueCustomers(
  db: Executor,
  place: RefreshPlace,
  limit: number,
  { by = place.today, remindDays = [] }: { by?: Day; remindDays?: readonly number[] } = {},
): Promise<{ due: DueCustomer[]; total: number; reminded: number }> {
  const source = await decidedRows(db, place)
  const at = source.params.length
  const { rows } = await db.query<{ due: DueCustomer[] | null; total: number; reminded: number }>(
    `with d as materialized (select * from (${source.sql}) as decided)
     select (select count(*) from d where "nextOn" <= $${at + 1}::date) as total,
       (select count(*) from d where "nextOn" = any($${at + 3}::date[])) as reminded,
       (select jsonb_agg(jsonb_build_object('id', o.id, 'code', o.code, 'name', o.name, 'ownerId', o.owner_id, 'recycleOn', o."nextOn", 'reason', o.reason,
            'owner', ${staffName('s')}) order by o."nextOn", o.owned_at, o.id)
          from (select d.*, c.code, c.name, c.owner_id, c.owned_at from d join crm_customer c on c.id = d.id
            where d."nextOn" <= $${at + 1}::date order by d."nextOn", c.owned_at, c.id limit $${at + 2}) o
          left join sys_staff s on s.id = o.owner_id) as due`,
    [...source.params, by, limit, daysAhead(place.today, remindDays)],
  )
  return { due: rows[0]?.due ?? [], total: Number(rows[0]?.total ?? 0), reminded: Number(rows[0]?.reminded ?? 0) }
}

const daysAhead = (today: Day, days: readonly number[]): Day[] =>
  [...new Set(days)].filter((one) => one > 0).map((one) => addDays(today, one))

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

/** Customers of whom the owner is to be reminded today, by the stored days. */
export async function remindersDue(db: Executor, today: Day, remindDays: readonly number[]): Promise<DueReminder[]> {
  const { rows } = await db.query<DueReminder>(
    `select id, recycle_on::text as "recycleOn", recycle_on - $1::date as days from crm_customer
     where holding = 'private' and deleted_at is null and recycle_on = any($2::date[]) order by id`,
    [today, daysAhead(today, remindDays)],
  )
  return rows.map((row) => ({ ...row, days: Number(row.days) }))
}

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

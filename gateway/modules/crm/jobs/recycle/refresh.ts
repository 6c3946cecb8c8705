import type { EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { addDays, type Day } from '../../rules/companyDay'
import { decideRecycling, NOTICE_DAYS } from '../../rules/recycling'
import { resolveRule } from '../../rules/resolve'
import { CRM_RULE_DEFAULTS } from '../../rules/ruleSets'
import { departmentsOf } from '../../services/rules'
import { deadlinesSql } from './deadlines'
import { factsFrom, leavesOf } from './facts'
import type { Holdings } from './holdings'
import { rulesByRow, type SeaBook } from './rulesByRow'

export interface RefreshPlace {
  today: Day
  timeZone: string
  holdings: Holdings
  book: SeaBook
}
/** The statement and its parameters; owners with leaves are decided by the function. */
export async function deadlinesStatement(
  db: Executor,
  { today, timeZone, holdings, book }: RefreshPlace,
): Promise<{ sql: string; params: readonly unknown[]; onLeave: readonly string[] }> {
  const rules = await rulesByRow(db, book)
  const onLeave = resolveRule(CRM_RULE_DEFAULTS['crm.sea'], book.set, [], {}).pauseOnLeave
    ? [...(await leavesOf(db, null)).keys()]
    : []
  return {
    sql: deadlinesSql(rules, holdings),
    params: [JSON.stringify(rules.rows), timeZone, today, onLeave, NOTICE_DAYS],
    onLeave,
  }
}

/**
 * Brings recycleOn of all private customers in line with the rule. A row whose day comes nearer gets at least three days'
 * notice. Answers how many changed.
 */
export async function refreshDeadlines(db: Executor, place: RefreshPlace): Promise<number> {
  const { sql, params, onLeave } = await deadlinesStatement(db, place)
  const { rowCount } = await db.query(
    `update crm_customer t set recycle_on = d."nextOn", recycle_not_before = case when d."nextOn" > d.decided then d."nextOn" else t.recycle_not_before end
     from (${sql}) d where d.id = t.id and d."nextOn" is distinct from d.old`,
    params,
  )
  return rowCount + (await refreshOf(db, place, onLeave))
}

/** Customers of people who were on leave, one by one. */
async function refreshOf(db: Executor, place: RefreshPlace, owners: readonly string[]): Promise<number> {
  const decided = await decideOf(db, place, owners)
  const changed = decided.filter(({ old, nextOn }) => old !== nextOn)
  if (changed.length === 0) return 0
  await db.query(
    `update crm_customer t set recycle_on = d.on, recycle_not_before = coalesce(d.notice, t.recycle_not_before)
     from jsonb_to_recordset($1::jsonb) as d(id text, "on" date, notice date) where d.id = t.id`,
    [
      JSON.stringify(
        changed.map(({ id, nextOn, decidedOn }) => ({
          id,
          on: nextOn,
          notice: nextOn && decidedOn && nextOn > decidedOn ? nextOn : null,
        })),
      ),
    ],
  )
  return changed.length
}

export interface Decided {
  id: string
  ownerId: string
  old: Day | null
  decidedOn: Day | null
  nextOn: Day | null
  reason: string | null
}

/** The same decision as the statement's, by the function, for the customers of some owners. */
export async function decideOf(db: Executor, place: RefreshPlace, owners: readonly string[]): Promise<Decided[]> {
  if (owners.length === 0) return []
  const { rows } = await db.query<EntityRecord & { held: boolean; late: boolean }>(
    `select c.id, c.owner_id as "ownerId", c.level, c.country_code as "countryCode", c.holding, c.stage, c.tags, c.owned_at as "ownedAt",
       c.last_follow_at as "lastFollowAt", c.first_deal_at as "firstDealAt", c.last_traffic_at as "lastTrafficAt", c.protect_until::text as "protectUntil",
       c.balance::text as balance, c.recycle_on::text as "recycleOn", c.recycle_not_before::text as "recycleNotBefore",
       h.customer_id is not null as held, l.customer_id is not null as late
     from crm_customer c
       left join (select distinct customer_id from (${place.holdings.heldSql}) as kept) h on h.customer_id = c.id
       left join (select distinct customer_id from (${place.holdings.lateSql}) as late) l on l.customer_id = c.id
     where c.holding = 'private' and c.deleted_at is null and c.owner_id = any($1::text[])`,
    [owners],
  )
  const [leaves, departments] = [await leavesOf(db, owners), await departmentsOf(db, owners)]
  return rows.map((row) => {
    const ownerId = String(row.ownerId)
    const rule = resolveRule(CRM_RULE_DEFAULTS['crm.sea'], place.book.set, place.book.overrides, {
      staffId: ownerId,
      deptIds: departments.get(ownerId) ?? [],
      level: String(row.level),
      countryCode: String(row.countryCode),
    })
    const facts = factsFrom(row, { held: row.held, lateOpportunity: row.late, leaves: leaves.get(ownerId) ?? [] })
    const decision = decideRecycling(facts, rule, place.timeZone)
    const free = decideRecycling({ ...facts, notBefore: null }, rule, place.timeZone)
    const old = typeof row.recycleOn === 'string' ? row.recycleOn : null
    return {
      id: String(row.id),
      ownerId,
      old,
      decidedOn: free.recycleOn,
      nextOn: withNotice(decision.recycleOn, free.recycleOn, old, place.today),
      reason: decision.reason,
    }
  })
}

/** A day that comes nearer is at least three days away, unless it was that near before. */
function withNotice(next: Day | null, free: Day | null, old: Day | null, today: Day): Day | null {
  if (next === null || free === null) return null
  if (old !== null && free >= old) return next
  const notice = addDays(today, NOTICE_DAYS)
  const floor = old !== null && old < notice ? old : notice
  return next > floor ? next : floor
}

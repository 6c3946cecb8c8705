import type { EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { stageOf, type TellProgress } from '../../../../platform/jobs'
import { addDays, type Day } from '../../rules/companyDay'
import { decideRecycling, NOTICE_DAYS } from '../../rules/recycling'
import { departmentsOf, paramsOf } from '../../../../rules'
import { batchesOf, inLanes } from '../inLanes'
import { deadlinesSql } from './deadlines'
import { factsFrom, leavesOf } from './facts'
import type { Holdings } from '../../services/holdings'
import { rulesByRow, type SeaBook } from './rulesByRow'

export interface RefreshPlace {
  today: Day
  timeZone: string
  holdings: Holdings
  book: SeaBook
}
/** The statement and its parameters; owners with leaves are decided by the function. `only` narrows it to some customers. */
export async function deadlinesStatement(
  db: Executor,
  { today, timeZone, holdings, book }: RefreshPlace,
  only?: readonly string[],
): Promise<{ sql: string; params: readonly unknown[]; onLeave: readonly string[] }> {
  const rules = await rulesByRow(db, book)
  const onLeave = paramsOf('crm.sea', book).pauseOnLeave ? [...(await leavesOf(db, null)).keys()] : []
  const params = [JSON.stringify(rules.rows), timeZone, today, onLeave, NOTICE_DAYS]
  return {
    sql: deadlinesSql(rules, holdings, only ? '$6::text[]' : undefined),
    params: only ? [...params, only] : params,
    onLeave,
  }
}

const STAGES = {
  deciding: { zh: '计算回收日', en: 'Computing recycling days' },
  renewing: { zh: '更新回收日', en: 'Renewing recycling days' },
}

interface Renewed {
  id: string
  old: Day | null
  next: Day | null
  notice: Day | null
}
/** Rows of one short transaction: users go on meanwhile. */
const BATCH = 5_000
/**
 * One row of so many is changed at a time, over the whole table, then the next. A new version of a row fits on its page when few rows of that page
 * are changed together, because the room of the ones before is free again once nobody reads them any more; a row that stays on its
 * page needs no new entry in any index.
 */
const APART = 16

/**
 * Brings recycleOn of all private customers in line with the rule, in short transactions. A row whose day comes nearer gets at
 * least three days' notice; one that changed meanwhile got its day with that change and is left. Answers how many changed.
 */
export async function refreshDeadlines(db: Executor, place: RefreshPlace, tell: TellProgress = () => undefined): Promise<number> {
  tell({ stage: STAGES.deciding, done: 0, total: 0 })
  const { sql, params, onLeave } = await deadlinesStatement(db, place)
  const { rows } = await db.query<Renewed>(
    `select id, old::text as old, "nextOn"::text as next, case when "nextOn" > decided then "nextOn"::text end as notice
     from (${sql}) d where "nextOn" is distinct from old order by place`,
    params,
  )
  const byHand = (await decideOf(db, place, onLeave)).filter(({ old, nextOn }) => old !== nextOn)
  for (const { id, old, nextOn, decidedOn } of byHand)
    rows.push({ id, old, next: nextOn, notice: nextOn && decidedOn && nextOn > decidedOn ? nextOn : null })
  const told = stageOf(tell, STAGES.renewing, rows.length)
  const changed = await inLanes(farApart(rows), async (some) => {
    const count = await renew(db, some)
    told(some.length)
    return count
  })
  return changed.reduce((sum, count) => sum + count, 0)
}

/** Batches without neighbours, as far from the batch with their neighbours as can be. */
const farApart = (rows: readonly Renewed[]): Renewed[][] =>
  Array.from({ length: APART }, (_, first) => rows.filter((_row, index) => index % APART === first)).flatMap((some) =>
    batchesOf(some, BATCH),
  )

async function renew(db: Executor, rows: readonly Renewed[]): Promise<number> {
  const of = <Key extends keyof Renewed>(key: Key): Renewed[Key][] => rows.map((row) => row[key])
  const { rowCount } = await db.query(
    `update crm_customer t set recycle_on = d.next, recycle_not_before = coalesce(d.notice, t.recycle_not_before)
     from unnest($1::text[], $2::date[], $3::date[], $4::date[]) as d(id, old, next, notice)
     where t.id = d.id and t.holding = 'private' and t.recycle_on is not distinct from d.old`,
    [of('id'), of('old'), of('next'), of('notice')],
  )
  return rowCount
}

export interface Decided {
  id: string
  ownerId: string
  old: Day | null
  decidedOn: Day | null
  nextOn: Day | null
  reason: string | null
}

/** The same decision as the statement's, by the function, for the customers of some owners, or for `only` some of these. */
export async function decideOf(
  db: Executor,
  place: RefreshPlace,
  owners: readonly string[],
  only: readonly string[] | null = null,
): Promise<Decided[]> {
  if (owners.length === 0) return []
  const { rows } = await db.query<EntityRecord & { held: boolean; late: boolean }>(
    `select c.id, c.owner_id as "ownerId", c.level, c.country_code as "countryCode", c.holding, c.stage, c.tags, c.owned_at as "ownedAt",
       c.last_follow_at as "lastFollowAt", c.first_deal_at as "firstDealAt", c.last_traffic_at as "lastTrafficAt", c.protect_until::text as "protectUntil",
       c.balance::text as balance, c.recycle_on::text as "recycleOn", c.recycle_not_before::text as "recycleNotBefore",
       h.customer_id is not null as held, l.customer_id is not null as late
     from crm_customer c
       left join (select distinct customer_id from (${place.holdings.heldSql}) as kept) h on h.customer_id = c.id
       left join (select distinct customer_id from (${place.holdings.lateSql}) as late) l on l.customer_id = c.id
     where c.holding = 'private' and c.deleted_at is null and c.owner_id = any($1::text[]) and ($2::text[] is null or c.id = any($2::text[]))`,
    [owners, only],
  )
  const [leaves, departments] = [await leavesOf(db, owners), await departmentsOf(db, owners)]
  return rows.map((row) => {
    const ownerId = String(row.ownerId)
    const rule = paramsOf('crm.sea', place.book, {
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

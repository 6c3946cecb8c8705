import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'
import { OPEN_STAGES } from '../../rules/opportunity'
import type { FunnelPeriod } from '../../rules/funnel'
import { passagesSql, stepsIn } from './passages'

export interface FunnelRow {
  stage: string
  entered: number
  passed: number
  lost: number
  stayed: number
  left: number
  /** Percent of the entered that passed, two decimals; null when nobody entered. */
  conversion: string | null
  medianDays: string | null
}
export interface OwnerRow {
  ownerId: string | null
  currency: string
  ownerCreated: number
  ownerWon: number
  ownerLost: number
  /** Percent of the closed that were won; null when nothing was closed. */
  winRate: string | null
  wonAmount: string
  ownerOpen: number
  openWeighted: string
}
export interface FunnelTotals {
  created: number
  won: number
  lostAll: number
  winRate: string | null
  open: number
}

/** `mine` selects `t` = the opportunities that the caller may see and asked for, from the engine's row scope. */
const chosen = (mine: SQL): SQL =>
  sql`with mine as materialized (select t.id, t.owner_id, t.currency, t.stage, t.amount, t.weighted, t.lose_reason ${mine})`

const PERCENT = (part: SQL, whole: SQL): SQL => sql`case when ${whole} > 0 then round(100.0 * ${part} / ${whole}, 2)::text end`

/** Figures by stage, by the log of the period. */
export async function funnelRows(db: Executor, mine: SQL, period: Partial<FunnelPeriod>): Promise<FunnelRow[]> {
  const { rows } = await db.query<FunnelRow>(sql`${chosen(mine)},
    passage as (select g.* from (${passagesSql(period)}) g where g.opportunity_id in (select id from mine)),
    leaving as (select l.from_stage as stage, l.opportunity_id, l.days_in_stage from crm_opportunity_stage_log l
                where ${stepsIn('l', period)} and l.opportunity_id in (select id from mine)),
    entering as (select stage, count(*)::int as entered, count(*) filter (where passed)::int as passed, count(*) filter (where lost)::int as lost
                 from passage group by 1),
    gone as (select stage, count(distinct opportunity_id)::int as left, percentile_cont(0.5) within group (order by days_in_stage) as median from leaving group by 1)
    select s.stage, coalesce(e.entered, 0) as entered, coalesce(e.passed, 0) as passed, coalesce(e.lost, 0) as lost,
      coalesce(e.entered - e.passed - e.lost, 0) as stayed, coalesce(g.left, 0) as "left",
      ${PERCENT(sql`e.passed`, sql`e.entered`)} as conversion, round(g.median::numeric, 1)::text as "medianDays"
    from unnest(${sql.param(OPEN_STAGES)}::text[]) with ordinality as s(stage, place)
      left join entering e on e.stage = s.stage left join gone g on g.stage = s.stage order by s.place`)
  return rows
}

/** Who came into the funnel, who was won and lost in the period, and what is open now: by owner and currency. */
export async function ownerRows(db: Executor, mine: SQL, period: Partial<FunnelPeriod>): Promise<OwnerRow[]> {
  const { rows } = await db.query<OwnerRow>(sql`${chosen(mine)}, ${HAPPENED(period)}
    select m.owner_id as "ownerId", m.currency, count(*) filter (where h.created)::int as "ownerCreated", count(*) filter (where h.won)::int as "ownerWon",
      count(*) filter (where h.lost)::int as "ownerLost",
      ${PERCENT(sql`count(*) filter (where h.won)`, sql`count(*) filter (where h.won or h.lost)`)} as "winRate",
      coalesce(sum(m.amount) filter (where h.won), 0)::text as "wonAmount",
      count(*) filter (where ${OPEN})::int as "ownerOpen",
      coalesce(sum(m.weighted) filter (where ${OPEN}), 0)::text as "openWeighted"
    from mine m left join happened h on h.opportunity_id = m.id
    where ${OPEN} or h.created or h.won or h.lost
    group by 1, 2 order by sum(m.weighted) filter (where ${OPEN}) desc nulls last, 1, 2`)
  return rows
}

/** The figures above the funnel. Counts only: money of several currencies is never added up. */
export async function funnelTotals(db: Executor, mine: SQL, period: Partial<FunnelPeriod>): Promise<FunnelTotals> {
  const { rows } = await db.query<FunnelTotals>(sql`${chosen(mine)}, ${HAPPENED(period)}
    select count(*) filter (where h.created)::int as created, count(*) filter (where h.won)::int as won, count(*) filter (where h.lost)::int as "lostAll",
      ${PERCENT(sql`count(*) filter (where h.won)`, sql`count(*) filter (where h.won or h.lost)`)} as "winRate",
      count(*) filter (where ${OPEN})::int as open
    from mine m left join happened h on h.opportunity_id = m.id`)
  return rows[0] ?? { created: 0, won: 0, lostAll: 0, winRate: null, open: 0 }
}

/** What is open now, by stage and currency: count, expected revenue, weighted. */
export async function pipelineRows(db: Executor, mine: SQL): Promise<object[]> {
  const { rows } = await db.query<Record<string, unknown>>(sql`${chosen(mine)}
    select m.stage, m.currency, count(*)::int as "openHere", coalesce(sum(m.amount), 0)::text as amount, coalesce(sum(m.weighted), 0)::text as weighted
    from mine m where ${OPEN} group by 1, 2 order by 1, 2`)
  return rows
}

/** Why opportunities of the period were lost. */
export async function reasonRows(db: Executor, mine: SQL, period: Partial<FunnelPeriod>): Promise<object[]> {
  const { rows } = await db.query<Record<string, unknown>>(sql`${chosen(mine)}, ${HAPPENED(period)}
    select m.lose_reason as reason, count(*)::int as "lostFor" from mine m join happened h on h.opportunity_id = m.id where h.lost
    group by 1 order by 2 desc, 1`)
  return rows
}

const OPEN = sql`m.stage = any(${sql.param(OPEN_STAGES)}::text[])`
const HAPPENED = (period: Partial<FunnelPeriod>): SQL =>
  sql`happened as (select l.opportunity_id, bool_or(l.from_stage is null) as created, bool_or(l.to_stage = 'won') as won, bool_or(l.to_stage = 'lost') as lost
      from crm_opportunity_stage_log l where ${stepsIn('l', period)} group by 1)`

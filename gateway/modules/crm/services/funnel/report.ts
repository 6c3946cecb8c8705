import { sql, type SQL } from 'drizzle-orm'
import { convertedSql } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { OPEN_STAGES } from '../../rules/opportunity'
import type { Day } from '../../rules/companyDay'
import { OWNER_THEN, passagesSql, stepsIn, type FunnelPeriod } from './passages'

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
  /** Null when a rate is missing; the same for the other amounts in USD. */
  wonUsd: string | null
  ownerOpen: number
  openWeighted: string
  openUsd: string | null
}
export interface FunnelTotals {
  created: number
  won: number
  lostAll: number
  winRate: string | null
  open: number
  wonTotalUsd: string | null
  openTotalUsd: string | null
}
/** What the figures are counted with. */
export interface FunnelDays {
  period: Partial<FunnelPeriod>
  timeZone: string
  /** Today in the company's zone. */
  day: Day
}

/** `mine` selects `t` = the opportunities that the caller may see and asked for, from the engine's row scope. */
const chosen = (mine: SQL): SQL =>
  sql`with mine as materialized (select t.id, t.owner_id, t.currency, t.stage, t.amount, t.weighted, t.lose_reason ${mine})`

/** An amount of a row (under an alias with its currency) in USD at the rates that performance is counted with; null without a rate. */
const usd = (alias: string, amount: SQL, day: SQL): SQL =>
  sql`round(${convertedSql({ amount, currency: sql`${sql.identifier(alias)}.currency`, day }, 'USD', 'performance')}, 2)`

const today = ({ day }: FunnelDays): SQL => sql`${day}::date`
const dayIn = (at: SQL, { timeZone }: FunnelDays): SQL => sql`(${at} at time zone ${timeZone})::date`
/** A sum of converted amounts, or null when one of them could not be converted. */
const whole = (converted: SQL, native: SQL): SQL =>
  sql`case when bool_or(${native} is not null and ${converted} is null) then null else coalesce(sum(${converted}), 0)::text end`

const PERCENT = (part: SQL, whole: SQL): SQL => sql`case when ${whole} > 0 then round(100.0 * ${part} / ${whole}, 2)::text end`

/** Figures by stage, by the log of the period. */
export async function funnelRows(db: Executor, mine: SQL, { period }: FunnelDays): Promise<FunnelRow[]> {
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
    from unnest(${sql.param(OPEN_STAGES)}::text[]) with ordinality as s(stage, position)
      left join entering e on e.stage = s.stage left join gone g on g.stage = s.stage order by s.position`)
  return rows
}

/**
 * Who came into the funnel, who was won and lost in the period, by the owner at the step; what is open now, by the owner now. Each
 * by currency, with USD beside it.
 */
export async function ownerRows(db: Executor, mine: SQL, days: FunnelDays): Promise<OwnerRow[]> {
  const { rows } = await db.query<OwnerRow>(sql`${chosen(mine)}, step as (
      select ${OWNER_THEN} as owner_id, o.id, o.currency, o.amount, bool_or(l.from_stage is null) as created, bool_or(l.to_stage = 'won') as won,
        bool_or(l.to_stage = 'lost') as lost, max(l.at) filter (where l.to_stage = 'won') as won_at
      from crm_opportunity_stage_log l join mine o on o.id = l.opportunity_id where ${stepsIn('l', days.period)} group by 1, 2, 3, 4),
    counted as (
      select s.owner_id, s.currency, s.created, s.won, s.lost, case when s.won then s.amount end as won_amount,
        case when s.won then ${usd('s', sql`s.amount`, dayIn(sql`s.won_at`, days))} end as won_usd, false as open, null::numeric as weighted, null::numeric as weighted_usd
      from step s where s.created or s.won or s.lost
      union all
      select m.owner_id, m.currency, false, false, false, null, null, true, m.weighted, ${usd('m', sql`m.weighted`, today(days))} from mine m where ${OPEN})
    select owner_id as "ownerId", currency, count(*) filter (where created)::int as "ownerCreated", count(*) filter (where won)::int as "ownerWon",
      count(*) filter (where lost)::int as "ownerLost",
      ${PERCENT(sql`count(*) filter (where won)`, sql`count(*) filter (where won or lost)`)} as "winRate",
      coalesce(sum(won_amount), 0)::text as "wonAmount", ${whole(sql`won_usd`, sql`won_amount`)} as "wonUsd",
      count(*) filter (where open)::int as "ownerOpen",
      coalesce(sum(weighted), 0)::text as "openWeighted", ${whole(sql`weighted_usd`, sql`weighted`)} as "openUsd"
    from counted group by 1, 2 order by sum(weighted_usd) desc nulls last, 1, 2`)
  return rows
}

/** The figures above the funnel. Amounts are in USD. */
export async function funnelTotals(db: Executor, mine: SQL, days: FunnelDays): Promise<FunnelTotals> {
  const { rows } = await db.query<FunnelTotals>(sql`${chosen(mine)}, ${HAPPENED(days.period)},
    valued as (select m.*, h.created, h.won, h.lost, ${OPEN} as open,
        case when h.won then m.amount end as won_amount, case when h.won then ${usd('m', sql`m.amount`, dayIn(sql`h.won_at`, days))} end as won_usd,
        case when ${OPEN} then m.weighted end as open_weighted, case when ${OPEN} then ${usd('m', sql`m.weighted`, today(days))} end as open_usd
      from mine m left join happened h on h.opportunity_id = m.id)
    select count(*) filter (where created)::int as created, count(*) filter (where won)::int as won, count(*) filter (where lost)::int as "lostAll",
      ${PERCENT(sql`count(*) filter (where won)`, sql`count(*) filter (where won or lost)`)} as "winRate",
      count(*) filter (where open)::int as open,
      ${whole(sql`won_usd`, sql`won_amount`)} as "wonTotalUsd", ${whole(sql`open_usd`, sql`open_weighted`)} as "openTotalUsd"
    from valued`)
  return rows[0] ?? { created: 0, won: 0, lostAll: 0, winRate: null, open: 0, wonTotalUsd: '0', openTotalUsd: '0' }
}

/** What is open now, by stage and currency: count, expected revenue, weighted; with USD beside them. */
export async function pipelineRows(db: Executor, mine: SQL, days: FunnelDays): Promise<object[]> {
  const { rows } = await db.query<Record<string, unknown>>(sql`${chosen(mine)},
    valued as (select m.*, ${usd('m', sql`m.amount`, today(days))} as amount_usd, ${usd('m', sql`m.weighted`, today(days))} as weighted_usd from mine m where ${OPEN})
    select stage, currency, count(*)::int as "openHere", coalesce(sum(amount), 0)::text as amount, coalesce(sum(weighted), 0)::text as weighted,
      ${whole(sql`amount_usd`, sql`amount`)} as "amountUsd", ${whole(sql`weighted_usd`, sql`weighted`)} as "weightedUsd"
    from valued group by 1, 2 order by 1, 2`)
  return rows
}

const OPEN = sql`m.stage = any(${sql.param(OPEN_STAGES)}::text[])`
const HAPPENED = (period: Partial<FunnelPeriod>): SQL =>
  sql`happened as (select l.opportunity_id, bool_or(l.from_stage is null) as created, bool_or(l.to_stage = 'won') as won, bool_or(l.to_stage = 'lost') as lost,
      max(l.at) filter (where l.to_stage = 'won') as won_at
      from crm_opportunity_stage_log l where ${stepsIn('l', period)} group by 1)`

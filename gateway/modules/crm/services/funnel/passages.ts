import { sql, type SQL } from 'drizzle-orm'
import { OPEN_STAGES, STAGE_ORDER } from '../../rules/opportunity'

/** Days from and to, both counted; instants of their edges: from <= at < to. */
export interface FunnelPeriod {
  from: string
  to: string
}

/** What can be asked about a stage: who began in it, who entered it, what became of them within the period; who left it. */
export const FUNNEL_FIGURES = ['created', 'entered', 'passed', 'lost', 'stayed', 'left'] as const
export type FunnelFigure = (typeof FUNNEL_FIGURES)[number]

const LOG = sql`crm_opportunity_stage_log`
const texts = (values: readonly string[]): SQL => sql`${sql.param(values)}::text[]`
const rank = (column: SQL): SQL => sql`array_position(${texts(STAGE_ORDER)}, ${column})`

/** Steps of the period, under an alias. */
export function stepsIn(alias: string, period: Partial<FunnelPeriod>): SQL {
  const at = sql`${sql.identifier(alias)}.at`
  return sql`${sql.identifier(alias)}.deleted_at is null${period.from === undefined ? sql`` : sql` and ${at} >= ${period.from}::timestamptz`}${period.to === undefined ? sql`` : sql` and ${at} < ${period.to}::timestamptz`}`
}

/**
 * One row an opportunity and open stage that it entered within the period: `opportunity_id, stage, passed, lost`. The same
 * statement counts the funnel and finds the rows behind a number (tests/support/funnel.ts says it in words).
 */
export function passagesSql(period: Partial<FunnelPeriod>): SQL {
  return sql`select e.opportunity_id, e.stage, coalesce(f.passed, false) as passed, coalesce(f.lost, false) and not coalesce(f.passed, false) as lost
    from (select l.opportunity_id, l.to_stage as stage, min(l.at) as at from ${LOG} l
          where l.to_stage = any(${texts(OPEN_STAGES)}) and ${stepsIn('l', period)} group by 1, 2) e
    left join lateral (select bool_or(${rank(sql`p.to_stage`)} > ${rank(sql`e.stage`)}) as passed, bool_or(p.to_stage = 'lost') as lost
          from ${LOG} p where p.opportunity_id = e.opportunity_id and p.at >= e.at and ${stepsIn('p', period)}) f on true`
}

/** Who had the opportunity (`o`) at a step (`l`); steps of old times do not say it. */
export const OWNER_THEN = sql`coalesce(l.owner_id, o.owner_id)`

/** Ids of the opportunities behind one number of the funnel; with an owner, of those that were his at the step. */
export function behindSql(
  figure: FunnelFigure,
  stage: string,
  period: Partial<FunnelPeriod>,
  owner: string | null | undefined,
): SQL {
  if (figure === 'created' || figure === 'entered') {
    const created = figure === 'created' ? sql` and l.from_stage is null` : sql``
    const his = owner === undefined ? sql`` : sql` and ${OWNER_THEN} is not distinct from ${owner}::text`
    return sql`select l.opportunity_id from ${LOG} l join crm_opportunity o on o.id = l.opportunity_id where l.to_stage = ${stage}${created}${his} and ${stepsIn('l', period)}`
  }
  if (figure === 'left')
    return sql`select l.opportunity_id from ${LOG} l where l.from_stage = ${stage} and ${stepsIn('l', period)}`
  const wanted = { passed: sql`g.passed`, lost: sql`g.lost`, stayed: sql`not g.passed and not g.lost` }[figure]
  return sql`select g.opportunity_id from (${passagesSql(period)}) g where g.stage = ${stage} and ${wanted}`
}

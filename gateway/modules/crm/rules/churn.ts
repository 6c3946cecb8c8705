import { Exact } from '../../../../src/schema/formats'
import { addDays, daysBetween, type Day } from './companyDay'
import type { RuleTypes } from '../../../rules'

export type ChurnStep = 'warning' | 'silent' | 'churned' | 'wonBack'
/** One product of one customer (or all together), as it stands today. */
export interface ChurnFacts {
  /** Revenue of full months, USD, the oldest first; months before the first revenue are not in it. */
  months: readonly string[]
  /** Revenue of the last thirty days. */
  last30: string
  /** The last day with traffic; null = never. */
  lastTraffic: Day | null
  /** The latest record, unless it ended by a recovery. */
  latest: { step: ChurnStep; baseline: string; on: Day } | null
}
export interface ChurnDecision {
  step: ChurnStep
  baseline: string
  /** Percent, two decimals. */
  drop: string
}

const LOOK_BACK = 6
const BEST = 3

/** Average of the best three of the last six full months (CRM rule 9.10). */
export function baselineOf(months: readonly string[]): Exact {
  const best = months
    .slice(-LOOK_BACK)
    .map((month) => new Exact(month))
    .sort((a, b) => b.comparedTo(a))
    .slice(0, BEST)
  return best.length === 0 ? new Exact(0) : best.reduce((sum, month) => sum.plus(month)).dividedBy(best.length)
}

/** Percent that the last thirty days are below the baseline; 0 without a baseline, negative when they are above. */
export function dropOf(baseline: Exact, last30: string): Exact {
  return baseline.lte(0) ? new Exact(0) : new Exact(1).minus(new Exact(last30).dividedBy(baseline)).times(100).toDecimalPlaces(2)
}

/** The step that has to be told today, or null. Each step is told once until another follows. */
export function decideChurn(facts: ChurnFacts, rules: RuleTypes['crm.churn'], today: Day): ChurnDecision | null {
  const baseline = baselineOf(facts.months)
  const drop = dropOf(baseline, facts.last30)
  const tell = (step: ChurnStep, from: Exact = baseline): ChurnDecision => ({
    step,
    baseline: from.toFixed(2),
    drop: dropOf(from, facts.last30).toFixed(2),
  })
  const latest = facts.latest?.step ?? null
  if (facts.lastTraffic === null) return null
  const idle = daysBetween(facts.lastTraffic, today)
  const gone = latest === 'silent' || latest === 'churned'
  if (idle > rules.churnDays) return latest === 'churned' ? null : big(facts, baseline, rules) ? tell('churned') : null
  if (idle > rules.silentDays) return gone ? null : big(facts, baseline, rules) ? tell('silent') : null
  if (gone && facts.latest) {
    const before = new Exact(facts.latest.baseline)
    return new Exact(facts.last30).gte(before.times(rules.wonBackShare).dividedBy(100)) ? tell('wonBack', before) : null
  }
  const grown = facts.months.length >= BEST
  const falls = grown && baseline.gte(rules.minBaseline) && drop.gte(rules.warnDrop)
  return falls && latest !== 'warning' ? tell('warning') : null
}

const big = (facts: ChurnFacts, baseline: Exact, rules: RuleTypes['crm.churn']): boolean =>
  baseline.gte(rules.minBaseline) || new Exact(facts.latest?.baseline ?? 0).gte(rules.minBaseline)

/** True when a warning is over: the last thirty days are back above the line. */
export function hasRecovered(facts: ChurnFacts, rules: RuleTypes['crm.churn']): boolean {
  return facts.latest?.step === 'warning' && dropOf(baselineOf(facts.months), facts.last30).lt(rules.warnDrop)
}

/** Where idle days put a customer that has dealt: `dealt`, `silent` or `churned`. */
export function stageByTraffic(
  lastTraffic: Day | null,
  rules: RuleTypes['crm.churn'],
  today: Day,
): 'dealt' | 'silent' | 'churned' {
  const idle = lastTraffic === null ? Infinity : daysBetween(lastTraffic, today)
  return idle > rules.churnDays ? 'churned' : idle > rules.silentDays ? 'silent' : 'dealt'
}

/** Revenue of the last thirty days from monthly figures: this month so far, and of the month before the days that are missing. */
export function lastThirtyDays(thisMonth: string, monthBefore: string, today: Day): Exact {
  const day = Number(today.slice(8))
  const before = Number(addDays(`${today.slice(0, 7)}-01`, -1).slice(8))
  const missing = Math.max(0, 30 - day)
  return new Exact(thisMonth).plus(new Exact(monthBefore).times(missing).dividedBy(before)).toDecimalPlaces(2)
}

import { Decimal } from 'decimal.js'
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
export function baselineOf(months: readonly string[]): Decimal {
  const best = months
    .slice(-LOOK_BACK)
    .map((month) => new Decimal(month))
    .sort((a, b) => b.comparedTo(a))
    .slice(0, BEST)
  return best.length === 0 ? new Decimal(0) : Decimal.sum(...best).div(best.length)
}

/** Percent that the last thirty days are below the baseline; 0 without a baseline, negative when they are above. */
export function dropOf(baseline: Decimal, last30: string): Decimal {
  return baseline.lte(0) ? new Decimal(0) : new Decimal(1).minus(new Decimal(last30).div(baseline)).times(100).toDecimalPlaces(2)
}

/** The step that has to be told today, or null. Each step is told once until another follows. */
export function decideChurn(facts: ChurnFacts, rules: RuleTypes['crm.churn'], today: Day): ChurnDecision | null {
  const baseline = baselineOf(facts.months)
  const drop = dropOf(baseline, facts.last30)
  const tell = (step: ChurnStep, from: Decimal = baseline): ChurnDecision => ({
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
    const before = new Decimal(facts.latest.baseline)
    return new Decimal(facts.last30).gte(before.times(rules.wonBackShare).div(100)) ? tell('wonBack', before) : null
  }
  const grown = facts.months.length >= BEST
  const falls = grown && baseline.gte(rules.minBaseline) && drop.gte(rules.warnDrop)
  return falls && latest !== 'warning' ? tell('warning') : null
}

const big = (facts: ChurnFacts, baseline: Decimal, rules: RuleTypes['crm.churn']): boolean =>
  baseline.gte(rules.minBaseline) || new Decimal(facts.latest?.baseline ?? 0).gte(rules.minBaseline)

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
export function lastThirtyDays(thisMonth: string, monthBefore: string, today: Day): Decimal {
  const day = Number(today.slice(8))
  const before = Number(addDays(`${today.slice(0, 7)}-01`, -1).slice(8))
  const missing = Math.max(0, 30 - day)
  return new Decimal(thisMonth).plus(new Decimal(monthBefore).times(missing).div(before)).toDecimalPlaces(2)
}

import { Exact } from '../../../../src/schema/formats'
import { addDays, daysBetween, type Day } from './companyDay'
import { bandOf, levelInputs, levelPoints, type LevelInputs } from './levels'
import { monthStart, type MonthFigure } from './months'
import type { RuleTypes } from '../../../rules'

export interface Threshold {
  id: 'revenue' | 'margin' | 'overdue' | 'points' | 'profit12m'
  needed: number
  actual: number
  met: boolean
}

export interface ClassAFigures {
  /** USD of the last 90 days. Months are counted by the days of theirs that lie inside. */
  revenue90: string
  profit90: string
  /** Percent over the last three full months, two decimals. */
  margin: string
  /** CNY of the last twelve full months, at the rate of the rule. */
  profit12m: string
  /** Bills of the last three full months that were paid late. */
  overdueCount: number
  points: number
  candidate: boolean
  thresholds: Threshold[]
}

export interface ClassARules {
  classA: RuleTypes['crm.classA']
  level: RuleTypes['crm.level']
}

const WINDOW = 90

/** The level that figures give by themselves: A is granted, never computed (CRM rule 9.9). */
export function computedLevel(months: readonly MonthFigure[], today: Day, rules: RuleTypes['crm.level']): 'b' | 'c' | 'd' {
  const band = bandOf(levelPoints(levelInputs(months, today), rules).total, rules)
  return band === 'a' ? 'b' : band
}

/**
 * The snapshot of an application with each threshold, met or not (CRM section 3, approvals guide 8.12), from the monthly figures
 * of the customer; nothing is projected. Points are those of the monthly level (CRM rule 9.9). Pure.
 */
export function classAFigures(months: readonly MonthFigure[], today: Day, rules: ClassARules): ClassAFigures {
  const inputs: LevelInputs = levelInputs(months, today)
  const points = levelPoints(inputs, rules.level).total
  const profit12m = months
    .filter(({ month }) => month >= monthStart(today, 12) && month < monthStart(today))
    .reduce((sum, { profit }) => sum.plus(profit), new Exact(0))
    .times(rules.classA.cnyPerUsd)
  const margin = new Exact(inputs.margin ?? 0)
  const threshold = (id: Threshold['id'], needed: number, figure: number | string): Threshold => {
    const actual = new Exact(figure)
    return {
      id,
      needed,
      actual: actual.toDecimalPlaces(2).toNumber(),
      met: id === 'overdue' ? actual.lte(needed) : actual.gte(needed),
    }
  }
  const { revenue, margin: margins } = rules.level
  const most = (steps: readonly { from: number }[]): number => Math.max(0, ...steps.map(({ from }) => from))
  return {
    revenue90: revenueOf90Days(months, today),
    profit90: within(months, today, 'profit').toFixed(2),
    margin: margin.toFixed(2),
    profit12m: profit12m.toFixed(2),
    overdueCount: months.filter(
      ({ month, overdueDays }) => overdueDays > 0 && month >= monthStart(today, 3) && month < monthStart(today),
    ).length,
    points,
    candidate: points >= rules.classA.candidatePoints || profit12m.gte(rules.classA.minProfit12m),
    thresholds: [
      threshold('revenue', most(revenue), inputs.revenue),
      threshold('margin', most(margins), margin.toString()),
      threshold('overdue', 0, inputs.overdueDays),
      threshold('points', rules.classA.candidatePoints, points),
      threshold('profit12m', rules.classA.minProfit12m, profit12m.toString()),
    ],
  }
}

/** USD of the last 90 days, two decimals. */
export const revenueOf90Days = (months: readonly MonthFigure[], today: Day): string => within(months, today, 'revenue').toFixed(2)

/** Sum of the last 90 days up to today; the month in which they begin counts by its days, this month as far as it is. */
function within(months: readonly MonthFigure[], today: Day, field: 'revenue' | 'profit'): Exact {
  const from = addDays(today, 1 - WINDOW)
  return months.reduce((sum, row) => {
    const next = monthStart(addDays(row.month, 31))
    if (next <= from || row.month > today) return sum
    const share = row.month >= from ? new Exact(1) : new Exact(daysBetween(from, next)).dividedBy(daysBetween(row.month, next))
    return sum.plus(new Exact(row[field]).times(share))
  }, new Exact(0))
}

import type { CrmRules } from './ruleSets'

/** What a customer brings in, in the currencies of the rule (CRM rule 9.9). */
export interface ClassAFacts {
  /** USD in the last 30 days. */
  revenue30: number
  profit30: number
  /** Days of the worst overdue bill; 0 = none. */
  overdueDays: number
}

export interface Threshold {
  id: 'revenue' | 'margin' | 'overdue' | 'points' | 'profit12m'
  needed: number
  actual: number
  met: boolean
}

export interface ClassAFigures {
  revenue90: string
  profit90: string
  /** Percent, two decimals. */
  margin: string
  /** CNY. */
  profit12m: string
  points: number
  candidate: boolean
  thresholds: Threshold[]
}

const first = (value: number, steps: readonly (readonly [number, number])[]): number =>
  steps.find(([from]) => value >= from)?.[1] ?? 0

/** Points for the level: revenue a month up to 50, margin up to 30, paying in time up to 20. Pure. */
export function levelPoints({ revenue30, profit30, overdueDays }: ClassAFacts): number {
  const margin = revenue30 > 0 ? (profit30 / revenue30) * 100 : 0
  const revenue = revenue30 <= 0 ? 0 : first(revenue30, [[50_000, 50], [10_000, 35], [2_000, 20], [0, 10]]) // prettier-ignore
  const paying = overdueDays <= 0 ? 20 : overdueDays <= 10 ? 10 : 0
  return revenue + first(margin, [[15, 30], [8, 20], [3, 10]]) + paying // prettier-ignore
}

/** The level that the points give by themselves: A is granted, never computed (CRM rule 9.9). */
export const levelOf = (points: number): 'b' | 'c' | 'd' => (points >= 70 ? 'b' : points >= 40 ? 'c' : 'd')

/** The snapshot of an application with each threshold, met or not (CRM section 3, approvals guide 8.12). Pure. */
export function classAFigures(facts: ClassAFacts, rules: CrmRules['crm.classA']): ClassAFigures {
  const { revenue30, profit30, overdueDays } = facts
  const margin = revenue30 > 0 ? (profit30 / revenue30) * 100 : 0
  const profit12m = profit30 * 12 * rules.cnyPerUsd
  const points = levelPoints(facts)
  const threshold = (id: Threshold['id'], needed: number, actual: number): Threshold => ({
    id,
    needed,
    actual: Math.round(actual * 100) / 100,
    met: id === 'overdue' ? actual <= needed : actual >= needed,
  })
  return {
    revenue90: (revenue30 * 3).toFixed(2),
    profit90: (profit30 * 3).toFixed(2),
    margin: margin.toFixed(2),
    profit12m: profit12m.toFixed(2),
    points,
    candidate: points >= rules.candidatePoints || profit12m >= rules.minProfit12m,
    thresholds: [
      threshold('revenue', 50_000, revenue30),
      threshold('margin', 15, margin),
      threshold('overdue', 0, overdueDays),
      threshold('points', rules.candidatePoints, points),
      threshold('profit12m', rules.minProfit12m, profit12m),
    ],
  }
}

import { Exact } from '../../../../src/schema/formats'
import type { Day } from './companyDay'
import { monthStart, type MonthFigure } from './months'
import type { RuleTypes } from '../../../rules'

export type Level = 'a' | 'b' | 'c' | 'd'
/** Figures of the last three full months. */
export interface LevelInputs {
  /** USD a month on average, a decimal text. */
  revenue: string
  /** Profit over revenue in percent; null without revenue. */
  margin: string | null
  /** The most days that a bill was overdue. */
  overdueDays: number
}
/** Inputs of the level from monthly figures: the three full months before the month of a day. */
export function levelInputs(months: readonly MonthFigure[], day: Day): LevelInputs {
  const full = months.filter(({ month }) => month >= monthStart(day, 3) && month < monthStart(day))
  const sum = (field: 'revenue' | 'profit'): Exact => full.reduce((all, row) => all.plus(row[field]), new Exact(0))
  const revenue = sum('revenue')
  return {
    revenue: revenue.dividedBy(3).toFixed(2),
    margin: revenue.gt(0) ? sum('profit').dividedBy(revenue).times(100).toFixed(2) : null,
    overdueDays: Math.max(0, ...full.map((row) => row.overdueDays)),
  }
}

export interface LevelPoints {
  revenue: number
  margin: number
  overdue: number
  total: number
}
const RANK: readonly Level[] = ['d', 'c', 'b', 'a']
/** True when the first level is lower than the second. */
export const isLower = (a: Level, b: Level): boolean => RANK.indexOf(a) < RANK.indexOf(b)

/** Points of a customer (CRM rule 9.9): revenue, margin, punctual payment. */
export function levelPoints(inputs: LevelInputs, rules: RuleTypes['crm.level']): LevelPoints {
  const step = (steps: readonly { from: number; points: number }[], value: Exact | null): number =>
    value === null ? 0 : steps.reduce((best, { from, points }) => (value.gte(from) && points > best ? points : best), 0)
  const earned = new Exact(inputs.revenue)
  const revenue = step(rules.revenue, earned)
  const margin = step(rules.margin, inputs.margin === null ? null : new Exact(inputs.margin))
  // who owes nothing because he bought nothing earns nothing for it
  const overdue = earned.lte(0)
    ? 0
    : inputs.overdueDays === 0
      ? rules.noOverdue
      : inputs.overdueDays <= rules.shortOverdueDays
        ? rules.shortOverdue
        : 0
  return { revenue, margin, overdue, total: revenue + margin + overdue }
}

/** The band that points fall into; `a` means candidate. */
export function bandOf(points: number, { bands }: Pick<RuleTypes['crm.level'], 'bands'>): Level {
  if (points >= bands.a) return 'a'
  if (points >= bands.b) return 'b'
  return points >= bands.c ? 'c' : 'd'
}

export interface LevelState {
  level: Level
  /** Class A is granted and has not ended. */
  classA: boolean
  /** A manager fixed the level. */
  locked: boolean
  /** Computed levels of the months before, the latest first. */
  before: readonly Level[]
  /** Points of the month before, for the watch over class A. */
  pointsBefore: number | null
}
export interface LevelDecision {
  computed: Level
  to: Level
  /** The owner should apply for class A. */
  hint: boolean
  /** The leader should look after a class A customer. */
  watch: boolean
}

/** The level after this month's computation: up at once, down after `downMonths` lower results in a row, A by approval only. */
export function decideLevel(points: number, state: LevelState, rules: RuleTypes['crm.level']): LevelDecision {
  const computed = bandOf(points, rules)
  if (state.classA) {
    const watch = points < rules.watchBelow && state.pointsBefore !== null && state.pointsBefore < rules.watchBelow
    return { computed, to: 'a', hint: false, watch }
  }
  const hint = computed === 'a'
  const wanted: Level = computed === 'a' ? 'b' : computed
  const quiet = { computed, hint, watch: false }
  if (state.locked) return { ...quiet, to: state.level }
  // without its grant a class A customer has the level that it earns
  if (state.level === 'a' || isLower(state.level, wanted)) return { ...quiet, to: wanted }
  if (wanted === state.level) return { ...quiet, to: wanted }
  const lower = [computed, ...state.before].slice(0, rules.downMonths)
  const falls = lower.length >= rules.downMonths && lower.every((one) => isLower(one === 'a' ? 'b' : one, state.level))
  return { ...quiet, to: falls ? wanted : state.level }
}

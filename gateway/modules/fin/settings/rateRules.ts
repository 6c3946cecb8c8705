import { Exact, exactText } from '../../../../src/schema/formats'

/** Decimals of a rate as it is stored. */
const RATE = 8

/** By how many percent a rate moved since the one before; four decimals, half up. Source: money 10, `maxJumpPct`. */
export const jumpOf = (rate: string, before: string): string =>
  exactText(new Exact(rate).dividedBy(before).minus(1).abs().times(100).toDecimalPlaces(4))

/** Whether a rate waits for a review: it moved by more than the limit. */
export const heldBy = (jumpPct: string, maxJumpPct: number): boolean => new Exact(jumpPct).gt(String(maxJumpPct))

/** The arithmetic mean of the rates of each day of a month, a day without one taking the last before it; eight decimals, half up (money 10, `arithmetic`). */
export function averageOf(days: readonly string[], rates: readonly { date: string; rate: string }[]): string | undefined {
  const known = [...rates].sort((a, b) => a.date.localeCompare(b.date))
  const ofDays = days.flatMap((day) => known.findLast(({ date }) => date <= day)?.rate ?? [])
  if (ofDays.length === 0) return undefined
  const sum = ofDays.reduce((all, rate) => all.plus(rate), new Exact(0))
  return exactText(sum.dividedBy(ofDays.length).toDecimalPlaces(RATE))
}

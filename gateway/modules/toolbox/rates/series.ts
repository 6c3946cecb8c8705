import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays, type Day } from '../../../platform/calendar'

/** A rate as it is stored: what one unit of `base` is worth in `quote`. */
export interface StoredRate {
  kind: string
  base: string
  quote: string
  date: string
  rate: string
  source: string | null
  /** When it was written down. */
  at: string
}

/** A rate between two currencies, with the rates that it was made of. */
export interface FoundRate {
  rate: string
  legs: readonly StoredRate[]
}

/** The currency that others are given in: two others are converted across it. */
export const MIDDLE = 'CNY'
const DIGITS = 8

/** Which rate of a kind holds on a day: the last one up to it, or only that of the day itself. */
function rateOf(
  rates: readonly StoredRate[],
  kind: string,
  base: string,
  quote: string,
  day: Day,
  exactly: boolean,
): StoredRate | undefined {
  return rates
    .filter(
      (one) => one.kind === kind && one.base === base && one.quote === quote && (exactly ? one.date === day : one.date <= day),
    )
    .reduce<StoredRate | undefined>((last, one) => (!last || one.date > last.date ? one : last), undefined)
}

/**
 * What one unit of a currency is worth in another, eight decimals, half up: by a rate of the pair itself, else across CNY. `exactly` takes
 * rates of that day only (those of a month stand on its first day). Undefined where no rate says so: a rate is never taken for 1.
 */
export function rateBetween(
  rates: readonly StoredRate[],
  pair: { from: string; to: string },
  { kind, day, exactly = false }: { kind: string; day: Day; exactly?: boolean },
): FoundRate | undefined {
  const { from, to } = pair
  const direct = rateOf(rates, kind, from, to, day, exactly)
  if (direct) return { rate: exactText(new Exact(direct.rate).toDecimalPlaces(DIGITS)), legs: [direct] }
  const first = from === MIDDLE ? null : rateOf(rates, kind, from, MIDDLE, day, exactly)
  const second = to === MIDDLE ? null : rateOf(rates, kind, to, MIDDLE, day, exactly)
  if (first === undefined || second === undefined) return undefined
  const rate = new Exact(first?.rate ?? 1).dividedBy(second?.rate ?? 1).toDecimalPlaces(DIGITS)
  return { rate: exactText(rate), legs: [first, second].filter((leg) => leg !== null) }
}

/** The daily rates of the days up to one, those without any left out. */
export function lineOf(
  rates: readonly StoredRate[],
  pair: { from: string; to: string },
  { kind, day, days }: { kind: string; day: Day; days: number },
): { day: Day; rate: string }[] {
  return Array.from({ length: days }, (_, index) => addDays(day, index - days + 1)).flatMap((one) => {
    const found = rateBetween(rates, pair, { kind, day: one })
    return found ? [{ day: one, rate: found.rate }] : []
  })
}

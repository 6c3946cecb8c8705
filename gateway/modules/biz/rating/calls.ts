import { Exact, exactText } from '../../../../src/schema/formats'
import type { RateTerms } from './rates'

/** Decimals of the amount of a call. */
const SCALE = 6
/** In what steps the bot's part of an AI call is counted. */
const AI_STEPS = { incFirst: 60, incNext: 60 }

export interface CallCharge {
  /** Seconds that are charged, of the line. */
  billSec: number
  amount: string
}

/** Seconds of a call that began. */
export const secondsOf = (durationMs: number): number => Math.ceil(durationMs / 1000)

/** Seconds that are charged (quotes-traffic 5.5): a first step, then further ones that have begun; none up to the free seconds. */
export function billSecOf(durationMs: number, { incFirst = 1, incNext = 1, graceSec = 0 }: RateTerms): number {
  const seconds = secondsOf(durationMs)
  if (seconds <= graceSec) return 0
  return incFirst + Math.ceil(Math.max(0, seconds - incFirst) / incNext) * incNext
}

const minutes = (price: string, seconds: number): Exact => new Exact(price).times(seconds).dividedBy(60).toDecimalPlaces(SCALE)

/**
 * What a call costs: rounded half up once for each of its parts, never on sums. A rate by the call takes its price for an answered one.
 * @param durationMs 0 when it was not answered
 */
export function callChargeOf(durationMs: number, rate: RateTerms & { price: string }): CallCharge {
  const billSec = billSecOf(durationMs, rate)
  if (billSec === 0) return { billSec: 0, amount: '0' }
  if (rate.unit === 'call' || rate.unit === 'verified') return { billSec, amount: exactText(new Exact(rate.price)) }
  return { billSec, amount: exactText(minutes(rate.price, billSec).plus(rate.setupFee ?? '0')) }
}

/** What an AI call costs: the line as any call, and the bot by the minute; set-up and month are fees of the service, not of the call. */
export function aiCallChargeOf(durationMs: number, rate: RateTerms & { price: string }): CallCharge {
  const line = callChargeOf(durationMs, { ...rate, setupFee: '0' })
  if (line.billSec === 0) return line
  const bot = minutes(rate.aiPrice ?? '0', billSecOf(durationMs, AI_STEPS))
  return { billSec: line.billSec, amount: exactText(bot.plus(line.amount)) }
}

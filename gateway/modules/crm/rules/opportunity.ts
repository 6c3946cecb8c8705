import { currencyDigits, Exact, toExact } from '../../../../src/schema/formats'
import { addDays, dayOf, daysBetween } from './companyDay'

/** Stages in which an opportunity is worked on, in order. */
export const OPEN_STAGES = ['s1', 's2', 's3', 's4', 's5'] as const
/** Every stage that can be reached going forward, in order; `lost` is beside them. */
export const STAGE_ORDER = [...OPEN_STAGES, 'won'] as const

/** Chance of winning in percent by stage; the attributes of the dictionary boStage say the same. */
export const STAGE_WIN_RATE: Readonly<Record<string, number>> = { s1: 10, s2: 25, s3: 50, s4: 70, s5: 85, won: 100, lost: 0 }

/** Days without a change of stage or an effective follow-up after which an open opportunity is stale. */
export const STALE_DAYS = 14

export function isOpenStage(stage: unknown): boolean {
  return OPEN_STAGES.some((open) => open === stage)
}

/**
 * Expected monthly revenue (volume x price) and its weighted part (x win rate), each rounded half up to the decimals of the
 * currency; null where a part is missing.
 */
export function amountsOf(opportunity: { monthlyVolume: unknown; expectedPrice: unknown; winRate: unknown; currency: unknown }): {
  amount: string | null
  weighted: string | null
} {
  const digits = currencyDigits(String(opportunity.currency))
  const [volume, price, rate] = [opportunity.monthlyVolume, opportunity.expectedPrice, opportunity.winRate].map(toExact)
  if (!volume || !price) return { amount: null, weighted: null }
  const rounded = (value: Exact): Exact => value.toDecimalPlaces(digits, Exact.ROUND_HALF_UP)
  const amount = rounded(volume.times(price))
  return {
    amount: amount.toFixed(digits),
    weighted: rate ? rounded(amount.times(rate).dividedBy(100)).toFixed(digits) : null,
  }
}

/** Calendar days in the company's zone between entering a stage and leaving it. */
export function daysInStage(since: Date | string, until: Date | string, timeZone: string): number {
  return daysBetween(dayOf(since, timeZone), dayOf(until, timeZone))
}

/** The last day on which the opportunity still counts as moving: "14 days without" ends at 24:00 of day last + 14. */
export function staleAfter(touchedAt: Date | string, timeZone: string): string {
  return addDays(dayOf(touchedAt, timeZone), STALE_DAYS)
}

/** Kind of account that a product of an opportunity runs on; null: any account will do. */
export function accountProductOf(product: string): string | null {
  const kinds: Readonly<Record<string, string>> = { aiVoice: 'voice', otpSms: 'otp', otpVoice: 'otp' }
  return product === 'mail' ? null : (kinds[product] ?? product)
}

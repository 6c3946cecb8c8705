import Decimal from 'decimal.js'
import { daysInMonth } from './calendar'
import type { BillingMode, Day, Rate, SmsState } from './model'

const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const GSM_EXTENSION = '^€{}[]~|\\\f'

/** quotes-traffic 5.3: parts of a text; a pair is never split over two parts. */
export function segments(text: string): number {
  const characters = [...text]
  const gsm = characters.every((one) => GSM.includes(one) || GSM_EXTENSION.includes(one))
  const widths = characters.map((one) => (gsm ? (GSM_EXTENSION.includes(one) ? 2 : 1) : one.length))
  const length = widths.reduce((sum, width) => sum + width, 0)
  if (length <= (gsm ? 160 : 70)) return 1
  const part = gsm ? 153 : 67
  let parts = 1
  let used = 0
  for (const width of widths) {
    if (used + width > part) {
      parts += 1
      used = 0
    }
    used += width
  }
  return parts
}

/** quotes-traffic 5.4: whether a message, or a try of it, is charged. */
export function billable(mode: BillingMode, state: SmsState, sent: boolean): boolean {
  if (state === 'rejected') return false
  if (mode === 'submit') return true
  if (mode === 'sent') return sent
  if (mode === 'delivered') return state === 'delivered'
  if (mode === 'deliveredUnknown') return state === 'delivered' || (state === 'unknown' && sent)
  return false
}

/** quotes-traffic 5.5: seconds that are charged. */
export function billedSeconds(ms: number, [first, next, free]: [number, number, number]): number {
  const seconds = Math.ceil(ms / 1000)
  if (seconds === 0 || seconds <= free) return 0
  return first + Math.ceil(Math.max(0, seconds - first) / next) * next
}

/** quotes-traffic 5.5: what a call costs, rounded once to six decimals, half up; nothing when nobody answered. */
export function callAmount(price: string, seconds: number, setupFee = '0'): Decimal {
  if (seconds === 0) return new Decimal(0)
  return round(new Decimal(price).times(seconds).div(60), 6).plus(setupFee)
}

/** quotes-traffic 5.6: the fee of the month in which a number is activated. */
export function firstMonthFee(mrc: string, activated: Day): Decimal {
  const days = daysInMonth(activated)
  return round(new Decimal(mrc).times(days - Number(activated.slice(8)) + 1).div(days), 4)
}

/** quotes-traffic 5.6: what a release gives back where releases give something back. */
export function releaseRefund(mrc: string, released: Day): Decimal {
  const days = daysInMonth(released)
  return round(new Decimal(mrc).times(days - Number(released.slice(8))).div(days), 4)
}

/** money 0: half up, away from zero. */
export function round(amount: Decimal, decimals: number): Decimal {
  return amount.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP)
}

export interface Asked {
  party: string
  route?: string
  product: Rate['product']
  at: number
  country?: string
  network?: string
  /** Digits of a called number. */
  callee?: string
  category?: string
}

/**
 * The row that rates something (quotes-traffic 5.2), null when there is none: of the route if it has one, else of the account without a
 * route, never of another route; the network before the country, the longest prefix; of several the one that began last.
 */
export function rateOf(rates: Rate[], asked: Asked): Rate | null {
  const live = rates.filter(
    (rate) =>
      rate.party === asked.party && rate.product === asked.product && Date.parse(rate.from) <= asked.at && fits(rate, asked),
  )
  for (const route of asked.route ? [asked.route, undefined] : [undefined]) {
    const found = live
      .filter((rate) => rate.route === route)
      .sort((a, b) => weight(b) - weight(a) || Date.parse(b.from) - Date.parse(a.from))[0]
    if (found) return found
  }
  return null
}

function fits(rate: Rate, asked: Asked): boolean {
  if (rate.prefix !== undefined) return asked.callee?.startsWith(rate.prefix) ?? false
  if (rate.category !== undefined && rate.category !== asked.category) return false
  if (rate.network !== undefined && rate.network !== asked.network) return false
  return rate.country === undefined || rate.country === asked.country
}

function weight(rate: Rate): number {
  return rate.prefix?.length ?? (rate.network ? 1 : 0)
}

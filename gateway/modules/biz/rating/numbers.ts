import { Exact, exactText, roundedText } from '../../../../src/schema/formats'
import type { Day } from '../../../platform/calendar'

/** Decimals of a part of a month's fee. */
const DIGITS = 4

/** Dictionary `numberFeeKind`: set-up, month, what of a month goes back. */
export type FeeKind = 'nrc' | 'mrc' | 'refund'

/** How long a number is charged to one side, days of the zone of its account, both included; `to` null: it still is. */
export interface Rent {
  from: Day
  to: Day | null
}

/** A charge of a rent: `month` is its first day, `day` the day on which it is due. */
export interface DueFee {
  kind: Exclude<FeeKind, 'refund'>
  month: Day
  day: Day
}

/** First day of the month of a day. */
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

const monthAfter = (month: Day): Day => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`
}

function daysOf(day: Day): { ofMonth: number; left: number } {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const ofMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { ofMonth, left: ofMonth - date }
}

/**
 * What a rent has come to by a day (quotes-traffic 5.6): the set-up fee on its first day, that month's fee on the same day, later ones on
 * the 1st in advance, as long as the number is rented on that day. The same rent and day always give the same charges.
 */
export function feesDue({ from, to }: Rent, today: Day): DueFee[] {
  const last = to !== null && to < today ? to : today
  if (from > last) return []
  const due: DueFee[] = [{ kind: 'nrc', month: monthOf(from), day: from }]
  for (let month = monthOf(from); month <= last; month = monthAfter(month))
    due.push({ kind: 'mrc', month, day: month < from ? from : month })
  return due
}

/** What a charge is at a price, decimal text: the set-up fee and later months in full, the first month for its days. */
export const feeAmount = ({ kind, day }: Pick<DueFee, 'kind' | 'day'>, price: string): string =>
  kind === 'mrc' && !day.endsWith('-01') ? firstMonthFee(price, day) : exactText(new Exact(price))

/**
 * The fee of the month in which a number is activated (quotes-traffic 5.6): for the days from that day to the end of the month, both included.
 * @param mrc the fee of a whole month, decimal text
 * @param day YYYY-MM-DD in the zone of the account
 */
export function firstMonthFee(mrc: string, day: Day): string {
  const { ofMonth, left } = daysOf(day)
  return roundedText(new Exact(mrc).times(left + 1).dividedBy(ofMonth), DIGITS)
}

/** What of the month's fee goes back for the whole days after the release, where that is agreed; otherwise the month that was paid is not returned. */
export function releaseRefund(mrc: string, day: Day, refundOnRelease: boolean): string {
  const { ofMonth, left } = daysOf(day)
  return refundOnRelease ? roundedText(new Exact(mrc).times(left).dividedBy(ofMonth), DIGITS) : roundedText(new Exact(0), DIGITS)
}

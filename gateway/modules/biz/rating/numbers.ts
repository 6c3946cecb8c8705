import { Exact, roundedText } from '../../../../src/schema/formats'

/** Decimals of the fees of numbers. */
const DIGITS = 4

function daysOf(day: string): { ofMonth: number; left: number } {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const ofMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { ofMonth, left: ofMonth - date }
}

/**
 * The fee of the month in which a number is activated (quotes-traffic 5.6): for the days from that day to the end of the month, both included.
 * @param mrc the fee of a whole month, decimal text
 * @param day YYYY-MM-DD in the zone of the account
 */
export function firstMonthFee(mrc: string, day: string): string {
  const { ofMonth, left } = daysOf(day)
  return roundedText(new Exact(mrc).times(left + 1).dividedBy(ofMonth), DIGITS)
}

/** What of the month's fee goes back for the whole days after the release, where that is agreed; otherwise the month that was paid is not returned. */
export function releaseRefund(mrc: string, day: string, refundOnRelease: boolean): string {
  const { ofMonth, left } = daysOf(day)
  return refundOnRelease ? roundedText(new Exact(mrc).times(left).dividedBy(ofMonth), DIGITS) : roundedText(new Exact(0), DIGITS)
}

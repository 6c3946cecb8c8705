import type { Bucket } from '../../../src/schema/model'
import { addDays, daysBetween, mondayOf, type Day } from '../../platform/calendar'

/** Both days belong to it. */
export interface Period {
  from: Day
  to: Day
}

const parts = (day: Day): [year: number, month: number, day: number] => day.split('-').map(Number) as [number, number, number]

/** The first day of the month that lies some months after that of a day. */
function firstOfMonth(day: Day, months = 0): Day {
  const [year, month] = parts(day)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

/** The same day of the month some months later; the last one where that month is shorter. */
function addMonths(day: Day, months: number): Day {
  const first = firstOfMonth(day, months)
  const last = addDays(firstOfMonth(first, 1), -1)
  const wanted = addDays(first, parts(day)[2] - 1)
  return wanted > last ? last : wanted
}

/** The first day of the bucket that a day lies in. */
export function bucketOf(bucket: Bucket, day: Day): Day {
  if (bucket === 'day') return day
  if (bucket === 'week') return mondayOf(day)
  const [, month] = parts(day)
  const back = bucket === 'month' ? 0 : bucket === 'quarter' ? (month - 1) % 3 : month - 1
  return firstOfMonth(day, -back)
}

/** The first day of the bucket after one that begins on a day. */
function nextBucket(bucket: Bucket, start: Day): Day {
  if (bucket === 'day') return addDays(start, 1)
  if (bucket === 'week') return addDays(start, 7)
  return firstOfMonth(start, bucket === 'month' ? 1 : bucket === 'quarter' ? 3 : 12)
}

/** The days of the bucket that begins on a day. */
export const bucketDays = (bucket: Bucket, start: Day): Period => ({ from: start, to: addDays(nextBucket(bucket, start), -1) })

/** First days of all buckets that a period touches, at most `most` of them. */
export function bucketsIn(bucket: Bucket, { from, to }: Period, most: number): Day[] {
  const found: Day[] = []
  for (let start = bucketOf(bucket, from); start <= to && found.length < most; start = nextBucket(bucket, start))
    found.push(start)
  return found
}

/**
 * The period before, or the same one a year before. Whole months are compared with as many whole months, other days with as many days.
 */
export function periodBefore(compare: 'previousPeriod' | 'previousYear', { from, to }: Period): Period {
  const wholeMonths = from === firstOfMonth(from) && addDays(to, 1) === firstOfMonth(addDays(to, 1))
  if (wholeMonths) {
    const months = monthsFrom(from, addDays(to, 1))
    const back = compare === 'previousYear' ? 12 : months
    return { from: firstOfMonth(from, -back), to: addDays(firstOfMonth(from, months - back), -1) }
  }
  if (compare === 'previousYear') return { from: addMonths(from, -12), to: addMonths(to, -12) }
  const days = daysBetween(from, to) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

function monthsFrom(from: Day, until: Day): number {
  const [year, month] = parts(from)
  const [lastYear, lastMonth] = parts(until)
  return (lastYear - year) * 12 + lastMonth - month
}

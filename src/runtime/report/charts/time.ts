import type { ReportDimensionModel } from '../../../schema/model'

type Bucket = NonNullable<ReportDimensionModel['bucket']>

/** More buckets than this are not filled up: nobody could tell one from another. */
const MOST = 800
const MONTHS: Readonly<Partial<Record<Bucket, number>>> = { month: 1, quarter: 3, year: 12 }

function next(day: string, bucket: Bucket): string {
  const date = new Date(`${day}T00:00:00Z`)
  const months = MONTHS[bucket]
  if (months === undefined) date.setUTCDate(date.getUTCDate() + (bucket === 'week' ? 7 : 1))
  else date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** First days of all buckets from the first one to the last one of some, those between that nothing was counted in among them. */
export function allBuckets(days: readonly string[], bucket: Bucket): readonly string[] {
  const known = [...new Set(days.map((day) => day.slice(0, 10)))].sort()
  const last = known.at(-1)
  const all: string[] = []
  for (let day = known[0]; day !== undefined && last !== undefined && day <= last; day = next(day, bucket)) {
    all.push(day)
    if (all.length > MOST) return known
  }
  // days that do not lie on the buckets' own firsts are told as they are
  return known.every((day) => all.includes(day)) ? all : known
}

/** The day of the week of a day, as short as the language has it: 周一, Mon. */
export const weekdayOf = (day: string, locale: 'zh' | 'en'): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))

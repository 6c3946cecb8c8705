import { addDays, dayOf, startOfDay } from '../../../platform/calendar'

const MINUTE = 60_000

/** Minutes of a grain or window; a day is one of the company's calendar. */
const MINUTES: Readonly<Record<string, number>> = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '1d': 1_440, '7d': 10_080 }

export const minutesOf = (span: string): number => MINUTES[span] ?? 60

/** The last boundary of the clock up to a moment: quarters of an hour begin at 00, 15 …, days at midnight of the company. */
export function boundaryOf(at: Date, every: string, timeZone: string): Date {
  const midnight = new Date(startOfDay(dayOf(at, timeZone), timeZone))
  if (every === '1d') return midnight
  const step = minutesOf(every) * MINUTE
  return new Date(midnight.getTime() + Math.floor((at.getTime() - midnight.getTime()) / step) * step)
}

/** The boundary after one. */
export function nextBoundary(at: Date, every: string, timeZone: string): Date {
  if (every === '1d') return new Date(startOfDay(addDays(dayOf(at, timeZone), 1), timeZone))
  return boundaryOf(new Date(at.getTime() + minutesOf(every) * MINUTE), every, timeZone)
}

/** The moment from which records of a window count that ends at a boundary. */
export function windowStart(end: Date, window: string, timeZone: string): Date {
  const days = window === '1d' ? 1 : window === '7d' ? 7 : 0
  if (days === 0) return new Date(end.getTime() - minutesOf(window) * MINUTE)
  const day = dayOf(end, timeZone)
  // the same time of day, so many days ago: a day of a change of clocks has no 24 hours
  const since = end.getTime() - Date.parse(startOfDay(day, timeZone))
  return new Date(Date.parse(startOfDay(addDays(day, -days), timeZone)) + since)
}

/** A value of a series at its moment. */
export interface Sample {
  at: number
  value: number
  base: number | null
  samples: number
  quality: 'ok' | 'low' | 'stale'
}

/** What a value is compared with, of the samples before it (oldest first); null where there is none. */
export function baseOf(
  before: readonly Sample[],
  at: Date,
  config: { compare: string; every: string },
  timeZone: string,
): number | null {
  const good = before.filter(({ quality, at: then }) => quality === 'ok' && then < at.getTime())
  if (config.compare === 'prevWindow') return good.at(-1)?.value ?? null
  if (config.compare === 'avg7d') {
    const from = windowStart(at, '7d', timeZone).getTime()
    const some = good.filter(({ at: then }) => then >= from)
    return some.length === 0 ? null : some.reduce((sum, { value }) => sum + value, 0) / some.length
  }
  const wanted = config.compare === 'yesterday' ? '1d' : config.compare === 'lastWeek' ? '7d' : null
  if (wanted === null) return null
  const then = windowStart(at, wanted, timeZone).getTime()
  // a sample a little off is the same hour, one of another hour is none
  const near = (minutesOf(config.every) * MINUTE) / 2
  const [nearest] = good
    .filter((sample) => Math.abs(sample.at - then) <= near)
    .sort((a, b) => Math.abs(a.at - then) - Math.abs(b.at - then))
  return nearest?.value ?? null
}

/** Durations of ISO 8601 (`P1Y2M3DT4H`, `P2W`, `-PT30M`) and what lies one of them away. */
import { dayClock, fromWallClock, isDay, toInstant, wallClock } from './time'

export interface Duration {
  months: number
  days: number
  milliseconds: number
}

const DURATION =
  /^([+-])?P(?=[0-9T])(?:([0-9]{1,4})Y)?(?:([0-9]{1,5})M)?(?:([0-9]{1,5})W)?(?:([0-9]{1,6})D)?(?:T(?=[0-9])(?:([0-9]{1,7})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,9})S)?)?$/

/** Reads a duration; undefined for any other text. */
export function parseDuration(text: string): Duration | undefined {
  const parts = DURATION.exec(text)
  if (!parts) return undefined
  const sign = parts[1] === '-' ? -1 : 1
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(2).map((part) => Number(part ?? 0) * sign) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { months: years * 12 + months, days: weeks * 7 + days, milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
}

/**
 * A day (`YYYY-MM-DD`) or an instant, a duration later: first the months, on the last day of a month that is too short, then the
 * days, both by the clock on the wall of the zone, then the time as it passes. Undefined for what is neither, for a time of day
 * added to a day, and outside of the calendar.
 */
export function later(value: unknown, { months, days, milliseconds }: Duration, timeZone: string): string | undefined {
  if (isDay(value)) {
    const day = dayClock(value).add(months, 'month').add(days, 'day').format('YYYY-MM-DD')
    return milliseconds === 0 && isDay(day) ? day : undefined
  }
  const instant = toInstant(value)
  if (instant === undefined) return undefined
  const moved =
    months === 0 && days === 0
      ? instant
      : fromWallClock(wallClock(instant, timeZone).add(months, 'month').add(days, 'day'), timeZone)
  const result = toInstant(moved + milliseconds)
  const text = result === undefined ? '' : new Date(result).toISOString()
  return isDay(text.slice(0, 10)) ? text : undefined
}

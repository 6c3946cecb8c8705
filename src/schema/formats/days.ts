/** Calendar days and what is worked out with them, in a time zone (IANA name). */
import { dayClock, fromWallClock, wallClock } from './time'

/** A calendar day, YYYY-MM-DD. */
export type Day = string

/** Work over many records asks for the day of the same instant again and again. */
let last: { time: number; timeZone: string; day: Day } = { time: NaN, timeZone: '', day: '' }

/** The calendar day at an instant. */
export function dayAt(instant: Date | string, timeZone: string): Day {
  const moment = new Date(instant)
  const time = moment.getTime()
  if (last.time === time && last.timeZone === timeZone) return last.day
  const day = wallClock(time, timeZone).format('YYYY-MM-DD')
  last = { time, timeZone, day }
  return day
}

/** Adds whole days to a day. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Whole days from a to b; negative when b is earlier. */
export function daysBetween(a: Day, b: Day): number {
  return Math.round((Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / 86_400_000)
}

/** Monday of the week that the day lies in (R417: the week starts on Monday). */
export function mondayOf(day: Day): Day {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** The next Monday-to-Friday day after the given one. */
export function nextWorkingDay(day: Day): Day {
  const next = addDays(day, 1)
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay()
  return weekday === 6 ? addDays(next, 2) : weekday === 0 ? addDays(next, 1) : next
}

/**
 * The instant at which a clock in the zone shows the given day and time (HH:MM or HH:MM:SS). A time that a change to
 * summer time skips is moved forward; one that happens twice is the first.
 */
export function instantAt(day: Day, time: string, timeZone: string): Date {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return new Date(fromWallClock(dayClock(day).add((hours * 60 + minutes) * 60 + seconds, 'second'), timeZone))
}

/** The instant at which a day begins, as the database takes it. */
export function startOfDay(day: Day, timeZone: string): string {
  return instantAt(day, '00:00', timeZone).toISOString()
}

/** An instant to the minute, as the clock in the zone shows it: 2026-03-10 09:30. */
export function minuteAt(at: string | Date, timeZone: string): string {
  return wallClock(new Date(at).getTime(), timeZone).format('YYYY-MM-DD HH:mm')
}

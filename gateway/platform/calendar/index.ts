import { dayClock, fromWallClock } from '../../../src/schema/formats/time'

/** A calendar day in the company's time zone, YYYY-MM-DD. */
export type Day = string

const formatters = new Map<string, Intl.DateTimeFormat>()
const formatter = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(timeZone, made)
  return made
}

/** Work over many records asks for the day of the same instant again and again. */
let last: { time: number; timeZone: string; day: Day } = { time: NaN, timeZone: '', day: '' }

/** The company's calendar day at an instant. */
export function dayOf(instant: Date | string, timeZone: string): Day {
  const moment = new Date(instant)
  const time = moment.getTime()
  if (last.time === time && last.timeZone === timeZone) return last.day
  const parts = partsOf(moment, timeZone)
  const day = `${parts.year}-${parts.month}-${parts.day}`
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
 * The instant at which a clock in the company's zone shows the given day and time (HH:MM or HH:MM:SS). A time that a change to
 * summer time skips is moved forward; one that happens twice is the first.
 */
export function instantAt(day: Day, time: string, timeZone: string): Date {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return new Date(fromWallClock(dayClock(day).add((hours * 60 + minutes) * 60 + seconds, 'second'), timeZone))
}

/** The instant at which the company's day begins, as the database takes it. */
export function startOfDay(day: Day, timeZone: string): string {
  return instantAt(day, '00:00', timeZone).toISOString()
}

function partsOf(instant: Date, timeZone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string> {
  const found = { year: '', month: '', day: '', hour: '', minute: '', second: '' }
  for (const part of formatter(timeZone).formatToParts(instant))
    if (part.type in found) found[part.type as keyof typeof found] = part.value
  return found
}

/** An instant to the minute, as the company's clock shows it: 2026-03-10 09:30. */
export function minuteAt(at: string | Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))
}

import { addDays, dayOf, instantAt, mondayOf, type Day, startOfDay } from '../calendar'
import type { JobTime, JobContext } from './types'

/** The last moment up to `now` at which the job was due, and its day. */
export function lastDue(schedule: JobTime, now: Date, timeZone: string): { at: Date; day: Day } {
  const today = dayOf(now, timeZone)
  for (const day of daysBack(schedule, today)) {
    const at = instantAt(day, schedule.at, timeZone)
    if (at <= now) return { at, day }
  }
  throw new Error('A schedule has a moment in every month.')
}

/** The first moment after `now` at which the job is due. */
export function nextDue(schedule: JobTime, now: Date, timeZone: string): Date {
  const today = dayOf(now, timeZone)
  for (let ahead = 0; ahead <= 62; ahead += 1) {
    const day = addDays(today, ahead)
    const at = instantAt(day, schedule.at, timeZone)
    if (isDay(schedule, day) && at > now) return at
  }
  throw new Error('A schedule has a moment in every month.')
}

function* daysBack(schedule: JobTime, today: Day): Generator<Day> {
  for (let back = 0; back <= 62; back += 1) {
    const day = addDays(today, -back)
    if (isDay(schedule, day)) yield day
  }
}

function isDay(schedule: JobTime, day: Day): boolean {
  if (schedule.every === 'day') return true
  if (schedule.every === 'week') return addDays(mondayOf(day), schedule.weekday - 1) === day
  return Number(day.slice(8)) === schedule.monthDay
}

/** The moment that a run counts with: now, or the end of the day that it is tried out for. */
export const momentOf = ({ now, day }: JobContext, timeZone: string): Date =>
  day === dayOf(now, timeZone) ? now : new Date(Date.parse(startOfDay(addDays(day, 1), timeZone)) - 1)

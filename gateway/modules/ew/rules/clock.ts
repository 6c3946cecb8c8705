import { wallClock } from '../../../../src/schema/formats'

/** The hour of a moment in the company's zone, 0 to 23. */
export const hourAt = (at: number, timeZone: string): number => wallClock(at, timeZone).hour()

/** The weekday of a moment in the company's zone, Monday 1 to Sunday 7. */
export const weekdayAt = (at: number, timeZone: string): number => wallClock(at, timeZone).day() || 7

/** Whether a moment falls into the hours `HH:mm` to `HH:mm` of every day, which may go over midnight; the first minute does, the last one not. */
export function isWithin(at: number, from: string, to: string, timeZone: string): boolean {
  const clock = wallClock(at, timeZone).format('HH:mm')
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to
}

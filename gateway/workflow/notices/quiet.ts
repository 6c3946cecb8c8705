import { fromWallClock, wallClock } from '../../../src/schema/formats'

const MINUTES_OF_DAY = 1_440

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/**
 * When quiet hours end that a moment falls into, or null outside of them. `from` and `to` are `HH:mm` in the company's zone; the hours
 * may go over midnight (22:00 to 08:00). The first minute is quiet, that of the end is not.
 */
export function quietUntil(now: Date, from: string, to: string, timeZone: string): Date | null {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  if (start === end) return null
  const wall = wallClock(now.getTime(), timeZone)
  const minute = wall.hour() * 60 + wall.minute()
  const length = (end - start + MINUTES_OF_DAY) % MINUTES_OF_DAY
  const since = (minute - start + MINUTES_OF_DAY) % MINUTES_OF_DAY
  if (since >= length) return null
  const ends = wall.startOf('minute').add(length - since, 'minute')
  return new Date(fromWallClock(ends, timeZone))
}

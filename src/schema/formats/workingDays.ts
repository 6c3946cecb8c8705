/**
 * Working days of mainland China: Monday to Friday, without public holidays, and with the days at a weekend that make up for
 * them, as the State Council announces them each November for the year that follows.
 */
import type { Day } from './days'

/**
 * Holidays and days made up for, of each year (MMDD). The next year is a further line once it is announced; a year that is not
 * here has its weekends free and nothing else.
 */
const ANNOUNCED: Readonly<Record<string, readonly [free: string, worked: string]>> = {
  2018: ['0101 0215-0221 0405-0407 0429-0501 0618 0924 1001-1007 1230-1231', '0211 0224 0408 0428 0929 0930 1229'],
  2019: ['0101 0204-0210 0405-0407 0501-0504 0607-0609 0913-0915 1001-1007', '0202 0203 0428 0505 0929 1012'],
  2020: ['0101 0124-0202 0404-0406 0501-0505 0625-0627 1001-1008', '0119 0426 0509 0628 0927 1010'],
  2021: ['0101-0103 0211-0217 0403-0405 0501-0505 0612-0614 0919-0921 1001-1007', '0207 0220 0425 0508 0918 0926 1009'],
  2022: ['0101-0103 0131-0206 0403-0405 0430-0504 0603-0605 0910-0912 1001-1007 1231', '0129 0130 0402 0424 0507 1008 1009'],
  2023: ['0101-0102 0121-0127 0405 0429-0503 0622-0624 0929-1006', '0128 0129 0423 0506 0625 1007 1008'],
  2024: ['0101 0210-0217 0404-0406 0501-0505 0610 0915-0917 1001-1007', '0204 0218 0407 0428 0511 0914 0929 1012'],
  2025: ['0101 0128-0204 0404-0406 0501-0505 0531-0602 1001-1008', '0126 0208 0427 0928 1011'],
  2026: ['0101-0103 0215-0223 0404-0406 0501-0505 0619-0621 0925-0927 1001-1007', '0104 0214 0228 0509 0920 1010'],
}

const DAY_MS = 86_400_000
let exceptions: ReadonlyMap<number, boolean> | undefined

const numberOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

/** Days that are not as their day of the week says: whether they are worked. */
function exceptionsToWeeks(): ReadonlyMap<number, boolean> {
  if (exceptions) return exceptions
  const found = new Map<number, boolean>()
  for (const [year, [free, worked]] of Object.entries(ANNOUNCED)) {
    const at = (day: string): number => numberOf(`${year}-${day.slice(0, 2)}-${day.slice(2)}`)
    for (const span of free.split(' ')) {
      const [first = '', last = first] = span.split('-')
      for (let day = at(first); day <= at(last); day += 1) found.set(day, false)
    }
    for (const day of worked.split(' ')) found.set(at(day), true)
  }
  return (exceptions = found)
}

function isWorked(day: number): boolean {
  // the first day of 1970 was a Thursday: 0 is Saturday, 1 Sunday
  return exceptionsToWeeks().get(day) ?? (((day + 5) % 7) + 7) % 7 > 1
}

export function isWorkingDay(day: Day): boolean {
  return isWorked(numberOf(day))
}

/** How many working days lie after the first day up to the second; negative when that is earlier. */
export function workingDaysBetween(from: Day, to: Day): number {
  if (to < from) return -workingDaysBetween(to, from)
  let count = 0
  for (let day = numberOf(from) + 1; day <= numberOf(to); day += 1) if (isWorked(day)) count += 1
  return count
}

/** The day so many working days later, or earlier; the same day for 0. */
export function addWorkingDays(from: Day, days: number): Day {
  const step = Math.sign(days)
  let day = numberOf(from)
  for (let left = Math.abs(days); left > 0;) {
    day += step
    if (isWorked(day)) left -= 1
  }
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

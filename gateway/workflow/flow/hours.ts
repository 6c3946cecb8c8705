import { isWorkingDay } from '../../../src/schema/formats/workingDays'
import { addDays, dayOf, instantAt } from '../../platform/calendar'

const OPENS = '09:00'
const CLOSES = '18:00'
const HOUR = 3_600_000

/** The moment so many working hours later: working days from 09:00 to 18:00 in a zone (money 7.5). */
export function afterWorkingHours(from: Date, hours: number, timeZone: string): Date {
  let left = hours * HOUR
  let day = dayOf(from, timeZone)
  let at = from.getTime()
  // nine hours a day: no limit takes longer than this many days
  for (let count = 0; count < 2_000; count += 1, day = addDays(day, 1)) {
    if (!isWorkingDay(day)) continue
    const opens = instantAt(day, OPENS, timeZone).getTime()
    const closes = instantAt(day, CLOSES, timeZone).getTime()
    const begin = Math.max(at, opens)
    if (begin >= closes) continue
    if (begin + left <= closes) return new Date(begin + left)
    left -= closes - begin
    at = closes
  }
  return new Date(from.getTime() + left)
}

/** When a task is due, and when some per cent of its time is over. */
export function limitOf(from: Date, hours: number, options: { working: boolean; timeZone: string }): (percent: number) => Date {
  return (percent) => {
    const part = (hours * percent) / 100
    return options.working ? afterWorkingHours(from, part, options.timeZone) : new Date(from.getTime() + part * HOUR)
  }
}

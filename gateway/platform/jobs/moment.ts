import { addDays, dayOf, startOfDay } from '../calendar'
import type { JobContext } from './types'

/** The moment that a run counts with: now, or the end of the day that it is tried out for. */
export const momentOf = ({ now, day }: JobContext, timeZone: string): Date =>
  day === dayOf(now, timeZone) ? now : new Date(Date.parse(startOfDay(addDays(day, 1), timeZone)) - 1)

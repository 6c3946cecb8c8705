import { addDays, dayOf, type Day } from '../../../platform/calendar'

/** The last day that is locked in a zone: a day locks when receipts had `waitHours` after its end (quotes-traffic 7.1). */
export const lockedThrough = (now: Date, zone: string, waitHours: number): Day =>
  addDays(dayOf(new Date(now.getTime() - waitHours * 3_600_000), zone), -1)

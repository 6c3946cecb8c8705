import { addDays, type Day } from './companyDay'

/** What a customer earned us in a month with a product, USD. */
export interface MonthFigure {
  /** First day of the month. */
  month: Day
  revenue: string
  profit: string
  /** Most days that a bill of the month was overdue. */
  overdueDays: number
}

/** First day of the month that lies `back` months before the month of a day. */
export function monthStart(day: Day, back = 0): Day {
  let start: Day = `${day.slice(0, 7)}-01`
  for (let step = 0; step < back; step += 1) start = `${addDays(start, -1).slice(0, 7)}-01`
  return start
}

import { dayClock, dayOf, wallClock, toInstant } from '../../schema/formats'
import type { CalendarModel, ListBodyModel, QueryWhere } from '../../schema/model'
import type { Locale } from '../../schema/problem'
import type { Row } from '../row'
import { dayWords } from './days'
import type { ListQuery } from './query'
import { toQueryBody, type QueryBody, type RequestContext } from './request'

/** Rows of a month that are read at once. */
const MONTH_ROWS = 500

/** The month that is so many months further on. */
export const monthAfter = (month: string, by: number): string => dayClock(`${month}-01`).add(by, 'month').format('YYYY-MM')

/** The weeks that a month touches, from Monday on. */
export const weeksOf = (month: string): readonly (readonly string[])[] => {
  const first = dayClock(`${month}-01`)
  const start = first.subtract((first.day() + 6) % 7, 'day')
  const weeks = Math.ceil(first.add(1, 'month').diff(start, 'day') / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => start.add(week * 7 + day, 'day').format('YYYY-MM-DD')),
  )
}

/** The rows of the weeks that a month touches: a day is a day of the company, as in every filter. */
export const monthWhere = ({ field }: CalendarModel, month: string): readonly QueryWhere[] => {
  const weeks = weeksOf(month)
  return [{ field: field.name, operator: 'between', value: [weeks[0]?.[0], weeks.at(-1)?.[6]] }]
}

/** What the list asks for, day after day. Throws ExpressionError when a fixed condition cannot be evaluated. */
export const calendarBody = (
  body: ListBodyModel,
  { field }: CalendarModel,
  query: ListQuery,
  context: RequestContext,
): QueryBody => ({
  ...toQueryBody(body, { ...query, page: 1 }, MONTH_ROWS, context),
  sort: [{ field: field.name, order: 'asc' }],
})

/** Rows by the day of their field, in their order. */
export const rowsByDay = ({ field }: CalendarModel, rows: readonly Row[], zone: string): ReadonlyMap<string, readonly Row[]> => {
  const days = new Map<string, Row[]>()
  for (const row of rows) {
    const day = dayOf(row[field.name], zone)
    if (day !== undefined) days.set(day, [...(days.get(day) ?? []), row])
  }
  return days
}

/** The time of day of a moment; undefined of a day. */
export const timeOf = ({ field }: CalendarModel, row: Row, zone: string): string | undefined => {
  const instant = field.kind === 'dateTime' ? toInstant(row[field.name]) : undefined
  return instant === undefined ? undefined : wallClock(instant, zone).format('HH:mm')
}

export const weekdayName = (day: string, locale: Locale): string => dayWords(day, locale, { weekday: 'short' })
/** A day in words, without its year. */
export const dayName = (day: string, locale: Locale): string =>
  dayWords(day, locale, { month: 'short', day: 'numeric', weekday: 'short' })

import './calendar.css'
import { Popover, Skeleton } from 'antd'
import { useMemo, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import {
  calendarBody,
  dayName,
  monthAfter,
  monthWhere,
  rowsByDay,
  timeOf,
  weekdayName,
  weeksOf,
} from '../../headless/list/calendar'
import { monthName } from '../../headless/list/days'
import type { ListQuery } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'
import { companyToday, companyZone } from '../../headless/scope'
import type { Row } from '../../headless/row'
import type { CalendarModel, ListBodyModel, QueryWhere, Scope } from '../../schema/model'
import type { CellContext } from '../cell'
import { usePhone } from '../media'
import type { DrawnColumn } from './columns'
import { FailureNotice } from './States'
import { useParts } from './useParts'
import { useRowClick } from './useRowClick'

interface CalendarProps {
  label: string
  body: ListBodyModel
  calendar: CalendarModel
  query: ListQuery
  scope: Scope
  where?: readonly QueryWhere[]
  reloads: number
  keyOf(row: Row): string
  titleOf(row: Row): string
  columns: readonly DrawnColumn[]
  context: CellContext
  texts: ListTexts
  number(value: number): string
  /** Undefined: the month of now. */
  onMonth(month: string | undefined): void
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
  onLook?: ((row: Row) => void) | undefined
}

/** Entries of a day that stand in its field of the month. */
const SHOWN = 3

/** Rows on the days of a month; on a phone the days that have rows, one below the other. An entry leads to its record. */
const Calendar = (props: CalendarProps) => {
  const { label, body, calendar, query, scope, where, reloads, keyOf, titleOf, columns, context: given, texts, number } = props
  const { host } = given
  const { locale } = host
  const phone = usePhone()
  const zone = companyZone(host)
  const today = companyToday(host)
  const month = query.month ?? today.slice(0, 7)
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const whole = useMemo(
    () => calendarBody(body, calendar, query, { scope, ...(where ? { where } : {}) }),
    [body, calendar, query, scope, where],
  )
  const open = useMemo(() => new Map([[month, monthWhere(calendar, month)]]), [calendar, month])
  const { part, refs, more, retry } = useParts({ host, body, whole, open, reloads })
  const { rows, total, next, failure } = part(month)
  const days = useMemo(() => rowsByDay(calendar, rows, zone), [calendar, rows, zone])
  const context = useMemo<CellContext>(() => ({ ...given, refs }), [given, refs])
  const click = useRowClick({ ...props, context })
  const told = columns.filter(({ model }) => model.field?.name !== calendar.field.name || model.path.length !== 1)
  const [head] = told
  // a code says little, and what has no page of its own leads to the record that it is about
  const tells = head?.model.open !== undefined && head.model.field?.name !== 'code'
  const about = tells ? undefined : told.find((one) => one !== head && one.model.open)
  // what the record has come to, where the list has such a field
  const state =
    body.board?.field ?? columns.find(({ model }) => model.field?.kind === 'dictionary' && model.path.length === 1)?.model.field
  const colourOf = (row: Row): string | undefined =>
    state?.dictionary?.options.find(({ code }) => code === row[state.name])?.color

  const onClick = (event: MouseEvent): void => {
    const key = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
    const row = key === undefined ? undefined : rows.find((one) => keyOf(one) === key)
    if (row) click(event, row)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    props.onMonth(monthAfter(month, step))
  }
  const entry = (row: Row): ReactNode => {
    const time = timeOf(calendar, row, zone)
    const colour = colourOf(row)
    return (
      <li
        key={keyOf(row)}
        className="sb-entry"
        data-key={keyOf(row)}
        data-colour={colour}
        title={phone ? undefined : titleOf(row)}
      >
        <span className={colour ? `sb-entry-mark sb-tag-${colour}` : 'sb-entry-mark'} aria-hidden="true" />
        <span className="sb-entry-text">
          {time !== undefined && <time>{time}</time>} {head?.render(row, context)}
          {about && <span className="sb-entry-about">{about.render(row, context)}</span>}
        </span>
      </li>
    )
  }
  const entriesOf = (day: string): ReactNode => {
    const own = days.get(day) ?? []
    const folded = own.length > SHOWN ? own.slice(0, SHOWN - 1) : own
    return (
      <>
        {folded.length > 0 && <ul>{folded.map(entry)}</ul>}
        {folded.length < own.length && (
          <Popover
            trigger="click"
            placement="right"
            open={unfolded === day}
            onOpenChange={(now) => setUnfolded(now ? day : null)}
            title={dayName(day, locale)}
            content={
              <ul className="sb-day-all" onClick={onClick}>
                {own.map(entry)}
              </ul>
            }
          >
            <button type="button" className="sb-link" aria-expanded={unfolded === day}>
              {texts.calendar.more(number(own.length - folded.length))}
            </button>
          </Popover>
        )}
      </>
    )
  }
  const weeks = weeksOf(month)
  const ofMonth = weeks.flat().filter((day) => day.startsWith(month))
  const busyDays = ofMonth.filter((day) => days.has(day))

  return (
    <div
      className="sb-calendar"
      role="group"
      aria-label={`${label} · ${texts.calendar.by(calendar.field.label)}`}
      onKeyDown={onKeyDown}
    >
      <header>
        <button
          type="button"
          className="sb-tool"
          aria-label={texts.calendar.previous}
          onClick={() => props.onMonth(monthAfter(month, -1))}
        >
          ‹
        </button>
        <h2 aria-live="polite">{monthName(`${month}-01`, locale)}</h2>
        <button
          type="button"
          className="sb-tool"
          aria-label={texts.calendar.next}
          onClick={() => props.onMonth(monthAfter(month, 1))}
        >
          ›
        </button>
        <button type="button" className="sb-tool" disabled={query.month === undefined} onClick={() => props.onMonth(undefined)}>
          {texts.calendar.now}
        </button>
        <span className="sb-calendar-by">{texts.calendar.by(calendar.field.label)}</span>
      </header>
      {failure && <FailureNotice failure={failure} texts={texts} onRetry={() => retry(month)} />}
      {phone ? (
        <div className="sb-agenda" onClick={onClick} aria-busy={total === null}>
          {total === null && !failure && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
          {total !== null && busyDays.length === 0 && <p className="sb-board-empty">{texts.calendar.nothing}</p>}
          {busyDays.map((day) => (
            <section key={day} aria-current={day === today ? 'date' : undefined}>
              <h3>{dayName(day, locale)}</h3>
              <ul>{days.get(day)?.map(entry)}</ul>
            </section>
          ))}
        </div>
      ) : (
        <table aria-label={monthName(`${month}-01`, locale)} aria-busy={total === null} onClick={onClick}>
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th key={day} scope="col">
                  {weekdayName(day, locale)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td
                    key={day}
                    data-day={day}
                    data-outside={day.startsWith(month) ? undefined : true}
                    aria-current={day === today ? 'date' : undefined}
                  >
                    <time dateTime={day} aria-label={dayName(day, locale)}>
                      {Number(day.slice(8))}
                    </time>
                    {entriesOf(day)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!phone && total === 0 && <p className="sb-board-empty">{texts.calendar.nothing}</p>}
      {next !== null && total !== null && (
        <p className="sb-calendar-rest" role="status">
          {texts.calendar.part(number(rows.length), number(total))}{' '}
          <button type="button" className="sb-link" onClick={() => more(month)}>
            {texts.moreRows(number(total - rows.length))}
          </button>
        </p>
      )}
    </div>
  )
}
export default Calendar

/** Functions over days and instants. Days are counted in the viewer's time zone; nothing stays nothing (null). */
import { later, parseDuration } from '../../formats/duration'
import { dayClock, fromWallClock, isDay, toInstant, wallClock } from '../../formats/time'
import type { Call, FunctionSpec } from '../call'
import { badArgument, dayOrNull, isEmpty, stringOf, wholeOf } from './arguments'

const DAY_MS = 86_400_000

function daysBetween(call: Call, [from, to]: readonly unknown[]): number | null {
  const first = dayOrNull(from, call)
  const second = dayOrNull(to, call)
  if (first === null || second === null) return null
  return Math.round((dayClock(second).valueOf() - dayClock(first).valueOf()) / DAY_MS)
}

function monthsBetween(call: Call, [from, to]: readonly unknown[]): number | null {
  const first = dayOrNull(from, call)
  const second = dayOrNull(to, call)
  return first === null || second === null ? null : dayClock(second).diff(dayClock(first), 'month')
}

/** Moves a day, or an instant by its clock on the wall. */
function moved(unit: 'day' | 'month'): FunctionSpec['run'] {
  return (call, [value, amount]) => {
    if (isEmpty(value)) return null
    const steps = wholeOf(amount, -100_000, 100_000)
    if (isDay(value)) return inCalendar(dayClock(value).add(steps, unit).format('YYYY-MM-DD'))
    const instant = toInstant(value)
    if (instant === undefined) return dayOrNull(value, call)
    const { timeZone } = call.environment
    const result = fromWallClock(wallClock(instant, timeZone).add(steps, unit), timeZone)
    inCalendar(new Date(result).toISOString().slice(0, 10))
    return new Date(result).toISOString()
  }
}

/** A day or an instant, a duration of ISO 8601 later or earlier. */
function shifted(direction: 1 | -1): FunctionSpec['run'] {
  return (call, [value, given]) => {
    if (isEmpty(value)) return null
    const text = stringOf(given, call)
    const duration = parseDuration(text)
    if (!duration) {
      const shown = text.slice(0, 40)
      throw badArgument(
        `“${shown}”不是时长，请写如 P3D、P18M、PT24H。`,
        `"${shown}" is not a duration; write it like P3D, P18M or PT24H.`,
      )
    }
    call.charge(20)
    const { months, days, milliseconds } = duration
    const moved = { months: months * direction, days: days * direction, milliseconds: milliseconds * direction }
    const result = later(value, moved, call.environment.timeZone)
    if (result !== undefined) return result
    if (!isDay(value)) dayOrNull(value, call)
    else if (milliseconds !== 0) {
      throw badArgument(
        '日期没有时刻，不能加减小时、分、秒。',
        'A day has no time: hours, minutes and seconds cannot be added to it.',
      )
    }
    throw badArgument('日期超出范围。', 'The date is out of range.')
  }
}

function inCalendar(day: string): string {
  if (isDay(day)) return day
  throw badArgument('日期超出范围。', 'The date is out of range.')
}

function part(read: (day: string) => number): FunctionSpec['run'] {
  return (call, [value]) => {
    const day = dayOrNull(value, call)
    return day === null ? null : read(day)
  }
}

export const DATE_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'days',
    signature: 'days(from, to)',
    group: 'date',
    summary: {
      zh: '从 from 到 to 的自然日天数（to 更早则为负）。',
      en: 'Calendar days from one date to the other; negative when the second is earlier.',
    },
    arity: [2, 2],
    examples: [
      {
        expression: 'days(lastFollowAt ?? createdAt, today)',
        scope: { createdAt: '2025-02-27', today: '2025-03-01' },
        result: 2,
      },
      { expression: 'days(null, today)', scope: { today: '2025-03-01' }, result: null },
    ],
    run: daysBetween,
  },
  {
    name: 'months',
    signature: 'months(from, to)',
    group: 'date',
    summary: { zh: '从 from 到 to 的整月数。', en: 'Whole months from one date to the other.' },
    arity: [2, 2],
    examples: [{ expression: "months('2025-01-31', '2025-03-30')", result: 1 }],
    run: monthsBetween,
  },
  {
    name: 'addDays',
    signature: 'addDays(date, days)',
    group: 'date',
    summary: { zh: '日期加若干天。', en: 'The date so many days later.' },
    arity: [2, 2],
    examples: [{ expression: "addDays('2025-02-27', 2)", result: '2025-03-01' }],
    run: moved('day'),
  },
  {
    name: 'addMonths',
    signature: 'addMonths(date, months)',
    group: 'date',
    summary: {
      zh: '日期加若干月；没有该日时取月末。',
      en: 'The date so many months later; the last day of the month where there is no such day.',
    },
    arity: [2, 2],
    examples: [{ expression: "addMonths('2025-01-31', 1)", result: '2025-02-28' }],
    run: moved('month'),
  },
  {
    name: 'plus',
    signature: "plus(dateOrInstant, 'P1Y2M3DT4H5M6S')",
    group: 'date',
    summary: {
      zh: '日期或时间加一段时长（ISO 8601，可为负）：先加年月（没有该日时取月末），再加天，最后加时分秒；年月日按时区的日历计。',
      en: 'The date or instant a duration (ISO 8601, also negative) later: first years and months, on the last day where there is no such day, then days, both in the calendar of the time zone, then the time that passes.',
    },
    arity: [2, 2],
    examples: [
      { expression: "plus('2025-03-01T02:00:00.000Z', 'PT24H')", result: '2025-03-02T02:00:00.000Z' },
      { expression: "plus('2025-01-31', 'P1M')", result: '2025-02-28' },
    ],
    run: shifted(1),
  },
  {
    name: 'minus',
    signature: "minus(dateOrInstant, 'P1Y2M3DT4H5M6S')",
    group: 'date',
    summary: { zh: '日期或时间减一段时长（ISO 8601）。', en: 'The date or instant a duration (ISO 8601) earlier.' },
    arity: [2, 2],
    examples: [{ expression: "minus('2025-03-31', 'P1M3D')", result: '2025-02-25' }],
    run: shifted(-1),
  },
  {
    name: 'date',
    signature: 'date(value)',
    group: 'date',
    summary: {
      zh: '日期或时间在查看者时区中的日期（YYYY-MM-DD）。',
      en: "The day (YYYY-MM-DD) of a date or an instant in the viewer's time zone.",
    },
    arity: [1, 1],
    examples: [{ expression: "date('2025-03-01T02:00:00.000Z')", result: '2025-03-01' }],
    run: (call, [value]) => dayOrNull(value, call),
  },
  {
    name: 'year',
    signature: 'year(date)',
    group: 'date',
    summary: { zh: '年份。', en: 'The year.' },
    arity: [1, 1],
    examples: [{ expression: "year('2025-03-01')", result: 2025 }],
    run: part((day) => Number(day.slice(0, 4))),
  },
  {
    name: 'month',
    signature: 'month(date)',
    group: 'date',
    summary: { zh: '月份，1 到 12。', en: 'The month, 1 to 12.' },
    arity: [1, 1],
    examples: [{ expression: "month('2025-03-01')", result: 3 }],
    run: part((day) => Number(day.slice(5, 7))),
  },
  {
    name: 'weekday',
    signature: 'weekday(date)',
    group: 'date',
    summary: { zh: '星期几，星期一为 1，星期日为 7。', en: 'The day of the week: Monday is 1, Sunday 7.' },
    arity: [1, 1],
    examples: [{ expression: "weekday('2025-03-02')", result: 7 }],
    run: part((day) => dayClock(day).day() || 7),
  },
]

/** Functions over days and instants. Days are counted in the viewer's time zone; nothing stays nothing (null). */
import { later, parseDuration } from '../../formats/duration'
import { dayClock, fromWallClock, isDay, toInstant, wallClock } from '../../formats/time'
import type { Call, FunctionSpec } from '../call'
import { badArgument, dayOrNull, isEmpty, stringOf, wholeOf } from './arguments'
import { seldom, wantSeldom } from './onDemand'

const DAY_MS = 86_400_000

function daysBetween(call: Call, [from, to]: readonly unknown[]): number | null {
  const first = dayOrNull(from, call)
  const second = dayOrNull(to, call)
  if (first === null || second === null) return null
  return Math.round((dayClock(second).valueOf() - dayClock(first).valueOf()) / DAY_MS)
}

/** As `daysBetween`, of working days; each day that lies between costs a step. */
function workingDays(call: Call, [from, to]: readonly unknown[]): number | null {
  const first = dayOrNull(from, call)
  const second = dayOrNull(to, call)
  if (first === null || second === null) return null
  call.charge(Math.abs(daysBetween(call, [first, second]) ?? 0))
  return seldom().workingDaysBetween(first, second)
}

const MOST_WORKING_DAYS = 20_000

function workingDaysLater(call: Call, [value, amount]: readonly unknown[]): string | null {
  const day = dayOrNull(value, call)
  if (day === null) return null
  const steps = wholeOf(amount, -MOST_WORKING_DAYS, MOST_WORKING_DAYS)
  call.charge(Math.abs(steps) * 2)
  return inCalendar(seldom().addWorkingDays(day, steps))
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

/** The moment at which the clock shows a time on a day. */
function momentAt(call: Call, [value, given]: readonly unknown[]): string | null {
  const day = dayOrNull(value, call)
  if (day === null || isEmpty(given)) return null
  const time = stringOf(given, call)
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hours === undefined)
    throw badArgument(
      `“${time.slice(0, 20)}”不是时刻，请写如 10:00。`,
      `"${time.slice(0, 20)}" is not a time; write it like 10:00.`,
    )
  const wall = dayClock(day).add(Number(hours) * 60 + Number(minutes), 'minute')
  return new Date(fromWallClock(wall, call.environment.timeZone)).toISOString()
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
    arity: [2, 2],
    run: daysBetween,
  },
  {
    name: 'months',
    signature: 'months(from, to)',
    arity: [2, 2],
    run: monthsBetween,
  },
  {
    name: 'addDays',
    signature: 'addDays(date, days)',
    arity: [2, 2],
    run: moved('day'),
  },
  {
    name: 'addMonths',
    signature: 'addMonths(date, months)',
    arity: [2, 2],
    run: moved('month'),
  },
  {
    name: 'workingDays',
    signature: 'workingDays(from, to)',
    arity: [2, 2],
    want: wantSeldom,
    run: workingDays,
  },
  {
    name: 'addWorkingDays',
    signature: 'addWorkingDays(date, days)',
    arity: [2, 2],
    want: wantSeldom,
    run: workingDaysLater,
  },
  {
    name: 'isWorkingDay',
    want: wantSeldom,
    signature: 'isWorkingDay(date)',
    arity: [1, 1],
    run: (call, [value]) => {
      const day = dayOrNull(value, call)
      return day === null ? null : seldom().isWorkingDay(day)
    },
  },
  {
    name: 'plus',
    signature: "plus(dateOrInstant, 'P1Y2M3DT4H5M6S')",
    arity: [2, 2],
    run: shifted(1),
  },
  {
    name: 'minus',
    signature: "minus(dateOrInstant, 'P1Y2M3DT4H5M6S')",
    arity: [2, 2],
    run: shifted(-1),
  },
  {
    name: 'date',
    signature: 'date(value)',
    arity: [1, 1],
    run: (call, [value]) => dayOrNull(value, call),
  },
  {
    name: 'year',
    signature: 'year(date)',
    arity: [1, 1],
    run: part((day) => Number(day.slice(0, 4))),
  },
  {
    name: 'month',
    signature: 'month(date)',
    arity: [1, 1],
    run: part((day) => Number(day.slice(5, 7))),
  },
  {
    name: 'weekday',
    signature: 'weekday(date)',
    arity: [1, 1],
    run: part((day) => dayClock(day).day() || 7),
  },
  {
    name: 'at',
    signature: "at(date, '10:00')",
    arity: [2, 2],
    run: momentAt,
  },
]

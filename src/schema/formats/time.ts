/**
 * Days and instants. A day is `YYYY-MM-DD`; an instant is ISO 8601 in UTC (`2025-03-01T02:00:00.000Z`).
 * Which day an instant falls on depends on the viewer's time zone (IANA name). The week starts on Monday (R417).
 */
import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'

dayjs.extend(utc)

const DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})$/

/** Is this the text of a day that exists (in the years 100 to 9999)? */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const parts = DAY.exec(value)
  if (!parts) return false
  const time = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
  return Number(parts[1]) >= 100 && new Date(time).toISOString().slice(0, 10) === value
}

/** Milliseconds since 1970 of an instant's text (with a zone), a `Date` or a number; `undefined` for anything else. */
export function toInstant(value: unknown): number | undefined {
  if (value instanceof Date) value = value.getTime()
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? value : undefined
  if (typeof value !== 'string' || !INSTANT.test(value) || !isDay(value.slice(0, 10))) return undefined
  const time = Date.parse(value.replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : time
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      },
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

/** Offset of the zone from UTC at an instant, in milliseconds. Throws RangeError for an unknown zone. */
export function zoneOffset(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const parts: Record<string, string> = {}
  for (const part of formatterOf(timeZone).formatToParts(instant)) parts[part.type] = part.value
  const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year'])
  const local = new Date(0)
  local.setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day']))
  local.setUTCHours(Number(parts['hour']), Number(parts['minute']), Number(parts['second']))
  return local.getTime() - Math.floor(instant / 1000) * 1000
}

/** The clock on the wall in a zone at an instant, as a dayjs whose UTC fields are the local ones. */
export function wallClock(instant: number, timeZone: string): Dayjs {
  return dayjs.utc(instant + zoneOffset(instant, timeZone))
}

/**
 * The instant at which the clock in the zone shows this wall time. A wall time that a change to summer time skips is moved
 * forward; one that happens twice is the first.
 */
export function fromWallClock(wall: Dayjs, timeZone: string): number {
  const local = wall.valueOf()
  const before = local - zoneOffset(local - 86_400_000, timeZone)
  if (before + zoneOffset(before, timeZone) === local) return before
  const after = local - zoneOffset(local + 86_400_000, timeZone)
  return after + zoneOffset(after, timeZone) === local ? after : before
}

/** The day of a day's text or of an instant in the zone; `undefined` when the value is neither. */
export function dayOf(value: unknown, timeZone: string): string | undefined {
  if (isDay(value)) return value
  const instant = toInstant(value)
  return instant === undefined ? undefined : wallClock(instant, timeZone).format('YYYY-MM-DD')
}

/** The day as a dayjs at midnight UTC, for arithmetic. */
export function dayClock(day: string): Dayjs {
  return dayjs.utc(`${day}T00:00:00Z`)
}

/** `today` and `now` of a viewer, as expressions and filters get them. */
export function timeRoots(timeZone: string, at: number = Date.now()): { today: string; now: string } {
  return { today: wallClock(at, timeZone).format('YYYY-MM-DD'), now: new Date(at).toISOString() }
}

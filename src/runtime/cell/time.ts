import { wallClock } from '../../schema/formats/time'
import type { Locale } from '../../schema/problem'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Instants further away are clearer as a date. */
const RELATIVE_DAYS = 30

const formats = new Map<Locale, Intl.RelativeTimeFormat>()
const formatOf = (locale: Locale): Intl.RelativeTimeFormat => {
  const known = formats.get(locale)
  if (known) return known
  const format = new Intl.RelativeTimeFormat(locale === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto' })
  formats.set(locale, format)
  return format
}

/** The calendar day of an instant as a number that grows by one each day. */
const dayNumber = (instant: number, timeZone: string): number => wallClock(instant, timeZone).startOf('day').valueOf() / DAY

/**
 * "3 hours ago" / "3小时前" on the same day, else by calendar days of the zone: "tomorrow" is the next day, not 24 hours on. Null
 * when the instant is more than 30 days away and a date says more.
 */
export const relativeTime = (instant: number, now: number, locale: Locale, timeZone: string): string | null => {
  const distance = instant - now
  const size = Math.abs(distance)
  const days = dayNumber(instant, timeZone) - dayNumber(now, timeZone)
  if (Math.abs(days) > RELATIVE_DAYS) return null
  const format = formatOf(locale)
  if (size < MINUTE) return format.format(0, 'second')
  if (size < HOUR) return format.format(Math.trunc(distance / MINUTE), 'minute')
  if (days === 0) return format.format(Math.trunc(distance / HOUR), 'hour')
  return format.format(days, 'day')
}

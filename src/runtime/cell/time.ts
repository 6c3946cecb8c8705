import type { Locale } from '../../schema/problem'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Older instants are clearer as a date. */
const RELATIVE_UNTIL = 30 * DAY

const formats = new Map<Locale, Intl.RelativeTimeFormat>()
const formatOf = (locale: Locale): Intl.RelativeTimeFormat => {
  const known = formats.get(locale)
  if (known) return known
  const format = new Intl.RelativeTimeFormat(locale === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto' })
  formats.set(locale, format)
  return format
}

/** "3 hours ago" / "3小时前", or null when the instant is more than 30 days away and a date says more. */
export const relativeTime = (instant: number, now: number, locale: Locale): string | null => {
  const distance = instant - now
  const size = Math.abs(distance)
  if (size > RELATIVE_UNTIL) return null
  const format = formatOf(locale)
  if (size < MINUTE) return format.format(0, 'second')
  if (size < HOUR) return format.format(Math.trunc(distance / MINUTE), 'minute')
  if (size < DAY) return format.format(Math.trunc(distance / HOUR), 'hour')
  return format.format(Math.trunc(distance / DAY), 'day')
}

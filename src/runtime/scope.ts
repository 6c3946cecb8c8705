import { dayClock, fromWallClock, timeRoots } from '../schema/formats'
import type { Scope } from '../schema/model'
import type { Host } from './host'

/** The instant at which a calendar day begins in a time zone, as ISO 8601 in UTC; `plusDays` moves it by whole days. */
export const startOfDay = (day: string, timeZone: string, plusDays = 0): string =>
  new Date(fromWallClock(dayClock(day).add(plusDays, 'day'), timeZone)).toISOString()

/** The search part of an address, without `?` and fragment; '' when there is none. */
export const searchOf = (address: string): string => {
  const start = address.indexOf('?')
  if (start < 0) return ''
  const end = address.indexOf('#', start)
  return address.slice(start + 1, end < 0 ? undefined : end)
}

/** The path of an address, without search and fragment. */
export const pathOf = (address: string): string => address.replace(/[?#].*$/s, '')

/** The query of an address as an object; a name given twice keeps its last value. */
export const queryOf = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(searchOf(address)))

/** The roots that every expression of a page may read: query, user, today, now, locale. */
export const pageScope = (host: Host, address: string): Scope => ({
  query: queryOf(address),
  user: host.user,
  ...timeRoots(host.companyTimeZone ?? host.timeZone, host.now().getTime()),
  locale: host.locale,
})

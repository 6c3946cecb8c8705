import { dayOf, timeRoots, zoneOffset } from '../schema/formats'
import type { Scope } from '../schema/model'
import type { Host } from './host'

type Clock = Pick<Host, 'now' | 'timeZone' | 'companyTimeZone'>

/** The zone whose calendar days decide: filters, "today", rules. Moments are shown in the viewer's. */
export const companyZone = (host: Pick<Host, 'timeZone' | 'companyTimeZone'>): string => host.companyTimeZone ?? host.timeZone

/** The company's calendar day now, YYYY-MM-DD. */
export const companyToday = (host: Clock): string => dayOf(host.now(), companyZone(host)) ?? ''

/** Whether the viewer's clock shows another time than the company's, so that a day has to say whose it is. */
export const livesElsewhere = (host: Clock): boolean => {
  const now = host.now().getTime()
  return zoneOffset(now, host.timeZone) !== zoneOffset(now, companyZone(host))
}

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
export const pageScope = (host: Clock & Pick<Host, 'user' | 'locale'>, address: string): Scope => ({
  query: queryOf(address),
  user: host.user,
  ...timeRoots(companyZone(host), host.now().getTime()),
  locale: host.locale,
})

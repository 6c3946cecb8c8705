import type { CookieJar } from './cookies'

/** The platform that the person chose: our pages or the separate mobile site (R194, R205). */
export type Platform = 'PC' | 'H5'

const COOKIE = 'platform'
const PHONE = /iPhone|iPod|Android.+Mobile|HarmonyOS.+Mobile|Windows Phone/
/** R206 */
export const PLATFORM_DAYS = 365

/** What was chosen; without a choice a phone belongs to the mobile site (R194). The width of a window says nothing. */
export function readPlatform(cookies: CookieJar, userAgent = navigator.userAgent): Platform {
  const chosen = cookies.get(COOKIE)
  if (chosen === 'H5' || chosen === 'PC') return chosen
  return PHONE.test(userAgent) ? 'H5' : 'PC'
}

export function choosePlatform(cookies: CookieJar, platform: Platform): void {
  cookies.set(COOKIE, platform, PLATFORM_DAYS)
}

/** `?platform=PC` in the address is the way back from the mobile site; the address that is left does not say it any more. */
export function followPlatformQuery(cookies: CookieJar, { pathname, search }: Location): void {
  const query = new URLSearchParams(search)
  const wanted = query.get('platform')
  if (wanted !== 'PC' && wanted !== 'H5') return
  choosePlatform(cookies, wanted)
  query.delete('platform')
  window.history.replaceState(window.history.state, '', query.size === 0 ? pathname : `${pathname}?${query}`)
}

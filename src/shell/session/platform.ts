import type { CookieJar } from './cookies'

/** The platform that the person chose: our pages or the separate mobile site (R194, R205). */
export type Platform = 'PC' | 'H5'

const COOKIE = 'platform'
/** R206 */
export const PLATFORM_DAYS = 365

export function readPlatform(cookies: CookieJar): Platform {
  return cookies.get(COOKIE) === 'H5' ? 'H5' : 'PC'
}

export function choosePlatform(cookies: CookieJar, platform: Platform): void {
  cookies.set(COOKIE, platform, PLATFORM_DAYS)
}

/** `?platform=PC` in the address is the way back from the mobile site. */
export function followPlatformQuery(cookies: CookieJar, search: string): void {
  const wanted = new URLSearchParams(search).get('platform')
  if (wanted === 'PC' || wanted === 'H5') choosePlatform(cookies, wanted)
}

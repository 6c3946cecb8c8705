import type { Locale } from '../../schema/problem'
import type { CookieJar } from '../session/cookies'

/** The cookie that keeps the language. */
export const LOCALE_COOKIE = 'locale'

/** Chinese for a Chinese browser, English for every other one (R013, R014). */
export const localeOfBrowser = (languages: readonly string[]): Locale => (/^zh(?=-|$)/i.test(languages[0] ?? '') ? 'zh' : 'en')

/** The language that somebody chose in this browser, else that of the browser. */
export function firstLocale(cookies: CookieJar, browserLanguages: readonly string[]): Locale {
  const kept = cookies.get(LOCALE_COOKIE)
  return kept === 'zh' || kept === 'en' ? kept : localeOfBrowser(browserLanguages)
}

import type { Locale } from '../../schema/problem'

/** A day in words, as the options say; a day has no zone. */
export const dayWords = (day: string, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** The month of a day in words. */
export const monthName = (day: string, locale: Locale): string => dayWords(day, locale, { year: 'numeric', month: 'long' })

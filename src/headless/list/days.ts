import type { Locale } from '../../schema/problem'

/** A day in words, as the options say; a day has no zone. */
export const dayWords = (day: string, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** The month of a day in words. */
export const monthName = (day: string, locale: Locale): string => dayWords(day, locale, { year: 'numeric', month: 'long' })

/** The text of a month, YYYY-MM. */
export const isMonth = (text: string): boolean => /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text)

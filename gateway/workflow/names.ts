import type { Locale } from '../platform/http'

/** What a member of staff is called in a language, in SQL over `sys_staff s`: without an English name by the own one. */
export const staffName = (locale: Locale): string => (locale === 'en' ? "coalesce(nullif(s.name_en, ''), s.name)" : 's.name')

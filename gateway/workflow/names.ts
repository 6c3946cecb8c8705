import type { Locale } from '../platform/http'

/** What a member of staff is called in a language, in SQL over `sys_staff` under an alias: without an English name by the own one. */
export const staffName = (locale: Locale, alias = 's'): string =>
  locale === 'en' ? `coalesce(nullif(${alias}.name_en, ''), ${alias}.name)` : `${alias}.name`

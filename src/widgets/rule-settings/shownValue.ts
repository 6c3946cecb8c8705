import { countryName, showNumber } from '../../schema/formats'
import type { Locale } from '../../schema/problem'
import { ruleTexts } from './texts'
import type { Override, ParamWords, RuleSubject } from './types'

/** A parameter as people read it: grouped numbers, the words of its form for codes, the members of an entry by their names. */
export const shownValue = (value: unknown, locale: Locale, words: ParamWords = {}, member = ''): string => {
  const texts = ruleTexts[locale]
  const { choices, countries } = words[member] ?? {}
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (Array.isArray(value)) return value.map((one) => shownValue(one, locale, words, member)).join(texts.and) || '—'
  const order = Object.keys(words)
  if (typeof value === 'object')
    return Object.entries(value)
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .filter(([, one]) => one !== null && one !== '')
      .map(([name, one]) => {
        const title = typeof one === 'string' ? undefined : words[name]?.title?.[locale]
        return `${title === undefined ? '' : `${title} `}${shownValue(one, locale, words, name)}`
      })
      .join(' · ')
  if (typeof value === 'number') return showNumber(value, locale)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (countries) return countryName(value, locale) || value
  return choices?.[value]?.[locale] ?? value
}

/** For whom an exception holds: the gateway names all but countries, which have words of their own. */
export const shownTarget = ({ targetType, target }: Override, locale: Locale): string =>
  targetType === 'country' ? countryName(target, locale) || target : target

/** What a subject of a rule is called. */
export const subjectName = ({ id, label }: RuleSubject, locale: Locale, words: 'targets' | 'one' = 'targets'): string => {
  const own: Readonly<Record<string, string>> = ruleTexts[locale][words]
  return label?.[locale] ?? own[id] ?? id
}

/** Entries of a list that stand in one version only, one by one; null where the value is no list in both. */
export const listChange = (before: unknown, after: unknown): { gone: readonly unknown[]; added: readonly unknown[] } | null => {
  if (!Array.isArray(before) || !Array.isArray(after)) return null
  const [old, fresh]: unknown[][] = [before, after]
  const without = (some: readonly unknown[], others: readonly unknown[]): readonly unknown[] => {
    const known = new Set(others.map(keyOf))
    return some.filter((one) => !known.has(keyOf(one)))
  }
  return { gone: without(old ?? [], fresh ?? []), added: without(fresh ?? [], old ?? []) }
}

/** One text for the same entry, whatever the order of its members. */
const keyOf = (value: unknown): string =>
  JSON.stringify(typeof value === 'object' && value !== null ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value)

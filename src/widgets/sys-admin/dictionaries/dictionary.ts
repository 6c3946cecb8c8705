import type { Locale } from '../../../schema/problem'

export const SYS_DICT = '/v2/sys/staff/sysDict'
/** Form of one value. */
export const VALUE_FORM = 'sys/dictionary-value'

interface Text {
  zh: string
  en: string
}

/** A dictionary as the list of a module's dictionaries shows it. */
export interface DictionarySummary {
  name: string
  label: Text
  /** False: code depends on the values, they can only be looked at. */
  editable: boolean
  values: number
  retired: number
  /** Values that differ from the release. */
  changed: number
  version: number
}

export interface DictionaryValue {
  code: string
  label: Text
  color: string | null
  retired: boolean
  /** Code depends on it: it may be renamed, never retired. */
  fixed: boolean
  origin: 'released' | 'added' | 'kept'
  changed: boolean
  /** Words of the release; null when the release has no such value. */
  released: Text | null
}

export interface DictionaryDetail extends DictionarySummary {
  mayEdit: boolean
  items: DictionaryValue[]
}

export interface DictionaryUsage {
  /** Fields that hold codes of the dictionary. */
  fields: Text[]
  used: Readonly<Record<string, readonly { title: Text; count: number; deleted: number }[]>>
}

export interface DictionaryLog {
  records: { id: string; at: string; by: string; changes: { field: string; before: unknown; after: unknown }[] | null }[]
}

/** What can be done with a value. */
export type ValueAction = 'edit' | 'up' | 'down' | 'retire' | 'restore' | 'remove'

/** Dictionaries with a word in their name, code or label. */
export const searchDictionaries = (all: readonly DictionarySummary[], keyword: string): readonly DictionarySummary[] => {
  const wanted = keyword.trim().toLowerCase()
  return wanted === ''
    ? all
    : all.filter(({ name, label }) => [name, label.zh, label.en].some((text) => text.toLowerCase().includes(wanted)))
}

/** The codes with one of them at the place of another. */
export const movedCodes = (codes: readonly string[], from: string, to: string): string[] => {
  const rest = codes.filter((code) => code !== from)
  const forward = codes.indexOf(from) < codes.indexOf(to)
  rest.splice(rest.indexOf(to) + (forward ? 1 : 0), 0, from)
  return rest
}

/** Rows that hold a value, over all places. */
export const rowsOf = (usage: DictionaryUsage, code: string): number =>
  (Object.hasOwn(usage.used, code) ? (usage.used[code] ?? []) : []).reduce((sum, { count }) => sum + count, 0)

export const otherLocale = (locale: Locale): Locale => (locale === 'zh' ? 'en' : 'zh')

import { getLocaleByPath, registerValidateRules } from '@formily/core'
import { formatFieldOf, formatOf, isDay, jsonNumber, readNumber } from '../../schema/formats'
import type { FieldKind, PageField, FormNodeModel } from '../../schema/model'
import { lacksEngine, matchesPattern, setPatternEngine } from '../../schema/pattern/match'
import type { Locale } from '../../schema/problem'
import { text } from './texts'
import { asAmount } from './amounts'
import type { FieldProps } from './types'
import { hasExpression } from './fieldProps'
import { pageField } from './node'

/** Loads what matches patterns that are not plain. Without a connection they count as matched: the gateway looks again. */
const loadEngine = (): Promise<void> =>
  import('../../schema/pattern/re2').then(
    ({ re2Engine }) => setPatternEngine(re2Engine),
    () => undefined,
  )

/** A bound of Formily that may be a day, too: days and moments are compared by their calendar day, all else as numbers. */
const bounded =
  (word: 'minimum' | 'maximum') =>
  (value: unknown, rule: Readonly<Record<string, unknown>>): string => {
    const bound = rule[word]
    if (value === undefined || value === null || value === '' || bound === undefined) return ''
    const isDays = typeof bound === 'string' && isDay(bound.slice(0, DAY_LENGTH)) && typeof value === 'string'
    const [held, limit] = isDays ? [value.slice(0, DAY_LENGTH), bound.slice(0, DAY_LENGTH)] : [Number(value), Number(bound)]
    return (word === 'minimum' ? held < limit : held > limit) ? (rule.message as string) : ''
  }
const DAY_LENGTH = '2026-01-31'.length

// Formily would match with JavaScript's own engine, and knows no days
registerValidateRules({
  minimum: bounded('minimum'),
  maximum: bounded('maximum'),
  pattern: async (value: unknown, rule: { pattern?: unknown; message?: unknown }) => {
    if (typeof rule.pattern !== 'string' || value === undefined || value === null || value === '') return ''
    if (lacksEngine(rule.pattern)) await loadEngine()
    return matchesPattern(rule.pattern, String(value)) ? '' : (rule.message as string)
  },
})

/** What the words of a node ask of its value. */
export interface Limits {
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  pattern?: string
  const?: unknown
}

const NUMBERS = [
  ...(['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['minItems', 'maxItems'] as const),
] as const

const limitsOf = (node: FormNodeModel): Limits | null => {
  const words: Readonly<Record<string, unknown>> = { ...node }
  const limits: Limits = {}
  for (const word of NUMBERS) {
    const value = words[word]
    if (typeof value === 'number') limits[word] = value
  }
  if (typeof words.pattern === 'string') limits.pattern = words.pattern
  if (words.uniqueItems === true) limits.uniqueItems = true
  if (words.const !== undefined && !hasExpression(words.const)) limits.const = words.const
  return Object.keys(limits).length > 0 ? limits : null
}

/** Codepoints, as people and the database count them. */
const lengthOf = (value: string): number => [...value].length

/** The first thing that is wrong with a value that is there, or ''. Pure. */
export const checkLimits = (value: unknown, limits: Limits, locale: Locale): string => {
  if (value === undefined || value === null || value === '') return ''
  if (limits.const !== undefined && JSON.stringify(value) !== JSON.stringify(limits.const))
    return text(locale, 'notThis', { value: String(limits.const) })
  if (Array.isArray(value)) return checkItems(value, limits, locale)
  const amount = checkAmount(value, limits, locale)
  if (amount !== '') return amount
  const { minLength, maxLength, pattern } = limits
  if (typeof value !== 'string') return ''
  const length = lengthOf(value)
  if (minLength !== undefined && length < minLength) return text(locale, 'tooShort', { n: minLength })
  if (maxLength !== undefined && length > maxLength) return text(locale, 'tooLong', { n: maxLength, m: length })
  return pattern !== undefined && !matchesPattern(pattern, value) ? text(locale, 'badPattern') : ''
}

const checkItems = (value: readonly unknown[], { minItems, maxItems, uniqueItems }: Limits, locale: Locale): string => {
  if (minItems !== undefined && value.length < minItems) return text(locale, 'tooFew', { n: minItems })
  if (maxItems !== undefined && value.length > maxItems) return text(locale, 'tooMany', { n: maxItems })
  if (uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length) return text(locale, 'twice')
  return ''
}

/** Exact: 0.3 is a multiple of 0.1. */
const checkAmount = (value: unknown, limits: Limits, locale: Locale): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  if (minimum !== undefined && Number(value) < minimum) return text(locale, 'tooSmall', { n: minimum })
  if (maximum !== undefined && Number(value) > maximum) return text(locale, 'tooLarge', { n: maximum })
  if (exclusiveMinimum !== undefined && Number(value) <= exclusiveMinimum)
    return text(locale, 'notAbove', { n: exclusiveMinimum })
  if (exclusiveMaximum !== undefined && Number(value) >= exclusiveMaximum)
    return text(locale, 'notBelow', { n: exclusiveMaximum })
  // everything and nothing is a multiple of 0
  if (multipleOf && readNumber(String(value))?.modulo(multipleOf).isZero() === false)
    return text(locale, 'noMultiple', { n: multipleOf })
  return ''
}

/** A number box keeps the text of a number that JSON cannot hold. */
const checkDigits = (value: unknown, locale: Locale): string => {
  const exact = typeof value === 'string' ? readNumber(value) : undefined
  return exact && typeof jsonNumber(exact) === 'string' ? text(locale, 'tooManyDigits') : ''
}

/** What the format of an entity field says of a value: the same that the gateway will say. */
const checkField = (value: unknown, field: PageField, locale: Locale, timeZone: string): string =>
  formatOf(field.kind).validate(asAmount(field, value), formatFieldOf(field), { locale, timeZone })?.[locale] ?? ''

/** Kinds whose text may be anything: checked only for length and pattern, when the field has either. */
const isFree = (field: PageField): boolean =>
  ['string', 'text', 'dictionary', 'dictionaries', 'ref', 'refs', 'boolean'].includes(field.kind) &&
  field.minLength === undefined &&
  field.maxLength === undefined &&
  field.maxItems === undefined &&
  field.pattern === undefined

/** Kinds whose value is chosen, not typed. */
const CHOSEN: readonly FieldKind[] = [
  'dictionary',
  'dictionaries',
  'ref',
  'refs',
  'country',
  'countries',
  'currency',
  'date',
  'dateTime',
]

const isChosen = (node: FormNodeModel, field: PageField | undefined): boolean =>
  node.enum !== undefined || (field !== undefined && CHOSEN.includes(field.kind))

/**
 * A rule of `x-validator` with Formily's own message in the language of the form: Formily itself has one language for all
 * forms, that of whichever set it last.
 */
const said = (rule: unknown, locale: Locale): unknown[] => {
  if (typeof rule === 'string') return [{ format: rule, message: messageOf(rule, locale) }]
  if (rule === null || typeof rule !== 'object' || 'message' in rule) return [rule]
  const { triggerType, ...limits } = rule as Readonly<Record<string, unknown>>
  return Object.entries(limits).map(([word, value]) => ({
    [word]: value,
    message: messageOf(word === 'format' ? String(value) : word, locale),
    ...(triggerType === undefined ? {} : { triggerType }),
  }))
}

const messageOf = (word: string, locale: Locale): unknown =>
  (getLocaleByPath(word, locale) as unknown) ?? (getLocaleByPath('pattern', locale) as unknown)

/** The validators of a node: the format of its entity field, its own words, then Formily's `x-validator`. */
export const validatorOf =
  (locale: Locale, timeZone: string) =>
  (node: FormNodeModel): FieldProps['validator'] => {
    const field = pageField(node)
    const limits = limitsOf(node)
    const given = node['x-validator']
    const all: unknown[] = []
    // Formily turns these words on when the field has them, keeps the message and fills in the title of the field
    const missing = isChosen(node, field) ? 'choiceRequired' : 'required'
    const named = node.title !== undefined || field !== undefined
    all.push({
      required: false,
      message: named ? text(locale, missing, { label: '{{field.title}}' }) : text(locale, 'requiredHere'),
    })
    const words: Readonly<Record<string, unknown>> = { ...node }
    for (const word of NUMBERS) if (hasExpression(words[word])) all.push({ [word]: undefined, message: messageOf(word, locale) })
    const check = (pattern: string | undefined, problemOf: (value: unknown) => string): void => {
      if (pattern === undefined || !lacksEngine(pattern)) return void all.push(problemOf)
      const loaded = loadEngine()
      all.push((value: unknown) => loaded.then(() => problemOf(value)))
    }
    if (field && !isFree(field)) check(field.pattern, (value) => checkField(value, field, locale, timeZone))
    if (node.type === 'number' && !field) all.push((value: unknown) => checkDigits(value, locale))
    if (limits) check(limits.pattern, (value) => checkLimits(value, limits, locale))
    // one with expressions is set by the field's reaction
    if (given !== undefined && !hasExpression(given)) all.push(...[given].flat().flatMap((rule: unknown) => said(rule, locale)))
    return all as FieldProps['validator']
  }

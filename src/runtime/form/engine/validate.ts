import { registerValidateLocale, setValidateLanguage } from '@formily/core'
import { toExact } from '../../../schema/formats/decimal'
import { isDay } from '../../../schema/formats/time'
import type { FieldModel, FormNodeModel } from '../../../schema/model'
import type { Locale } from '../../../schema/problem'
import { text } from '../texts'
import type { FieldProps } from './fieldProps'
import { hasExpression } from './fieldProps'
import { fieldModel } from './node'

// `{{field.title}}` is filled in by Formily from the field that is checked.
registerValidateLocale({
  'zh-CN': { required: text('zh', 'required', { label: '{{field.title}}' }) },
  en: { required: text('en', 'required', { label: '{{field.title}}' }) },
})

/** Formily's own messages follow the language of the portal. */
export const setMessageLanguage = (locale: Locale): void => setValidateLanguage(locale === 'zh' ? 'zh-CN' : 'en')

const EMAIL = /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]{2,}$/
const PHONE = /^\+[1-9][0-9]{6,14}$/
const NUMBERS = new Set(['integer', 'decimal', 'money', 'percent'])

/** What a value has to keep to; an entity field and the node's own words together. */
interface Limits {
  kind: FieldModel['kind'] | undefined
  minLength: number | undefined
  maxLength: number | undefined
  minimum: number | undefined
  maximum: number | undefined
  maxItems: number | undefined
  scale: number | undefined
  pattern: RegExp | undefined
}

const numberWord = (node: FormNodeModel, word: string): number | undefined => {
  const value = (node as unknown as Readonly<Record<string, unknown>>)[word]
  return typeof value === 'number' ? value : undefined
}

const patternOf = (node: FormNodeModel, field: FieldModel | undefined): RegExp | undefined => {
  const source = (node as unknown as Readonly<Record<string, unknown>>).pattern ?? field?.pattern
  if (typeof source !== 'string') return undefined
  try {
    return new RegExp(source, 'u')
  } catch {
    // the validator of the language refuses such a pattern; the gateway checks it again
    return undefined
  }
}

const limitsOf = (node: FormNodeModel, field: FieldModel | undefined): Limits => ({
  kind: field?.kind,
  minLength: numberWord(node, 'minLength') ?? field?.minLength,
  maxLength: numberWord(node, 'maxLength') ?? field?.maxLength,
  minimum: numberWord(node, 'minimum') ?? field?.minimum,
  maximum: numberWord(node, 'maximum') ?? field?.maximum,
  maxItems: numberWord(node, 'maxItems') ?? field?.maxItems,
  scale: field?.scale,
  pattern: patternOf(node, field),
})

const isUnlimited = (limits: Limits): boolean => {
  const { kind, ...rest } = limits
  const checkedKind = kind && (NUMBERS.has(kind) || ['email', 'url', 'phone', 'date'].includes(kind))
  return !checkedKind && Object.values(rest).every((limit) => limit === undefined)
}

/** Codepoints, as people and the database count them. */
const lengthOf = (value: string): number => [...value].length

/** The first thing that is wrong with a value that is there, or ''. Pure. */
export const checkValue = (value: unknown, limits: Limits, locale: Locale): string => {
  if (value === undefined || value === null || value === '') return ''
  const say = (...given: Parameters<typeof text> extends [Locale, ...infer Rest] ? Rest : never): string => text(locale, ...given)
  const { kind } = limits
  if (Array.isArray(value))
    return limits.maxItems !== undefined && value.length > limits.maxItems ? say('tooMany', { n: limits.maxItems }) : ''
  if (kind && NUMBERS.has(kind)) {
    const exact = toExact(value)
    if (!exact) return say('notNumber')
    if (kind === 'integer' && !exact.isInteger()) return say('notInteger')
    if (limits.scale !== undefined && exact.decimalPlaces() > limits.scale) return say('tooPrecise', { n: limits.scale })
    if (limits.minimum !== undefined && exact.lessThan(limits.minimum)) return say('tooSmall', { n: limits.minimum })
    return limits.maximum !== undefined && exact.greaterThan(limits.maximum) ? say('tooLarge', { n: limits.maximum }) : ''
  }
  if (typeof value === 'number') {
    if (limits.minimum !== undefined && value < limits.minimum) return say('tooSmall', { n: limits.minimum })
    return limits.maximum !== undefined && value > limits.maximum ? say('tooLarge', { n: limits.maximum }) : ''
  }
  if (typeof value !== 'string') return ''
  const length = lengthOf(value)
  if (limits.minLength !== undefined && length < limits.minLength) return say('tooShort', { n: limits.minLength })
  if (limits.maxLength !== undefined && length > limits.maxLength) return say('tooLong', { n: limits.maxLength, m: length })
  if (kind === 'email' && !EMAIL.test(value)) return say('badEmail')
  if (kind === 'url' && !/^https?:\/\/[^\s/]+/i.test(value)) return say('badUrl')
  if (kind === 'phone' && !PHONE.test(value)) return say('badPhone')
  if (kind === 'date' && !isDay(value)) return say('badDate')
  return limits.pattern && !limits.pattern.test(value) ? say('badPattern') : ''
}

/** The validators of a node: the limits of its entity field and of its own words, then Formily's `x-validator`. */
export const validatorOf =
  (locale: Locale) =>
  (node: FormNodeModel): FieldProps['validator'] => {
    const limits = limitsOf(node, fieldModel(node))
    const own = isUnlimited(limits) ? [] : [(value: unknown) => checkValue(value, limits, locale)]
    const given = node['x-validator']
    // one with expressions is set by the field's reaction
    const more = given === undefined || hasExpression(given) ? [] : Array.isArray(given) ? given : [given]
    const all = [...own, ...more] as Exclude<FieldProps['validator'], undefined>
    return Array.isArray(all) && all.length === 0 ? undefined : all
  }

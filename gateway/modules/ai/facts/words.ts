import type { FieldModel } from '../../../../src/schema/entity'
import { countryName, currencyDigits, exactText, showNumber, toExact } from '../../../../src/schema/formats'
import type { AggregateValue } from '../../../../src/schema/model'
import type { EntityEngine, EntityRecord, References } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Locale } from '../../../platform/http'
import type { Measure } from './subjects'

/** Decimals of a price of one unit. */
const PRICE_DIGITS = 6

/** A number with its thousands parted, and at most so many decimals. */
export function figure(value: string | number, decimals = 2): string {
  const exact = toExact(value)
  return exact ? showNumber(exactText(exact.toDecimalPlaces(decimals)), 'en') : '0'
}

/** An amount with the decimals of its currency; a price of one unit keeps those that it has more. */
function amountOf(value: string | number, currency: string): string {
  const exact = toExact(value)
  const digits = currencyDigits(currency)
  const own = Math.min(exact?.decimalPlaces() ?? 0, PRICE_DIGITS)
  const isPrice = exact !== undefined && own > digits && exact.abs().lt(1)
  return `${showNumber(value, 'en', isPrice ? own : digits)}${currency === '' ? '' : ` ${currency}`}`
}

/** A figure of a measure in words. */
export function told(measure: Pick<Measure, 'kind'> | undefined, value: AggregateValue | undefined, locale: Locale): string {
  if (value === undefined || value === null)
    return measure?.kind === 'money' ? amountOf(0, 'USD') : measure?.kind === 'percent' ? '—' : '0'
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([currency, amount]) => amountOf(amount, currency))
    return parts.length === 0 ? '0' : parts.join(locale === 'zh' ? '、' : ', ')
  }
  if (measure?.kind === 'percent') return `${figure((Number(value) * 100).toFixed(2))}%`
  return measure?.kind === 'money' ? amountOf(value, 'USD') : figure(value)
}

export interface Shown {
  engine: EntityEngine
  refs: References
  locale: Locale
  zone: string
}

/** A value of a record as a person reads it. */
export function shownValue({ engine, refs, locale, zone }: Shown, field: FieldModel, record: EntityRecord): string {
  const value = record[field.name]
  if (value === null || value === undefined || value === '') return ''
  const dictionary = field.field['x-dictionary']
  if (field.kind === 'ref') return refs[field.field['x-ref'] ?? '']?.[String(value)]?.title ?? ''
  if (Array.isArray(value))
    return value
      .map((one) => (dictionary === undefined ? String(one) : engine.dictionaryLabel(dictionary, String(one))[locale]))
      .join(', ')
  if (dictionary !== undefined) return engine.dictionaryLabel(dictionary, String(value))[locale]
  if (typeof value === 'boolean') return value ? (locale === 'zh' ? '是' : 'yes') : locale === 'zh' ? '否' : 'no'
  if (field.kind === 'country') return countryName(String(value), locale)
  if (field.kind === 'dateTime') return dayOf(String(value), zone)
  if (field.kind === 'money') {
    const currency = record['currency'] ?? record['settleCurrency']
    return amountOf(String(value), typeof currency === 'string' ? currency : '')
  }
  if (typeof value === 'object') return ''
  return (field.kind === 'integer' || field.kind === 'decimal') && /^-?[\d.]+$/.test(String(value))
    ? figure(String(value), 6)
    : String(value).slice(0, 80)
}

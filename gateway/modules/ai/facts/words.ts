import type { FieldModel } from '../../../../src/schema/entity'
import { countryName } from '../../../../src/schema/formats'
import type { AggregateValue } from '../../../../src/schema/model'
import type { EntityEngine, EntityRecord, References } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Locale } from '../../../platform/http'
import type { Measure } from './subjects'

/** A number with its thousands parted, and at most two decimals. */
export function figure(value: string | number, decimals = 2): string {
  const [whole = '0', rest = ''] = (typeof value === 'number' ? String(value) : value).split('.')
  const parted = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const exact = rest.replace(/0+$/, '')
  if (exact === '') return parted
  const rounded = Number(`${whole}.${rest}`).toFixed(decimals)
  const [roundedWhole = '', roundedRest = ''] = rounded.split('.')
  const plain = roundedRest.replace(/0+$/, '')
  return `${roundedWhole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}${plain === '' ? '' : `.${plain}`}`
}

/** A figure of a measure in words. */
export function told(measure: Pick<Measure, 'kind'> | undefined, value: AggregateValue | undefined, locale: Locale): string {
  if (value === undefined || value === null) return measure?.kind === 'money' ? '0 USD' : measure?.kind === 'percent' ? '—' : '0'
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([currency, amount]) => `${figure(amount)}${currency === '' ? '' : ` ${currency}`}`)
    return parts.length === 0 ? '0' : parts.join(locale === 'zh' ? '、' : ', ')
  }
  if (measure?.kind === 'percent') return `${figure((Number(value) * 100).toFixed(2))}%`
  return measure?.kind === 'money' ? `${figure(value)} USD` : figure(value)
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
    return `${figure(String(value))}${typeof currency === 'string' ? ` ${currency}` : ''}`
  }
  if (typeof value === 'object') return ''
  return (field.kind === 'integer' || field.kind === 'decimal') && /^-?[\d.]+$/.test(String(value))
    ? figure(String(value), 6)
    : String(value).slice(0, 80)
}

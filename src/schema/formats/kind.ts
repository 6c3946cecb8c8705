/** From a field's definition to its kind. */
import type { FieldKind } from '../model'
import type { FormatField } from './format'

const BY_FORMAT: Readonly<Record<string, FieldKind>> = {
  text: 'text',
  richText: 'richText',
  decimal: 'decimal',
  money: 'money',
  percent: 'percent',
  date: 'date',
  'date-time': 'dateTime',
  email: 'email',
  phone: 'phone',
  country: 'country',
  currency: 'currency',
  url: 'url',
  file: 'file',
  mccmnc: 'mccmnc',
  json: 'json',
}

/** Type, format, dictionary and reference decide; a decimal with a currency is money. */
export function fieldKind(field: FormatField): FieldKind {
  const type = typeof field.type === 'string' ? field.type : field.type?.find((one) => one !== 'null')
  if (type === 'array') return listKind(field)
  if (field['x-dictionary'] !== undefined) return 'dictionary'
  if (field['x-ref'] !== undefined) return 'ref'
  const named = field.format !== undefined && Object.hasOwn(BY_FORMAT, field.format) ? BY_FORMAT[field.format] : undefined
  if (named !== undefined && named !== 'decimal') return named
  if (field['x-money'] !== undefined) return 'money'
  if (named !== undefined) return named
  if (type === 'integer' || type === 'boolean') return type
  if (type === 'number') return 'decimal'
  return type === 'object' ? 'json' : 'string'
}

function listKind(field: FormatField): FieldKind {
  if (field['x-lines'] !== undefined) return 'lines'
  if (field['x-dictionary'] !== undefined) return 'dictionaries'
  if (field['x-ref'] !== undefined) return 'refs'
  const format = field.items?.format ?? field.format
  if (format === 'country') return 'countries'
  if (format === 'file') return 'files'
  if (format === 'json') return 'json'
  return field.items === undefined || field.items.type === 'string' ? 'strings' : 'json'
}

import { allFields, entityPath } from '../../../schema/entity/fields'
import { fieldKind } from '../../../schema/formats'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { EntityDocument, EntityField } from '../../../schema/generated/entity'
import type { Locale } from '../../../schema/problem'

export const SAMPLE_ID = 'example'
const ROWS = 3

type Dictionaries = Readonly<Record<string, DictionaryDocument>>

/**
 * What a reading call of an entity answers in the preview when the admin may not read the data: rows that are plainly
 * examples, so that columns and fields can still be seen. Undefined for other calls.
 */
export const sampleAnswer = (
  path: string,
  entities: Readonly<Record<string, EntityDocument>>,
  dictionaries: Dictionaries,
  locale: Locale,
  now: Date,
): unknown => {
  const entity = Object.values(entities).find((known) => path.startsWith(`${entityPath(known)}/`))
  if (!entity) return undefined
  const record = (number: number): Record<string, unknown> =>
    Object.fromEntries([
      ...allFields(entity).map(({ name, field }) => [name, valueOf(name, field, number, dictionaries, locale, now)]),
      ['id', `${SAMPLE_ID}${number === 1 ? '' : number}`],
      ['version', 1],
    ])
  const call = path.slice(entityPath(entity).length)
  const records = Array.from({ length: ROWS }, (_, index) => record(index + 1))
  if (call === '/queryPage') return { records, total: ROWS, pageNo: 1, pageSize: ROWS, refs: {} }
  if (call === '/select')
    return records.map(({ id, [entity.titleField]: title }, index) => ({
      id,
      title: title ?? `${entity.label[locale]} ${index + 1}`,
    }))
  if (call.startsWith('/view/')) return { record: record(1), refs: {}, can: { edit: true, delete: true, transitions: {} } }
  if (call.startsWith('/log/')) return { records: [], refs: {}, more: false }
  return undefined
}

const valueOf = (
  name: string,
  field: EntityField,
  number: number,
  dictionaries: Dictionaries,
  locale: Locale,
  now: Date,
): unknown => {
  const codes = dictionaries[field['x-dictionary'] ?? '']?.items.map(({ code }) => code) ?? []
  const code = codes[(number - 1) % Math.max(1, codes.length)] ?? null
  switch (fieldKind(field)) {
    case 'dictionary':
      return code
    case 'dictionaries':
      return code === null ? [] : [code]
    case 'integer':
      return number * 10
    case 'decimal':
    case 'percent':
      return String(number * 10)
    case 'boolean':
      return number % 2 === 1
    case 'date':
      return now.toISOString().slice(0, 10)
    case 'dateTime':
      return now.toISOString()
    case 'string':
    case 'text':
      return `${field['x-label']?.[locale] ?? name} ${number}`
    default:
      return null
  }
}

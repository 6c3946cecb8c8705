import type { FieldModel } from '../../src/schema/entity'
import { formatOf } from '../../src/schema/formats'

/** How PostgreSQL holds a field: decimals as numeric, lists and objects as jsonb, moments as timestamptz. */
export type Storage = 'text' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamp' | 'json'

const BY_STORE = {
  text: 'text',
  varchar: 'text',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'timestamp',
  jsonb: 'json',
} as const

/** Lists of plain texts: filtered by overlap. */
export const isTextList = (field: Pick<FieldModel, 'kind'>): boolean => formatOf(field.kind).store.list === true

export function storageOf(field: Pick<FieldModel, 'kind'>): Storage {
  return BY_STORE[formatOf(field.kind).store.sql]
}

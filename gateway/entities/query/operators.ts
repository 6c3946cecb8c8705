import type { FieldModel } from '../../../src/schema/entity'
import { formatOf } from '../../../src/schema/formats'
import type { FilterOperator } from '../../../src/schema/model'
import { storageOf } from '../storage'

const IDENTITY: readonly FilterOperator[] = ['in', 'eq', 'ne', 'notIn', 'empty', 'notEmpty']

/** What may be asked about a field; the first one is meant when a condition names none. */
export function operatorsOf(field: FieldModel): readonly FilterOperator[] {
  return field.name === 'id' ? IDENTITY : formatOf(field.kind).operators
}

/** Lists and objects have no order. */
export function isSortable(field: FieldModel): boolean {
  return field.storage === 'stored' && !field.internal && storageOf(field) !== 'json'
}

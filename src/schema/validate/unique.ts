import { pointer } from '../diagnosis'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'
import { checkFixedWhere } from './fixedWhere'

/** Field sets that no two live records share: their ids, fields and conditions. */
export const checkUnique = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const keys = entity['x-unique'] ?? []
  checker.unique(
    keys.map(({ id }) => id),
    '/x-unique',
    'id',
  )
  keys.forEach(({ fields: names, where }, row) => {
    names.forEach((name, index) => checker.field(fields, name, pointer('/x-unique', row, 'fields', index), entity.name))
    checkFixedWhere(checker, entity, fields, where, pointer('/x-unique', row, 'where'))
  })
}

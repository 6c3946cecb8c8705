import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../src/schema/entity'
import type { Condition } from '../../src/schema/generated/entity'
import { storageOf, type Storage } from './storage'

const CAST: Readonly<Record<Storage, string>> = {
  text: 'text',
  integer: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
}

/**
 * Conditions with fixed values (`x-unique`, `x-effective`, `x-participants`) in SQL that may stand in the definition of an index.
 * Without an alias the columns stand bare. The validator keeps out whatever this does not know.
 */
export function fixedWhere(model: EntityModel, where: readonly Condition[] | undefined, alias?: string): SQL[] {
  return (where ?? []).map(({ field: name, operator, value }) => {
    const field = model.fields.get(name)
    if (!field) throw new Error(`${model.name}: a condition names "${name}", which is no field.`)
    const own = sql.identifier(field.column)
    return fixedSql(field, alias === undefined ? sql`${own}` : sql`${sql.identifier(alias)}.${own}`, operator ?? 'eq', value)
  })
}

function fixedSql(field: FieldModel, column: SQL, operator: string, value: unknown): SQL {
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  const given = (one: unknown) => sql`${one}::${sql.raw(CAST[storageOf(field)])}`
  switch (operator) {
    case 'empty':
      return sql`${column} is null`
    case 'notEmpty':
      return sql`${column} is not null`
    case 'ne':
    case 'notIn':
      return sql`(${sql.join(
        values.map((one) => sql`${column} is distinct from ${given(one)}`),
        sql` and `,
      )})`
    case 'eq':
    case 'in':
      return sql`(${sql.join(
        values.map((one) => sql`${column} = ${given(one)}`),
        sql` or `,
      )})`
    default:
      throw new Error(`A condition with fixed values does not know "${operator}".`)
  }
}

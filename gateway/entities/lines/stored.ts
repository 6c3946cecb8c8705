import { sql } from 'drizzle-orm'
import type { EntityModel, LinesField } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import { storedColumns } from '../read/record'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'

/** Lines that a record is answered with; of more the browser asks page by page. */
export const MOST_VIEWED = 2_000

/** The entity whose rows a field holds. */
export const lineModel = (registry: Registry, field: LinesField): EntityModel => registry.model(field.rows.entity)

interface StoredOptions {
  /** Held until the transaction ends. */
  lock?: boolean
  /** Deleted ones instead of live ones. */
  deleted?: boolean
  /** Only these. */
  ids?: readonly string[]
  limit?: number
}

/** The lines that some records hold in a field, each with all its stored fields, in their order. */
export async function storedLines(
  registry: Registry,
  db: Executor,
  field: LinesField,
  parents: readonly string[],
  { lock = false, deleted = false, ids, limit }: StoredOptions = {},
): Promise<EntityRecord[]> {
  if (parents.length === 0) return []
  const model = lineModel(registry, field)
  const column = (name: string) => columnSql('t', model.fields.get(name)!)
  const live = sql`${column('deletedAt')} is ${sql.raw(deleted ? 'not null' : 'null')}`
  const some = ids === undefined ? sql`` : sql` and ${column('id')} = any(${textArray(ids)})`
  const { rows } = await db.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${column(field.rows.parent)} = any(${textArray(parents)}) and ${live}${some} order by ${column('position')}, ${column('id')}${limit === undefined ? sql`` : sql` limit ${limit}`}${lock ? sql` for update of t` : sql``}`,
  )
  return rows
}

/** Rows by the record that they belong to. */
export function byParent(field: LinesField, rows: readonly EntityRecord[]): ReadonlyMap<string, EntityRecord[]> {
  const found = new Map<string, EntityRecord[]>()
  for (const row of rows) {
    const parent = String(row[field.rows.parent])
    const siblings = found.get(parent)
    if (siblings) siblings.push(row)
    else found.set(parent, [row])
  }
  return found
}

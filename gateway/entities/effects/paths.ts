import { sql } from 'drizzle-orm'
import { exactValue, referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import { columnSql, tableSql } from '../tables'

/**
 * What paths through references lead to, for each record: path -> value, null where a step names nothing. One statement a step,
 * however many records there are.
 */
export async function loadPaths(
  db: Executor,
  model: EntityModel,
  records: readonly EntityRecord[],
  paths: readonly string[],
): Promise<ReadonlyMap<EntityRecord, EntityRecord>> {
  const loaded = new Map<EntityRecord, EntityRecord>(records.map((record) => [record, {}]))
  const byReference = new Map<string, string[]>()
  for (const path of paths) {
    const dot = path.indexOf('.')
    const reference = path.slice(0, dot)
    byReference.set(reference, [...(byReference.get(reference) ?? []), path.slice(dot + 1)])
  }
  for (const [reference, rests] of byReference) {
    const field = model.fields.get(reference)
    const target = field && model.find(referenceOf(field) ?? '')
    if (!target) continue
    const found = await readTargets(db, target, idsOf(records, reference), rests)
    const further = rests.filter((rest) => rest.includes('.'))
    const behind = further.length > 0 ? await loadPaths(db, target, [...found.values()], further) : undefined
    for (const [record, values] of loaded) {
      const row = found.get(String(record[reference]))
      for (const rest of rests)
        values[`${reference}.${rest}`] =
          (row && (rest.includes('.') ? behind?.get(row)?.[rest] : exactValue(target, rest, row[rest], row))) ?? null
    }
  }
  return loaded
}

function idsOf(records: readonly EntityRecord[], field: string): string[] {
  const ids = records.map((record) => record[field]).filter((id): id is string => typeof id === 'string')
  return [...new Set(ids)]
}

async function readTargets(
  db: Executor,
  target: EntityModel,
  ids: readonly string[],
  rests: readonly string[],
): Promise<ReadonlyMap<string, EntityRecord>> {
  if (ids.length === 0) return new Map()
  const names = new Set(['id', ...rests.map((rest) => rest.split('.', 1)[0]!)])
  // with an amount its currency
  for (const name of [...names]) names.add(target.fields.get(name)?.field['x-money'] ?? name)
  const columns = target.stored
    .filter(({ name }) => names.has(name))
    .map((field) => sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`)
  const { rows } = await db.query<EntityRecord>(
    sql`select ${sql.join(columns, sql`, `)} from ${tableSql(target, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)})`,
  )
  return new Map(rows.map((row) => [String(row.id), row]))
}

import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import { decidesEffective, effectiveOf, keyLockSql } from '../effective'

/**
 * Holds keys until the transaction ends, so that whoever writes rows of one of them counts after the others. All keys of a write are
 * taken in one order and one statement, so that two writers never wait for each other.
 */
export async function lockKeys(db: Executor, keys: Iterable<string>): Promise<void> {
  const all = [...new Set(keys)]
  if (all.length === 0) return
  await lock(db, sql`select hashtextextended(key, 0) as number from unnest(${textArray(all)}) key`)
}

const lock = (db: Executor, numbers: SQL): Promise<unknown> =>
  db.query(sql`select pg_advisory_xact_lock(number) from (select distinct number from (${numbers}) keys order by 1) numbers`)

/** Holds the keys of new rows that hold for a time (`x-effective`), before they are written: the commit would wait for others' rows. */
export async function lockNewKeys(db: Executor, model: EntityModel, records: readonly EntityRecord[]): Promise<void> {
  const effective = effectiveOf(model)
  if (effective) await lock(db, sql`select ${keyLockSql(model, effective, 'k')} as number from ${rowsSql(model, records)} k`)
}

/** The same for rows whose named fields are going to change: the keys that they have, and those that they will have. */
export async function lockChangedKeys(
  db: Executor,
  model: EntityModel,
  names: readonly string[],
  records: readonly EntityRecord[],
): Promise<void> {
  const effective = decidesEffective(model, names) ? effectiveOf(model) : undefined
  if (!effective) return
  const table = sql.identifier(model.table)
  const stored = sql`select ${keyLockSql(model, effective, 't')} as number from ${table} t where t."id" = any(${textArray(records.map(({ id }) => String(id)))})`
  const given = JSON.stringify(records.map((record) => ({ id: record.id, row: columnsOf(model, record, names) })))
  const later = sql`select ${keyLockSql(model, effective, 'k')} as number from jsonb_to_recordset(${given}::jsonb) as given(id text, "row" jsonb) join ${table} t on t."id" = given.id cross join lateral jsonb_populate_record(t, given."row") k`
  await lock(db, sql`${stored} union all ${later}`)
}

const rowsSql = (model: EntityModel, records: readonly EntityRecord[]): SQL =>
  sql`json_populate_recordset(null::${sql.identifier(model.table)}, ${JSON.stringify(records.map((record) => columnsOf(model, record)))}::json)`

/** A record by its columns, as JSON that the database turns into a row. */
export function columnsOf(
  model: EntityModel,
  record: EntityRecord,
  names: readonly string[] = Object.keys(record),
): EntityRecord {
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = model.fields.get(name)
      return field?.storage === 'stored' && name in record ? [[field.column, record[name]]] : []
    }),
  )
}

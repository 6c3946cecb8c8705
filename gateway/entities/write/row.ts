import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { constraintOf, isUniqueViolation, type Executor } from '../../platform/database'
import type { Locale } from '../../platform/http'
import { refusal } from '../errors'
import type { EntityRecord } from '../calls'
import { storageOf } from '../storage'
import { uniqueIndexName, uniqueKeys, type UniqueKey } from '../tables'
import { ensureDaysOf } from '../partition'
import { lockChangedKeys, lockNewKeys } from './keyLocks'
import { insertStatement } from './manyRows'
import { withCleanTexts } from './richText'
import { keysOfRow } from '../search/keys'
import { sameValue } from '../sameValue'

/** Writes a whole new row. @throws ServiceError 10010008 naming the fields of a unique value that is taken. */
export async function insertRow(db: Executor, locale: Locale, model: EntityModel, record: EntityRecord): Promise<void> {
  const [clean = record] = withCleanTexts(model, [record])
  const keys = Object.entries(keysOfRow(model, clean))
  const columns = [...model.columns.map(({ column }) => column), ...keys.map(([column]) => column)]
  const values = [...model.columns.map((field) => valueSql(field, clean[field.name])), ...keys.map(([, key]) => sql`${key}`)]
  await ensureDaysOf(db, model, [record])
  await lockNewKeys(db, model, [record])
  await guarded(model, locale, () =>
    db.query(
      sql`insert into ${sql.identifier(model.table)} (${sql.join(
        columns.map((column) => sql.identifier(column)),
        sql`, `,
      )}) values (${sql.join(values, sql`, `)})`,
    ),
  )
}

/** Rows of one statement. */
const MOST_AT_ONCE = 500

/** Many rows in as few statements as possible; rows must be checked already. */
export async function insertRows(
  db: Executor,
  locale: Locale,
  model: EntityModel,
  records: readonly EntityRecord[],
): Promise<void> {
  for (let start = 0; start < records.length; start += MOST_AT_ONCE) {
    const some = withCleanTexts(model, records.slice(start, start + MOST_AT_ONCE))
    await ensureDaysOf(db, model, some)
    await lockNewKeys(db, model, some)
    await guarded(model, locale, () => db.query(insertStatement(model, some)))
  }
}

/** Changes the same fields of many rows, each to its own values. @throws ServiceError 10010008 as `insertRow` */
export async function updateRows(
  db: Executor,
  locale: Locale,
  model: EntityModel,
  names: readonly string[],
  records: readonly EntityRecord[],
): Promise<void> {
  const columns = names.map((name) => model.fields.get(name)!.column)
  const written = new Set(names)
  const keys = Object.keys(keysOfRow(model, {}, written))
  const parts = [...columns, ...keys].map((column) => sql`${sql.identifier(column)} = v.${sql.identifier(column)}`)
  const table = sql.identifier(model.table)
  for (let start = 0; start < records.length; start += MOST_AT_ONCE) {
    const some = withCleanTexts(model, records.slice(start, start + MOST_AT_ONCE))
    await lockChangedKeys(db, model, names, some)
    const rows = some.map((record) => ({
      id: record.id,
      ...Object.fromEntries(names.map((name, index) => [columns[index], record[name] ?? null])),
      ...keysOfRow(model, record, written),
    }))
    await guarded(model, locale, () =>
      db.query(
        sql`update ${table} t set ${sql.join(parts, sql`, `)} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json) v where t."id" = v."id"`,
      ),
    )
  }
}

/** Changes some fields of a row. */
export async function updateRow(
  db: Executor,
  locale: Locale,
  model: EntityModel,
  id: string,
  changes: EntityRecord,
): Promise<void> {
  await lockChangedKeys(db, model, Object.keys(changes), [{ id, ...changes }])
  const [clean = changes] = withCleanTexts(model, [changes])
  const parts = Object.entries(clean).map(([name, value]) => {
    const field = model.fields.get(name)!
    return sql`${sql.identifier(field.column)} = ${valueSql(field, value)}`
  })
  for (const [column, key] of Object.entries(keysOfRow(model, clean, new Set(Object.keys(clean)))))
    parts.push(sql`${sql.identifier(column)} = ${key}`)
  await guarded(model, locale, () =>
    db.query(sql`update ${sql.identifier(model.table)} set ${sql.join(parts, sql`, `)} where "id" = ${id}`),
  )
}

function valueSql(field: FieldModel, value: unknown): SQL {
  if (value === null || value === undefined) return sql`null`
  return storageOf(field) === 'json' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`
}

async function guarded(model: EntityModel, locale: Locale, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const constraint = constraintOf(error)
    // any other key of the table is that of its rows
    throw uniqueTaken(
      model,
      locale,
      uniqueKeys(model).find((key) => uniqueIndexName(model, key) === constraint) ?? { fields: ['id'] },
    )
  }
}

/** The refusal for a field set whose value another live row has; the value itself is not repeated. */
export function uniqueTaken(model: EntityModel, locale: Locale, key: UniqueKey): Error {
  const fields = key.fields.map((part) => model.fields.get(part)!)
  const zh = fields.map((field) => field.label.zh).join('、')
  const en = fields.map((field) => field.label.en).join(', ')
  const message = key.message ?? {
    zh: `“${zh}”已被另一条${model.label.zh}占用，请换一个值。`,
    en: `"${en}" is taken by another ${model.label.en.toLowerCase()}; please choose another value.`,
  }
  return refusal(
    'uniqueTaken',
    locale,
    key.fields.map((field) => ({ field, message })),
    key,
  )
}

/**
 * Only transitions write states: whatever else writes a record leaves its machines where they are, and a new record starts in the
 * initial state. Fields that a bulk change did not read are missing in both. @throws Error that names the field, for whoever wrote the code
 */
export function keepStates({ name, machines }: EntityModel, before: EntityRecord | null, record: EntityRecord): void {
  for (const { field, initial } of machines) {
    const [was, is] = [before ? before[field] : initial, record[field]]
    if (sameValue(was, is)) continue
    throw new Error(
      `Only transitions write ${name}.${field}: ${before ? `a save moved it from "${String(was)}" to` : 'a new record starts in'} "${String(is)}"${before ? '' : `, not in "${initial}"`}.`,
    )
  }
}

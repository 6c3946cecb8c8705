import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import { storageOf, type Storage } from '../storage'
import type { EntityRecord } from '../calls'
import { keysOfRow } from '../search/keys'

/** Types in which the values of a column are sent; what a column holds as JSON is sent as text and read only once. */
const SENT_AS: Readonly<Record<Storage, string>> = {
  text: 'text',
  integer: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'text',
}

/**
 * One statement that inserts whole new rows. Records of one batch have most values in common (owner, moments, defaults, nothing at
 * all): such a column is sent once, and only the others as a list with a value for each row.
 */
export function insertStatement(model: EntityModel, records: readonly EntityRecord[]): SQL {
  const lists: SQL[] = []
  const names: SQL[] = []
  const chosen = model.columns.map((field) => {
    const { name } = field
    const kind = storageOf(field)
    const given = records[0]?.[name] ?? null
    if (name !== 'id' && records.every((record) => (record[name] ?? null) === given))
      return given === null ? sql`null` : sql`${plain(kind, given)}`
    const own = sql.identifier(field.column)
    const values = records.map((record) => plain(kind, record[name]))
    lists.push(sql`${listSql(values, kind)}::${sql.raw(SENT_AS[kind])}[]`)
    names.push(sql`${own}`)
    return kind === 'json' ? sql`given.${own}::jsonb` : sql`given.${own}`
  })
  const keys = records.map((record) => keysOfRow(model, record))
  const keyColumns = Object.keys(keys[0] ?? {})
  for (const column of keyColumns) {
    const values = keys.map((row) => row[column] ?? null)
    if (values.every((value) => value === null)) {
      chosen.push(sql`null`)
      continue
    }
    lists.push(sql`${listSql(values, 'text')}::text[]`)
    names.push(sql`${sql.identifier(column)}`)
    chosen.push(sql`given.${sql.identifier(column)}`)
  }
  const columns = [...model.columns.map(({ column }) => column), ...keyColumns].map((column) => sql.identifier(column))
  return sql`insert into ${sql.identifier(model.table)} (${sql.join(columns, sql`, `)}) select ${sql.join(chosen, sql`, `)} from unnest(${sql.join(lists, sql`, `)}) as given(${sql.join(names, sql`, `)})`
}

/** Between the values of a list, and in the place of one that is empty; JSON never holds them, texts hardly ever. */
const BETWEEN = '\u001f'
const EMPTY = '\u001a'
const MARKS = /[\u001a\u001f]/

/** A value for each row. Joined values need no quoting, which takes longer than anything else of a large batch. */
function listSql(values: readonly unknown[], kind: Storage): SQL {
  if (kind !== 'json' && values.some((value) => MARKS.test(String(value)))) return sql`${sql.param(values)}`
  const joined = values.map((value) => (value === null ? EMPTY : String(value))).join(BETWEEN)
  // the text of a single row without a letter would be taken for no row at all
  return joined === '' ? sql`array['']` : sql`string_to_array(${joined}, ${BETWEEN}, ${EMPTY})`
}

/** A value as a parameter: of JSON columns its text, and of others what is no plain value. */
function plain(kind: Storage, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return kind === 'json' ? JSON.stringify(value) : value.toISOString()
  return kind === 'json' || typeof value === 'object' ? JSON.stringify(value) : value
}

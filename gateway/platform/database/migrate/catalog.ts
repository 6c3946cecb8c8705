import type { Executor } from '../types'

export interface StoredColumn {
  name: string
  type: string
  notNull: boolean
  /** Has a default or makes its own values, so that an insert may leave it out. */
  fills: boolean
  generated: boolean
}

/** What a table is in the database now. */
export interface StoredTable {
  columns: Map<string, StoredColumn>
  /** Name -> PostgreSQL's own definition. */
  indexes: Map<string, string>
  constraints: Map<string, { kind: string; definition: string }>
}

/** Definitions that earlier migrations made: `kind table name` -> text. Only what stands here is ever dropped or replaced. */
export type Records = Map<string, string>

export type RecordKind = 'index' | 'constraint' | 'default'

export function recordKey(kind: RecordKind, table: string, name: string): string {
  return `${kind} ${table} ${name}`
}

export const tableKey = (schema: string, name: string) => `${schema}.${name}`

/** Tables of the named schemas, by `schema.table`. */
export async function readCatalog(executor: Executor, schemas: readonly string[]): Promise<Map<string, StoredTable>> {
  const tables = new Map<string, StoredTable>()
  const { rows: columns } = await executor.query<{
    schema: string
    table: string
    name: string
    type: string
    notNull: boolean
    fills: boolean
    generated: boolean
  }>(COLUMNS, [schemas])
  for (const { schema, table, ...column } of columns) {
    const key = tableKey(schema, table)
    const known = tables.get(key) ?? { columns: new Map(), indexes: new Map(), constraints: new Map() }
    known.columns.set(column.name, column)
    tables.set(key, known)
  }
  const { rows: indexes } = await executor.query<{ schema: string; table: string; name: string; definition: string }>(INDEXES, [
    schemas,
  ])
  for (const { schema, table, name, definition } of indexes) tables.get(tableKey(schema, table))?.indexes.set(name, definition)
  const { rows: constraints } = await executor.query<{
    schema: string
    table: string
    name: string
    kind: string
    definition: string
  }>(CONSTRAINTS, [schemas])
  for (const { schema, table, name, kind, definition } of constraints) {
    tables.get(tableKey(schema, table))?.constraints.set(name, { kind, definition })
  }
  return tables
}

const COLUMNS = `
  select n.nspname::text as schema, c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as "notNull", (a.atthasdef or a.attidentity <> '') as fills, a.attgenerated <> '' as generated
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1::text[]) and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`

const INDEXES = `
  select n.nspname::text as schema, t.relname::text as table, i.relname::text as name, pg_get_indexdef(i.oid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
  where n.nspname = any($1::text[]) and not t.relispartition and not exists (select 1 from pg_constraint c where c.conindid = i.oid and c.contype in ('p', 'u', 'x'))`

const CONSTRAINTS = `
  select n.nspname::text as schema, t.relname::text as table, c.conname::text as name, c.contype::text as kind, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
  where n.nspname = any($1::text[]) and not t.relispartition and c.contype in ('p', 'u', 'f', 'c', 'x')`

/** The migration's own book: which steps have run, and which definitions stand as whose text. */
export const BOOKKEEPING = `
  create table if not exists platform_migration_step (
    id text primary key, checksum text not null, ran boolean not null, applied_at timestamptz not null default now());
  create table if not exists platform_migration_object (
    kind text not null, table_name text not null, name text not null, definition text not null, primary key (kind, table_name, name))`

export async function readRecords(executor: Executor): Promise<Records> {
  const { rows } = await executor.query<{ kind: RecordKind; table_name: string; name: string; definition: string }>(
    'select kind, table_name, name, definition from platform_migration_object',
  )
  return new Map(rows.map(({ kind, table_name, name, definition }) => [recordKey(kind, table_name, name), definition]))
}

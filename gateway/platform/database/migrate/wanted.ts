import { is, SQL } from 'drizzle-orm'
import { getTableConfig, PgDialect } from 'drizzle-orm/pg-core'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { formatType, parseType } from './columnType'

export interface WantedColumn {
  name: string
  /** As PostgreSQL writes it. */
  type: string
  notNull: boolean
  /** SQL text of the default. */
  default?: string
  /** SQL text of what the rows that are there get when the column is added; without it the default. */
  fill?: string
  /** What follows the type for identity and generated columns. */
  generated?: string
}

export interface WantedIndex {
  name: string
  unique: boolean
  /** What is indexed, as written between the parentheses, without order and operator class. */
  keys: string[]
  where?: string
  /** The whole `create index` statement: two indexes are the same when their texts are. */
  definition: string
}

export interface WantedConstraint {
  name: string
  kind: 'primary' | 'unique' | 'foreign' | 'check' | 'exclude'
  definition: string
  /** SQL that counts the rows that break it, with the table's own name. */
  violations?: string
}

export interface WantedTable {
  schema: string
  name: string
  /** Quoted, with its schema unless that is public. */
  sqlName: string
  columns: WantedColumn[]
  indexes: WantedIndex[]
  constraints: WantedConstraint[]
  /** Quoted column by whose values rows are kept in tables of a day each. */
  partitionBy?: string
}

const fills = new WeakMap<PgTable, ReadonlyMap<string, string>>()

/** Says what the rows of a table get in columns that are added to it (by column name). */
export function fillAdded<Table extends PgTable>(table: Table, values: ReadonlyMap<string, string>): Table {
  fills.set(table, values)
  return table
}

/** A rule that no two rows of a table may meet together; drizzle has no word for it. */
export interface Exclusion {
  name: string
  /** `exclude using … (…)`. */
  definition: SQL
  /** Says of rows `a` and `b` that they break it. */
  broken: SQL
}

const exclusions = new WeakMap<PgTable, Exclusion>()

/** Says what no two rows of a table may meet together. */
export function excludeRows<Table extends PgTable>(table: Table, exclusion: Exclusion): Table {
  exclusions.set(table, exclusion)
  return table
}

const partitions = new WeakMap<PgTable, string>()

/** Says by which moment (its column) the rows of a table are kept in tables of a day each; see `Partitions`. */
export function partitionByDay<Table extends PgTable>(table: Table, column: string): Table {
  partitions.set(table, column)
  return table
}

type TableConfig = ReturnType<typeof getTableConfig>

const dialect = new PgDialect()
const quote = pg.escapeIdentifier

/** A table is never changed once it is made: it is read once. */
const readTables = new WeakMap<PgTable, WantedTable>()

/** What drizzle tables ask of the database, in PostgreSQL's own words. */
export function readWanted(tables: readonly PgTable[]): WantedTable[] {
  return tables.map((table) => {
    const known = readTables.get(table)
    if (known) return known
    const wanted = readTable(table)
    readTables.set(table, wanted)
    return wanted
  })
}

function readTable(table: PgTable): WantedTable {
  const config = getTableConfig(table)
  const sqlName = nameOf(config)
  const day = partitions.get(table)
  return {
    schema: config.schema ?? 'public',
    name: config.name,
    sqlName,
    columns: config.columns.map((column) => {
      const fill = fills.get(table)?.get(column.name)
      const read = { ...readColumn(column), ...(column.name === day ? { notNull: true } : {}) }
      return fill === undefined ? read : { ...read, fill: pg.escapeLiteral(fill) }
    }),
    indexes: config.indexes.map((index) => readIndex(index.config, sqlName, config.name)),
    ...(day === undefined ? {} : { partitionBy: quote(day) }),
    constraints: [
      ...readKeys(config, sqlName, day),
      ...readForeignKeys(config, sqlName),
      ...readChecks(config, sqlName),
      ...readExclusion(table, sqlName),
    ],
  }
}

function readColumn(column: PgColumn): WantedColumn {
  const type = column.getSQLType()
  if (column.columnType === 'PgEnumColumn') {
    throw new Error(
      `Column "${column.name}" is an enum: use text with a dictionary or a check, which can grow without a type change.`,
    )
  }
  return {
    name: column.name,
    type: formatType(parseType(type)),
    notNull: column.notNull || column.primary,
    default: readDefault(column),
    generated: readGenerated(column),
  }
}

function readDefault(column: PgColumn): string | undefined {
  if (column.default === undefined) return undefined
  if (is(column.default, SQL)) return text(column.default)
  const value: unknown = column.mapToDriverValue(column.default)
  if (value === null) return undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : pg.escapeLiteral(String(value))
}

function readGenerated(column: PgColumn): string | undefined {
  if (column.generatedIdentity)
    return `generated ${column.generatedIdentity.type === 'always' ? 'always' : 'by default'} as identity`
  if (/serial/.test(column.getSQLType())) return 'generated by default as identity'
  if (!column.generated) return undefined
  const as = typeof column.generated.as === 'function' ? column.generated.as() : column.generated.as
  return `generated always as (${is(as, SQL) ? text(as) : String(as)}) stored`
}

function readIndex(config: TableConfig['indexes'][number]['config'], sqlName: string, table: string): WantedIndex {
  const keys: string[] = []
  const parts = config.columns.map((part) => {
    if (is(part, SQL)) {
      keys.push(text(part))
      return text(part)
    }
    // What `index().on(table.column)` holds is drizzle's IndexedColumn: a name and how it is ordered.
    const { name = '', indexConfig } = part as {
      name?: string
      indexConfig?: { order?: string; nulls?: string; opClass?: string }
    }
    keys.push(quote(name))
    const operators = indexConfig?.opClass ? ` ${indexConfig.opClass}` : ''
    const descending = config.method === 'btree' && indexConfig?.order === 'desc'
    // PostgreSQL's own defaults: nulls last ascending, first descending, so that "order by x desc" finds the index.
    return `${quote(name)}${operators}${descending ? ' desc' : ''}`
  })
  const name = config.name ?? `${table}_${keys.map((key) => key.replace(/\W+/g, '')).join('_')}_index`
  const where = config.where ? text(config.where) : undefined
  const options = Object.entries(config.with ?? {}).map(([key, value]) => `${key}=${String(value)}`)
  const definition =
    `create ${config.unique ? 'unique ' : ''}index ${quote(name)} on ${sqlName} using ${config.method} (${parts.join(', ')})` +
    (options.length > 0 ? ` with (${options.join(', ')})` : '') +
    (where ? ` where ${where}` : '')
  return { name, unique: config.unique ?? false, keys, where, definition }
}

function readKeys(config: TableConfig, sqlName: string, day: string | undefined): WantedConstraint[] {
  const found: WantedConstraint[] = []
  const inline = config.columns.filter((column) => column.primary).map((column) => quote(column.name))
  const composite = config.primaryKeys[0]
  // each table of a day guards its own keys: what decides the day is a part of them
  const dayKey = day === undefined ? [] : [quote(day)]
  const primary = composite ? composite.columns.map((column) => quote(column.name)) : [...inline, ...dayKey]
  if (primary.length > 0) {
    const name = composite ? composite.getName() : `${config.name}_pkey`
    found.push({
      name,
      kind: 'primary',
      definition: `primary key (${primary.join(', ')})`,
      violations: duplicates(sqlName, primary),
    })
  }
  for (const column of config.columns.filter((each) => each.isUnique)) {
    const keys = [quote(column.name)]
    const name = column.uniqueName ?? `${config.name}_${column.name}_unique`
    found.push({ name, kind: 'unique', definition: `unique (${keys.join(', ')})`, violations: duplicates(sqlName, keys) })
  }
  for (const constraint of config.uniqueConstraints) {
    const keys = constraint.columns.map((column) => quote(column.name))
    const name = constraint.getName() ?? `${config.name}_${constraint.columns.map((column) => column.name).join('_')}_unique`
    const nulls = constraint.nullsNotDistinct ? ' nulls not distinct' : ''
    found.push({ name, kind: 'unique', definition: `unique${nulls} (${keys.join(', ')})`, violations: duplicates(sqlName, keys) })
  }
  return found
}

function readForeignKeys(config: TableConfig, sqlName: string): WantedConstraint[] {
  return config.foreignKeys.map((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference()
    const target = nameOf(getTableConfig(foreignTable))
    const own = columns.map((column) => quote(column.name))
    const theirs = foreignColumns.map((column) => quote(column.name))
    const pairs = own.map((column, position) => `t.${theirs[position]} = o.${column}`).join(' and ')
    return {
      name: key.getName(),
      kind: 'foreign',
      definition:
        `foreign key (${own.join(', ')}) references ${target} (${theirs.join(', ')})` +
        (key.onDelete && key.onDelete !== 'no action' ? ` on delete ${key.onDelete}` : '') +
        (key.onUpdate && key.onUpdate !== 'no action' ? ` on update ${key.onUpdate}` : ''),
      violations: `select count(*) as rows from ${sqlName} o where ${own.map((column) => `o.${column} is not null`).join(' and ')} and not exists (select 1 from ${target} t where ${pairs})`,
    }
  })
}

function readChecks(config: TableConfig, sqlName: string): WantedConstraint[] {
  return config.checks.map((check) => {
    const condition = text(check.value)
    return {
      name: check.name,
      kind: 'check',
      definition: `check (${condition})`,
      violations: `select count(*) as rows from ${sqlName} where not (${condition})`,
    }
  })
}

function readExclusion(table: PgTable, sqlName: string): WantedConstraint[] {
  const found = exclusions.get(table)
  if (!found) return []
  return [
    {
      name: found.name,
      kind: 'exclude',
      definition: text(found.definition),
      violations: `select count(*) as rows from ${sqlName} a join ${sqlName} b on a.id < b.id and ${text(found.broken)}`,
    },
  ]
}

/** Counts rows beyond the first of each equal group; rows with a null among the keys are equal to none. */
export function duplicates(sqlName: string, keys: readonly string[], where?: string): string {
  const complete = keys.map((key) => `(${key}) is not null`).join(' and ')
  const condition = where ? `${complete} and (${where})` : complete
  return `select coalesce(sum(extra), 0)::bigint as rows from (select count(*) - 1 as extra from ${sqlName} where ${condition} group by ${keys.join(', ')} having count(*) > 1) d`
}

function nameOf({ schema, name }: { schema?: string | undefined; name: string }): string {
  return schema && schema !== 'public' ? `${quote(schema)}.${quote(name)}` : quote(name)
}

function text(value: SQL): string {
  return dialect.sqlToQuery(value.inlineParams()).sql
}

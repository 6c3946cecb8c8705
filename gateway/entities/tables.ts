import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  numeric,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  type PgColumn,
  type PgTable,
} from 'drizzle-orm/pg-core'
import { chargedEntity, columnName, deadlineIndexes, type EntityModel, type FieldModel } from '../../src/schema/entity'
import { isExpression } from '../../src/schema/expression'
import type { Participant } from '../../src/schema/generated/entity'
import { excludeRows, fillAdded, jsonb, partitionByDay } from '../platform/database'
import { openSql } from './charge'
import { effectiveOf, exclusionSql, overlapSql } from './effective'
import { fixedWhere } from './fixedWhere'
import { hotValueSql } from './derive/tables'
import { charactersSql } from './query/shortKeyword'
import { keyedFields, nearListSql, phoneFields } from './search/keys'
import { isTextList, storageOf } from './storage'

/** Tables of the engine itself: counters of number patterns and prepared imports. */
export const sequenceTable = pgTable('entity_sequence', {
  key: text('key').primaryKey(),
  value: bigint('value', { mode: 'number' }).notNull(),
})
export const importTable = pgTable(
  'entity_import',
  {
    id: text('id').primaryKey(),
    entity: text('entity').notNull(),
    staffId: text('staff_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string', precision: 3 }).notNull(),
    fileName: text('file_name').notNull(),
    total: bigint('total', { mode: 'number' }).notNull(),
    columns: jsonb<unknown>('columns').notNull(),
    errors: jsonb<unknown>('errors').notNull(),
    /** Rows without a fault; empty until the whole file was checked. */
    valid: bigint('valid', { mode: 'number' }),
    sample: jsonb<unknown>('sample'),
    warnings: jsonb<unknown>('warnings'),
    result: jsonb<unknown>('result'),
    /** When it was last gone on with; an import that nobody touches expires. */
    touchedAt: timestamp('touched_at', { withTimezone: true, mode: 'string', precision: 3 }),
  },
  (table) => [index('entity_import_created_at_idx').on(table.createdAt)],
)
export const importRowTable = pgTable(
  'entity_import_row',
  {
    importId: text('import_id').notNull(),
    row: bigint('row', { mode: 'number' }).notNull(),
    cells: jsonb<unknown>('cells').notNull(),
    /** Not to be saved: a fault was found by the check, or (`refused`) by the save. */
    faulty: boolean('faulty').notNull(),
    refused: boolean('refused'),
  },
  (table) => [uniqueIndex('entity_import_row_key').on(table.importId, table.row)],
)

interface TableOptions {
  /** The database has pg_trgm: quick search fields get a trigram index. */
  trigram: boolean
  /** References by which stored values find the rows that follow (`entity.field`). */
  followed?: ReadonlySet<string>
}

/** Documents are never changed in place: the table of each is made once. */
const made = new WeakMap<EntityModel['document'], { said: string; table: PgTable }>()

/** The table of an entity with all its indexes, for the migrator. Live rows are those with `deleted_at is null`. */
export function entityTable(model: EntityModel, options: TableOptions): PgTable {
  const followed = model.columns.filter(({ name }) => options.followed?.has(`${model.name}.${name}`)).map(({ name }) => name)
  const said = `${options.trigram} ${followed.join()}`
  const known = made.get(model.document)
  if (known?.said === said) return known.table
  const table = makeTable(model, options)
  made.set(model.document, { said, table })
  return table
}

function makeTable(model: EntityModel, options: TableOptions): PgTable {
  const keys = keyedFields(model).flatMap(({ spoken, near }) => [spoken, near])
  const columns = {
    ...Object.fromEntries(model.columns.map((field) => [field.name, columnOf(field)])),
    ...Object.fromEntries(keys.map((column) => [column, text(column)])),
  }
  const table = pgTable(model.table, columns, (made) => indexesOf(model, made, options))
  const partition = model.document['x-partition']
  if (partition) partitionByDay(table, model.fields.get(partition.by)!.column)
  const effective = effectiveOf(model)
  if (effective)
    excludeRows(table, {
      name: indexName(model.table, [effective.from.column], 'excl'),
      definition: exclusionSql(model, effective),
      broken: overlapSql(model, effective, 'a', 'b'),
    })
  return fillAdded(table, new Map(model.columns.flatMap((field) => fillOf(field))))
}

/** `x-backfill`: what rows from before the field get. */
function fillOf(field: FieldModel): [string, string][] {
  const value = field.field['x-backfill']
  if (value === undefined || value === null) return []
  return [[field.column, storageOf(field) === 'json' ? JSON.stringify(value) : String(value as string | number | boolean)]]
}

function columnOf(field: FieldModel) {
  const { column } = field
  if (field.name === 'id') return text(column).primaryKey()
  const fallback = literalDefault(field)
  switch (storageOf(field)) {
    case 'integer': {
      const built = bigint(column, { mode: 'number' })
      if (field.name === 'version') return built.notNull().default(1)
      return typeof fallback === 'number' ? built.default(fallback) : built
    }
    case 'numeric': {
      const built = numeric(column)
      return typeof fallback === 'string' || typeof fallback === 'number' ? built.default(String(fallback)) : built
    }
    case 'boolean':
      return typeof fallback === 'boolean' ? boolean(column).default(fallback) : boolean(column)
    case 'date':
      return date(column, { mode: 'string' })
    case 'timestamp': {
      const built = timestamp(column, { withTimezone: true, mode: 'string', precision: 3 })
      return field.name === 'createdAt' || field.name === 'updatedAt' ? built.notNull() : built
    }
    case 'json':
      return jsonb<unknown>(column)
    case 'text':
      return typeof fallback === 'string' ? text(column).default(fallback) : text(column)
  }
}

/** A fixed default is the column's too: rows from before the field was added have it. */
function literalDefault(field: FieldModel): unknown {
  const fallback: unknown = field.field.default
  return isExpression(fallback) ? undefined : fallback
}

const LIVE = sql`deleted_at is null`

function indexesOf(model: EntityModel, table: Record<string, PgColumn>, options: TableOptions) {
  const uniques = uniqueKeys(model)
  const plain = new Map<string, readonly string[]>()
  const add = (parts: readonly string[]): void => {
    plain.set(parts.join(), parts)
  }
  for (const parts of model.document['x-indexes'] ?? []) add(parts)
  const deadlines = deadlineIndexes(model.document)
  for (const { fields, live } of deadlines)
    if (live && ![...plain.values()].some((parts) => fields.every((field, position) => parts[position] === field))) add(fields)
  for (const { per } of model.document['x-limits'] ?? [])
    if (![...plain.values()].some((parts) => startsWith(parts, per))) add(per)
  const leads = new Set(
    [...plain.values(), ...uniques.filter(({ where }) => !where).map(({ fields }) => fields)].map((parts) => parts[0]),
  )
  const naming = new Set((model.document['x-participants'] ?? []).flatMap((entry) => namingFields(entry)))
  for (const field of model.columns) {
    const wanted =
      naming.has(field.name) ||
      field.field['x-index'] ||
      field.field['x-onDelete'] ||
      field.field['x-searchWhole'] ||
      field.origin === 'owned' ||
      options.followed?.has(`${model.name}.${field.name}`) ||
      ((model.scope.kind === 'parent' || model.scope.kind === 'staff') && model.scope.field === field.name)
    if (wanted && !isTextList(field) && field.name !== 'ownedAt' && !leads.has(field.name)) add([field.name])
  }
  for (const name of model.document['x-partition']?.exact ?? []) if (!leads.has(name)) add([name])
  const charged = chargedEntity(model.document)
  const built = [
    ...(charged?.sides ?? []).map(({ side, account, day }) =>
      index(indexName(model.table, [side], 'open'))
        .on(...atLeastOne([account, day].map((part) => columnIn(model, table, part))))
        .where(openSql(charged!, side)),
    ),
    ...uniques.map((key) =>
      uniqueIndex(uniqueIndexName(model, key))
        .on(...atLeastOne(key.fields.map((part) => columnIn(model, table, part))))
        .where(sql.join([LIVE, ...fixedWhere(model, key.where)], sql` and `)),
    ),
    ...[...plain.values()].map((parts) =>
      index(
        indexName(
          model.table,
          parts.map((part) => columnName(part.replace('-', 'desc_'))),
          'idx',
        ),
      )
        .on(...atLeastOne(parts.map((part) => ordered(model, table, part))))
        .where(LIVE),
    ),
  ]
  for (const { fields, live } of deadlines)
    if (!live)
      built.push(
        index(
          indexName(
            model.table,
            fields.map((field) => columnName(field)),
            'kept',
          ),
        ).on(...atLeastOne(fields.map((field) => columnIn(model, table, field)))),
      )
  for (const field of model.columns) {
    if (
      !isTextList(field) ||
      !(field.field['x-filter'] || field.field['x-index'] || field.field['x-onDelete'] || naming.has(field.name))
    )
      continue
    built.push(
      index(indexName(model.table, [field.column], 'gin'))
        .using('gin', table[field.name]!)
        .where(LIVE),
    )
  }
  const searched = model.stored.filter(
    ({ field, kind, internal }) =>
      field['x-search'] && !field['x-searchWhole'] && kind !== 'ref' && storageOf({ kind }) === 'text' && !internal,
  )
  // Rows of one member of staff are few: they are searched as they stand, and written without the cost of these indexes.
  if (searched.length > 0 && model.scope.kind !== 'staff') {
    const names = searched.map((field) => field.column)
    built.push(
      index(indexName(model.table, names, 'short'))
        .using('gin', ...atLeastOne(names.map((name) => charactersSql(sql.identifier(name)))))
        .where(LIVE),
    )
    if (options.trigram)
      built.push(
        index(indexName(model.table, names, 'trgm'))
          .using('gin', ...atLeastOne(names.map((name) => sql`${sql.identifier(name)} gin_trgm_ops`)))
          .where(LIVE),
      )
  }
  const keyed = keyedFields(model)
  if (keyed.length > 0) {
    const nears = keyed.map(({ near }) => near)
    built.push(
      index(indexName(model.table, nears, 'near'))
        .using('gin', ...atLeastOne(nears.map((name) => nearListSql(sql.identifier(name)))))
        .where(LIVE),
    )
  }
  const told = [...keyed.map(({ spoken }) => spoken), ...phoneFields(model).map(({ column }) => column)]
  if (told.length > 0 && options.trigram)
    built.push(
      index(indexName(model.table, told, 'told'))
        .using('gin', ...atLeastOne(told.map((name) => sql`${sql.identifier(name)} gin_trgm_ops`)))
        .where(LIVE),
    )
  return built
}

/** Fields by which people find the rows that name them. */
function namingFields({ people = [], through }: Participant): string[] {
  const ofRow = typeof through === 'string' ? [through] : through ? [through.same] : []
  const named = through === undefined ? people : []
  return [
    ...ofRow,
    ...named.flatMap((person) => {
      if (person === 'creator') return ['createdBy']
      return typeof person === 'object' && 'field' in person ? [person.field] : []
    }),
  ]
}

const startsWith = (parts: readonly string[], first: readonly string[]): boolean =>
  first.every((name, index) => parts[index] === name)

/** A field set that no two live rows share; with `where`, no two of those that meet it. */
export type UniqueKey = Omit<NonNullable<EntityModel['document']['x-unique']>[number], 'id'>

/** Field sets that are unique among live rows: `x-unique` of fields and of the entity, and numbers from a pattern. */
export function uniqueKeys(model: EntityModel): readonly UniqueKey[] {
  const single = model.stored
    .filter((field) => field.field['x-unique'] || field.sequence)
    .map(({ name, field, sequence }): UniqueKey => ({ fields: field['x-unique'] ? [name] : [...(sequence?.fields ?? []), name] }))
  return [...single, ...(model.document['x-unique'] ?? [])]
}

/** Name of the index that guards a field set; other conditions make another index. */
export function uniqueIndexName(model: EntityModel, { fields, where }: UniqueKey): string {
  const condition = where ? [createHash('sha256').update(JSON.stringify(where)).digest('hex').slice(0, 8)] : []
  return indexName(model.table, [...fields.map((part) => model.fields.get(part)?.column ?? part), ...condition], 'key')
}

/** Within PostgreSQL's 63 bytes; a long name ends in a digest so that it stays unique. */
function indexName(table: string, parts: readonly string[], kind: string): string {
  const name = `${table}_${parts.join('_').toLowerCase()}_${kind}`
  if (name.length <= 60) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, 60 - kind.length - 10)}_${digest}_${kind}`
}

/** `-field` is descending. Empty values come last in both directions, as lists show them. */
function ordered(model: EntityModel, table: Record<string, PgColumn>, part: string) {
  if (!part.startsWith('-')) return columnIn(model, table, part)
  const column = columnIn(model, table, part.slice(1))
  return alwaysFilled(model, part.slice(1))
    ? sql`${sql.identifier(column.name)} desc`
    : sql`${sql.identifier(column.name)} desc nulls last`
}

/** Fields that no row leaves empty: their order needs no word about empty values, so that plain indexes serve it. */
export function alwaysFilled(model: EntityModel, name: string): boolean {
  return (
    name === 'id' ||
    name === 'createdAt' ||
    name === 'updatedAt' ||
    name === 'version' ||
    model.fields.get(name)?.required === true
  )
}

function columnIn(model: EntityModel, table: Record<string, PgColumn>, name: string): PgColumn {
  const column = table[name]
  if (!column) throw new Error(`${model.name}: an index names "${name}", which is not a stored field.`)
  return column
}

function atLeastOne<T>(items: T[]): [T, ...T[]] {
  return items as [T, ...T[]]
}

/** Quoted `"alias"."column"` of a field; of a hot sum, what its own row says. */
export function columnSql(alias: string, field: Pick<FieldModel, 'column'> & Partial<Pick<FieldModel, 'hot'>>): SQL {
  return field.hot !== undefined ? hotValueSql(alias, field.hot) : sql`${sql.identifier(alias)}.${sql.identifier(field.column)}`
}

/** Quoted name of the table of an entity, with an alias. */
export function tableSql(model: EntityModel, alias: string): SQL {
  return sql`${sql.identifier(model.table)} as ${sql.identifier(alias)}`
}

import pg from 'pg'
import type { RecordKind, Records, StoredColumn, StoredTable } from './catalog'
import { recordKey, tableKey } from './catalog'
import { compareTypes, formatType, parseType } from './columnType'
import type { MigrationReport, Refusal } from './report'
import { duplicates } from './wanted'
import type { WantedColumn, WantedConstraint, WantedTable } from './wanted'

/** A question to the stored rows, asked before anything is changed: the change is made only when the answer is 0. */
export interface Guard {
  /** Gives one row with the column `rows`. */
  count: string
  refusal: Omit<Refusal, 'rows'>
}

export interface Change {
  statements: string[]
  guard?: Guard
  /** Where the report mentions it. */
  reported?: { list: Exclude<keyof MigrationReport, 'milliseconds'>; entry: string }
  /** What the book keeps afterwards; a definition of null forgets it. */
  record?: { kind: RecordKind; table: string; name: string; definition: string | null }
}

const quote = pg.escapeIdentifier

/**
 * Decides, without touching anything, what leads from the stored tables to the wanted ones. Tables come first, then
 * columns, then keys and indexes, and references between tables last.
 */
export function planChanges(
  wanted: readonly WantedTable[],
  stored: ReadonlyMap<string, StoredTable>,
  records: Records,
): Change[] {
  const early: Change[] = []
  const late: Change[] = []
  const last: Change[] = []
  const schemas = new Set(wanted.map(({ schema }) => schema).filter((schema) => schema !== 'public'))
  for (const schema of schemas) early.push({ statements: [`create schema if not exists ${quote(schema)}`] })
  for (const table of wanted) {
    const found = stored.get(tableKey(table.schema, table.name))
    if (found) early.push(...planColumns(table, found, records))
    else early.push(createTable(table), ...table.columns.flatMap((column) => noteDefault(table, column)))
    for (const constraint of table.constraints) {
      if (!found && constraint.kind === 'primary') continue
      ;(constraint.kind === 'foreign' ? last : late).push(...planConstraint(table, constraint, found, records))
    }
    late.push(...planIndexes(table, found, records))
    if (found) late.unshift(...dropUnwanted(table, found, records))
  }
  return [...early, ...late, ...last]
}

function createTable(table: WantedTable): Change {
  const columns = table.columns.map(columnText)
  const primary = table.constraints.find(({ kind }) => kind === 'primary')
  const parts = primary ? [...columns, `constraint ${quote(primary.name)} ${primary.definition}`] : columns
  return {
    statements: [
      `create table ${table.sqlName} (${parts.join(', ')})${table.partitionBy ? ` partition by range (${table.partitionBy})` : ''}`,
    ],
    reported: { list: 'createdTables', entry: table.name },
  }
}

function columnText(column: WantedColumn): string {
  const value = column.generated ? ` ${column.generated}` : column.default !== undefined ? ` default ${column.default}` : ''
  return `${quote(column.name)} ${column.type}${value}${column.notNull ? ' not null' : ''}`
}

function noteDefault(table: WantedTable, column: WantedColumn): Change[] {
  if (column.default === undefined) return []
  return [{ statements: [], record: { kind: 'default', table: table.name, name: column.name, definition: column.default } }]
}

function planColumns(table: WantedTable, stored: StoredTable, records: Records): Change[] {
  const changes = table.columns.flatMap((column) => {
    const found = stored.columns.get(column.name)
    return found ? changeColumn(table, column, found, records) : [addColumn(table, column), ...noteDefault(table, column)]
  })
  const wanted = new Set(table.columns.map(({ name }) => name))
  for (const column of stored.columns.values()) {
    if (wanted.has(column.name)) continue
    const entry = `${table.name}.${column.name}`
    // Nobody writes this column any more: it must not stand in the way of new rows.
    const blocks = column.notNull && !column.fills && !isPrimary(stored, column.name)
    const statements = blocks ? [`alter table ${table.sqlName} alter column ${quote(column.name)} drop not null`] : []
    changes.push({ statements, reported: { list: 'keptColumns', entry } })
  }
  return changes
}

function addColumn(table: WantedTable, column: WantedColumn): Change {
  const { fill } = column
  const empty = column.notNull && column.default === undefined && column.generated === undefined && fill === undefined
  const alter = `alter table ${table.sqlName}`
  // A constant default fills all rows at once without writing them.
  const filled = (value: string): string[] => [
    `${alter} add column ${columnText({ ...column, default: value })}`,
    `${alter} alter column ${quote(column.name)} ${column.default === undefined ? 'drop default' : `set default ${column.default}`}`,
  ]
  return {
    statements: fill === undefined ? [`${alter} add column ${columnText(column)}`] : filled(fill),
    reported: { list: 'addedColumns', entry: `${table.name}.${column.name}` },
    guard: empty
      ? {
          count: `select count(*) as rows from ${table.sqlName}`,
          refusal: {
            table: table.name,
            part: column.name,
            stored: 'no such column',
            wanted: `${column.type} not null`,
            why: 'A required column needs a default or a step that fills it for the rows that are there; add one, or make the field optional.',
          },
        }
      : undefined,
  }
}

function changeColumn(table: WantedTable, column: WantedColumn, stored: StoredColumn, records: Records): Change[] {
  const alter = `alter table ${table.sqlName} alter column ${quote(column.name)}`
  const entry = `${table.name}.${column.name}`
  const changes: Change[] = []
  const from = parseType(stored.type)
  const to = parseType(column.type)
  const change = stored.generated ? ({ kind: 'same' } as const) : compareTypes(from, to)
  if (change.kind !== 'same') {
    const name = quote(column.name)
    const lost = change.kind === 'narrows' ? change.lost.replaceAll('$column', name) : `${name} is not null`
    const why =
      change.kind === 'narrows'
        ? 'These rows hold values that do not fit: shorten them or keep the wider type.'
        : 'Values of this kind cannot be turned into the other without a decision: write a "before" step that converts them.'
    const using = change.kind === 'differs' ? `null::${column.type}` : `${name}::${column.type}`
    const values = column.default === undefined ? [] : [`${alter} set default ${column.default}`]
    changes.push({
      statements: [
        ...(stored.fills && !column.generated ? [`${alter} drop default`] : []),
        `${alter} type ${column.type} using ${using}`,
        ...values,
      ],
      reported: { list: 'changedColumns', entry: `${entry}: ${formatType(from)} -> ${formatType(to)}` },
      guard:
        change.kind === 'widens'
          ? undefined
          : {
              count: `select count(*) as rows from ${table.sqlName} where ${lost}`,
              refusal: { table: table.name, part: column.name, stored: formatType(from), wanted: formatType(to), why },
            },
    })
  }
  if (!column.generated && !stored.generated && records.get(recordKey('default', table.name, column.name)) !== column.default) {
    const value = column.default === undefined ? 'drop default' : `set default ${column.default}`
    const record = { kind: 'default' as const, table: table.name, name: column.name, definition: column.default ?? null }
    changes.push({ statements: [`${alter} ${value}`], record })
  }
  if (column.notNull && !stored.notNull) {
    changes.push({
      statements: [`${alter} set not null`],
      reported: { list: 'changedColumns', entry: `${entry}: required` },
      guard: {
        count: `select count(*) as rows from ${table.sqlName} where ${quote(column.name)} is null`,
        refusal: {
          table: table.name,
          part: column.name,
          stored: `${formatType(from)}, may be empty`,
          wanted: `${formatType(to)} not null`,
          why: 'These rows have no value: fill them with a "before" step, or keep the field optional.',
        },
      },
    })
  } else if (!column.notNull && stored.notNull) {
    changes.push({ statements: [`${alter} drop not null`], reported: { list: 'changedColumns', entry: `${entry}: optional` } })
  }
  return changes
}

function planConstraint(
  table: WantedTable,
  constraint: WantedConstraint,
  stored: StoredTable | undefined,
  records: Records,
): Change[] {
  const { name, kind, definition, violations } = constraint
  const found = stored?.constraints.get(name)
  const recorded = records.get(recordKey('constraint', table.name, name))
  if (kind === 'primary' && stored) return planPrimary(table, constraint, stored)
  if (found && recorded === definition) return []
  const fresh = `alter table ${table.sqlName} add constraint ${quote(name)} ${definition}`
  const drop = found ? [`alter table ${table.sqlName} drop constraint ${quote(name)}`] : []
  return [
    {
      statements: [...drop, fresh],
      reported: { list: 'constraints', entry: `${table.name}.${name}` },
      record: { kind: 'constraint', table: table.name, name, definition },
      guard:
        stored && violations ? guardRule(table, name, found?.definition ?? 'no such rule', definition, violations) : undefined,
    },
  ]
}

function planPrimary(table: WantedTable, { name, definition, violations }: WantedConstraint, stored: StoredTable): Change[] {
  const found = [...stored.constraints.values()].find((each) => each.kind === 'p')
  const plain = (text: string) => text.toLowerCase().replaceAll('"', '')
  if (found && plain(found.definition) === plain(definition)) return []
  if (!found) {
    const guard = violations ? guardRule(table, name, 'no primary key', definition, violations) : undefined
    return [
      {
        statements: [`alter table ${table.sqlName} add constraint ${quote(name)} ${definition}`],
        guard,
        reported: { list: 'constraints', entry: `${table.name}.${name}` },
      },
    ]
  }
  const why = 'The identity of rows cannot change under other tables: write a "before" step that does it on purpose.'
  return [
    {
      statements: [],
      guard: {
        count: 'select 1 as rows',
        refusal: { table: table.name, part: name, stored: found.definition, wanted: definition, why },
      },
    },
  ]
}

function planIndexes(table: WantedTable, stored: StoredTable | undefined, records: Records): Change[] {
  return table.indexes.flatMap((index) => {
    const { name, definition } = index
    const found = stored?.indexes.get(name)
    if (found !== undefined && records.get(recordKey('index', table.name, name)) === definition) return []
    const guard =
      stored && index.unique
        ? guardRule(table, name, found ?? 'no such index', definition, duplicates(table.sqlName, index.keys, index.where))
        : undefined
    const drop = found === undefined ? [] : [`drop index ${schemaPrefix(table)}${quote(name)}`]
    return [
      {
        statements: [...drop, definition],
        guard,
        reported: { list: 'createdIndexes' as const, entry: name },
        record: { kind: 'index' as const, table: table.name, name, definition },
      },
    ]
  })
}

/** Indexes and rules hold no data: those that an earlier release made and this one does not want are dropped. */
function dropUnwanted(table: WantedTable, stored: StoredTable, records: Records): Change[] {
  const changes: Change[] = []
  const wantedIndexes = new Set(table.indexes.map(({ name }) => name))
  for (const name of stored.indexes.keys()) {
    if (wantedIndexes.has(name) || !records.has(recordKey('index', table.name, name))) continue
    changes.push({
      statements: [`drop index ${schemaPrefix(table)}${quote(name)}`],
      reported: { list: 'droppedIndexes', entry: name },
      record: { kind: 'index', table: table.name, name, definition: null },
    })
  }
  const wantedRules = new Set(table.constraints.map(({ name }) => name))
  for (const name of stored.constraints.keys()) {
    if (wantedRules.has(name) || !records.has(recordKey('constraint', table.name, name))) continue
    changes.push({
      statements: [`alter table ${table.sqlName} drop constraint ${quote(name)}`],
      reported: { list: 'constraints', entry: `${table.name}.${name}: dropped` },
      record: { kind: 'constraint', table: table.name, name, definition: null },
    })
  }
  return changes
}

function guardRule(table: WantedTable, part: string, stored: string, wanted: string, count: string): Guard {
  const why = 'These rows break the new rule: correct them, or leave the rule out.'
  return { count, refusal: { table: table.name, part, stored, wanted, why } }
}

function isPrimary(stored: StoredTable, column: string): boolean {
  const key = [...stored.constraints.values()].find(({ kind }) => kind === 'p')
  return key !== undefined && new RegExp(`[(,]\\s*"?${column}"?\\s*[,)]`).test(key.definition)
}

function schemaPrefix({ schema }: WantedTable): string {
  return schema === 'public' ? '' : `${quote(schema)}.`
}

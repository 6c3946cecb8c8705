import { StartupError } from '../../lifecycle/index'

/** One change that would lose data or cannot be made, and why. */
export interface Refusal {
  table: string
  /** Column, index or constraint. */
  part: string
  /** What the database holds now, for example `character varying(200)`. */
  stored: string
  /** What the release wants, for example `character varying(50)`. */
  wanted: string
  /** Rows that would lose data or break the rule. */
  rows: number
  /** The reason and the way out, as a sentence. */
  why: string
}

/** What a migration did. Empty lists mean that the database already was as wanted. */
export interface MigrationReport {
  createdTables: string[]
  /** `table.column`. */
  addedColumns: string[]
  /** `table.column: integer -> bigint`. */
  changedColumns: string[]
  createdIndexes: string[]
  droppedIndexes: string[]
  constraints: string[]
  /** Columns (`table.column`) that no release wants any more; they and their data stay. */
  keptColumns: string[]
  /** Ids of the SQL steps that ran now. */
  steps: string[]
  warnings: string[]
  milliseconds: number
}

export function emptyReport(): MigrationReport {
  return {
    createdTables: [],
    addedColumns: [],
    changedColumns: [],
    createdIndexes: [],
    droppedIndexes: [],
    constraints: [],
    keptColumns: [],
    steps: [],
    warnings: [],
    milliseconds: 0,
  }
}

/** The database was left exactly as it was, because the wanted tables would lose stored data. */
export class MigrationRefusedError extends StartupError {
  override readonly name = 'MigrationRefusedError'
  readonly refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[]) {
    super('damaged', describe(refusals))
    this.refusals = refusals
  }
}

function describe(refusals: readonly Refusal[]): string {
  const lines = refusals.map(
    ({ table, part, stored, wanted, rows, why }) =>
      `  - ${table}.${part}: stored is ${stored}, wanted is ${wanted}, ${rows} ${rows === 1 ? 'row' : 'rows'} affected. ${why}`,
  )
  const count = refusals.length === 1 ? 'one change' : `${refusals.length} changes`
  return `the database was not changed, because ${count} of this release would lose or break stored data:\n${lines.join('\n')}`
}

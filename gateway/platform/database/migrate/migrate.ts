import { createHash } from 'node:crypto'
import type { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { StartupError } from '../../lifecycle/index'
import { sqlState } from '../sqlErrors'
import type { Database, Transaction } from '../types'
import { BOOKKEEPING, readCatalog, readRecords, recordKey, tableKey } from './catalog'
import { planChanges } from './plan'
import type { Change } from './plan'
import { emptyReport, MigrationRefusedError } from './report'
import type { MigrationReport, Refusal } from './report'
import type { MigrateOptions, SqlStep } from './steps'
import { readWanted } from './wanted'
import type { WantedTable } from './wanted'

/** Any number that nobody else uses as an advisory lock in this database. */
const LOCK = 4_600_202_611
const LOCK_PATIENCE = '5min'

/**
 * Brings the database to the tables of this release, all or nothing, in one transaction. Several instances may start at
 * once: one migrates, the others wait and find nothing to do.
 *
 * Only what keeps every stored value is done: new tables, columns, indexes and rules, wider types; narrower ones and
 * new requirements when no stored row stands against them. Columns that nobody wants any more stay with their data.
 *
 * @throws MigrationRefusedError listing every change that would lose or break stored data; nothing was changed then
 */
export async function migrate(
  database: Database,
  tables: readonly PgTable[],
  steps: readonly SqlStep[] = [],
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const started = performance.now()
  const wanted = readWanted(tables)
  const report = await database.transaction(async (transaction) => {
    await transaction.query(`set local lock_timeout = '${LOCK_PATIENCE}'`)
    await transaction.query('select pg_advisory_xact_lock($1)', [LOCK])
    return run(transaction, wanted, steps, options)
  })
  report.milliseconds = Math.round(performance.now() - started)
  return report
}

async function run(
  transaction: Transaction,
  wanted: readonly WantedTable[],
  steps: readonly SqlStep[],
  options: MigrateOptions,
): Promise<MigrationReport> {
  const report = emptyReport()
  const schemas = [...new Set(['public', ...wanted.map(({ schema }) => schema)])]
  const before = await readCatalog(transaction, schemas)
  const fresh = !wanted.some(({ schema, name }) => before.has(tableKey(schema, name)))
  if (!before.has(tableKey('public', 'platform_migration_step'))) await transaction.query(BOOKKEEPING)
  await addExtensions(transaction, options.extensions ?? [], report)
  const pending = await pendingSteps(transaction, steps, report)
  const early = pending.filter(({ when }) => when === 'before')
  await runSteps(transaction, early, !fresh, report)
  const stored = early.length > 0 && !fresh ? await readCatalog(transaction, schemas) : before
  const changes = planChanges(wanted, stored, await readRecords(transaction))
  if (changes.some(({ statements }) => statements.length > 0)) {
    options.onProgress?.(fresh ? 'creating the tables' : 'bringing the tables up to date')
  }
  await ask(transaction, changes)
  for (const change of changes) await apply(transaction, change, report)
  await keepRecords(transaction, changes)
  await runSteps(
    transaction,
    pending.filter(({ when }) => when !== 'before'),
    true,
    report,
  )
  return report
}

/** Asks every question before the first change, so that the report of a refusal is complete. */
async function ask(transaction: Transaction, changes: readonly Change[]): Promise<void> {
  const refusals: Refusal[] = []
  for (const { guard } of changes) {
    if (!guard) continue
    const rows = await countAffected(transaction, guard.count)
    if (rows > 0) refusals.push({ ...guard.refusal, rows })
  }
  if (refusals.length > 0) throw new MigrationRefusedError(refusals)
}

/** A question about a column that this very migration adds has no rows to ask: it counts as 0. */
async function countAffected(transaction: Transaction, count: string): Promise<number> {
  try {
    const { rows } = await transaction.transaction((inner) => inner.query<{ rows: number }>(count))
    return Number(rows[0]?.rows ?? 0)
  } catch (error) {
    const state = sqlState(error)
    if (state === '42703' || state === '42P01') return 0
    throw error
  }
}

async function apply(transaction: Transaction, { statements, guard, reported }: Change, report: MigrationReport): Promise<void> {
  for (const statement of statements) {
    try {
      await transaction.query(statement)
    } catch (error) {
      // Not foreseen by a question: a rule over a column that was added just now.
      if (!/^23/.test(sqlState(error) ?? '')) throw new Error(`The migration failed at "${statement}".`, { cause: error })
      const why = error instanceof Error ? error.message : String(error)
      throw new MigrationRefusedError([
        {
          table: guard?.refusal.table ?? '',
          part: guard?.refusal.part ?? reported?.entry ?? '',
          stored: 'rows that break it',
          wanted: statement,
          rows: 1,
          why,
        },
      ])
    }
  }
  if (reported) report[reported.list].push(reported.entry)
}

/** Writes down what the changes made, all at once: a first start makes thousands. */
async function keepRecords(transaction: Transaction, changes: readonly Change[]): Promise<void> {
  const records = changes.flatMap(({ record }) => (record ? [record] : []))
  // of one thing that is dropped and made anew the last word counts
  const last = [...new Map(records.map((record) => [recordKey(record.kind, record.table, record.name), record])).values()]
  if (last.length === 0) return
  const columns = (of: typeof last): string[][] => [
    of.map(({ kind }) => kind),
    of.map(({ table }) => table),
    of.map(({ name }) => name),
  ]
  const gone = last.filter(({ definition }) => definition === null)
  const kept = last.flatMap(({ definition, ...record }) => (definition === null ? [] : [{ ...record, definition }]))
  await transaction.query(
    `delete from platform_migration_object o using unnest($1::text[], $2::text[], $3::text[]) as gone (kind, table_name, name)
     where o.kind = gone.kind and o.table_name = gone.table_name and o.name = gone.name`,
    columns(gone),
  )
  await transaction.query(
    `insert into platform_migration_object (kind, table_name, name, definition) select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
     on conflict (kind, table_name, name) do update set definition = excluded.definition`,
    [...columns(kept), kept.map(({ definition }) => definition)],
  )
}

async function addExtensions(transaction: Transaction, extensions: readonly string[], report: MigrationReport): Promise<void> {
  if (extensions.length === 0) return
  const { rows } = await transaction.query<{ extname: string }>('select extname::text from pg_extension')
  const installed = new Set(rows.map(({ extname }) => extname))
  for (const name of extensions) {
    if (installed.has(name)) continue
    try {
      await transaction.query(`create extension if not exists ${pg.escapeIdentifier(name)}`)
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause)
      throw new StartupError(
        'configuration',
        `the database extension "${name}" cannot be added (${detail}); install the server's contrib package and let its administrator run: create extension ${name}.`,
        { cause },
      )
    }
  }
  if (!extensions.includes('pg_trgm')) return
  const { rows: seen } = await transaction.query<{ blind: boolean }>(`select cardinality(show_trgm('中文检索')) = 0 as blind`)
  if (seen[0]?.blind)
    report.warnings.push(
      'pg_trgm does not see Chinese letters under the character type of this database; searching them is slow.',
    )
}

async function pendingSteps(transaction: Transaction, steps: readonly SqlStep[], report: MigrationReport): Promise<SqlStep[]> {
  const { rows } = await transaction.query<{ id: string; checksum: string }>('select id, checksum from platform_migration_step')
  const known = new Map(rows.map(({ id, checksum }) => [id, checksum]))
  const ids = new Set(steps.map(({ id }) => id))
  if (ids.size < steps.length) throw new Error('Two migration steps have the same id.')
  for (const id of known.keys()) {
    if (!ids.has(id)) report.warnings.push(`step ${id} was run by a release that knows more than this one`)
  }
  return steps.filter((step) => {
    const recorded = known.get(step.id)
    if (recorded !== undefined && recorded !== checksum(step))
      report.warnings.push(`step ${step.id} was changed after it had run; it is not run again`)
    return recorded === undefined
  })
}

async function runSteps(
  transaction: Transaction,
  steps: readonly SqlStep[],
  really: boolean,
  report: MigrationReport,
): Promise<void> {
  for (const step of steps) {
    if (really) {
      if (typeof step.run === 'string') await transaction.query(step.run)
      else await step.run(transaction)
      report.steps.push(step.id)
    }
    await transaction.query('insert into platform_migration_step (id, checksum, ran) values ($1, $2, $3)', [
      step.id,
      checksum(step),
      really,
    ])
  }
}

/** Of text steps only: the text of a function says too little about what it does. */
function checksum({ run }: SqlStep): string {
  return typeof run === 'string' ? createHash('sha256').update(run).digest('hex') : 'function'
}

/**
 * The gateway's database: PostgreSQL, wherever it runs.
 *
 * ```ts
 * const database = await openDatabase({ databaseUrl, dataDir, logger })
 * await migrate(database, [customer, contact], steps, { extensions: ['pg_trgm'] })
 *
 * const { rows } = await database.query<{ id: string; total: number }>(sql`select id, count(*) as total from customer group by id`)
 * const found = await database.drizzle.select().from(customer).where(eq(customer.id, id))
 *
 * await database.transaction(async (tx) => {
 *   await tx.drizzle.insert(customer).values({ id: newId(), name })
 *   await tx.notify('entity', JSON.stringify({ name: 'crm.customer', id }))  // delivered at the commit
 *   tx.afterCommit(() => cache.forget(id))
 * })
 *
 * for await (const batch of database.stream<Row>(sql`select * from customer`, [], { batchSize: 1000 })) write(batch)
 * const end = await database.listen('entity', (payload) => ..., { onGap: reload })
 * ```
 *
 * **Values** are the same from every engine and from `query`, `stream` and the query builder:
 * int8 and `count(*)` number (a string beyond 2^53), numeric string, timestamptz ISO string in UTC with at least
 * milliseconds (`2026-11-21T03:20:49.123Z`; what `toISOString` wrote comes back unchanged), timestamp and date as
 * PostgreSQL writes them, json and jsonb parsed, bytea Buffer, arrays of all these. For drizzle columns use `timestamp({
 * withTimezone: true, mode: 'string' })`, `numeric()`, `bigint({ mode: 'number' })` and `jsonb()` of this folder, which
 * (unlike drizzle's own) gives a stored JSON string back as it was.
 *
 * **Dialect**: PostgreSQL 15 (no `uuidv7()`, no `MERGE ... RETURNING`, no `JSON_TABLE`). The database's collation differs between
 * servers: the embedded engines sort by code point, a server of yours may not; write `collate "C"` where order or
 * prefix search (`like 'abc%'`) must not depend on it.
 *
 * **One connection on PGlite**: a plain `query` made while the same asynchronous call chain holds a transaction runs in
 * that transaction instead of waiting for it for ever. Still, inside `transaction(work)` use its `tx`.
 *
 * **Errors** of a statement are node-postgres errors with `code` (SQLSTATE): see `sqlState`, `isUniqueViolation`. Start-up
 * problems are `StartupError`s with one sentence and an exit code; a refused migration is a `MigrationRefusedError`.
 */
export { openDatabase } from './open'
export { madeOnce, remembering } from './remembering'
export { resetData } from './reset'
export { bind } from './statement'
export { Growth } from './growth'
export { dropDaysBefore, ensureDays } from './partitions'
export { newId, isId, idTime } from './ids'
export { json, jsonb } from './jsonb'
export { sqlState, constraintOf, isUniqueViolation, isConnectionLoss } from './sqlErrors'
export { migrate } from './migrate/migrate'
export { MigrationRefusedError } from './migrate/report'
export type { MigrationReport, Refusal } from './migrate/report'
export type { MigrateOptions, SqlStep } from './migrate/steps'
export { excludeRows, fillAdded, partitionByDay } from './migrate/wanted'
export type {
  BeforeCommit,
  Database,
  DatabaseDescription,
  DatabaseKind,
  DatabaseLogger,
  Executor,
  ListenOptions,
  OpenOptions,
  QueryBuilder,
  QueryResult,
  Statement,
  StreamOptions,
  Transaction,
  TransactionOptions,
} from './types'

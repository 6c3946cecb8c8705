import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { SQL } from 'drizzle-orm'

/**
 * Where the data lives: `postgres` is the server of DATABASE_URL, `embedded` the PostgreSQL that the gateway starts in
 * its data folder, `pglite` PostgreSQL compiled to WebAssembly for platforms without a binary. Callers need not ask:
 * dialect, types and transactions are the same.
 */
export type DatabaseKind = 'postgres' | 'embedded' | 'pglite'

/** What the database writes to the log; a pino logger fits. Never receives parameters or passwords. */
export interface DatabaseLogger {
  debug: (details: object, message: string) => void
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** drizzle's query builder without `transaction`: transactions go through `Database.transaction`, which works everywhere. */
export type QueryBuilder = Omit<NodePgDatabase, 'transaction' | '$client'>

export interface QueryResult<Row> {
  rows: Row[]
  /** Rows that the statement returned or touched. */
  rowCount: number
}

/** Either drizzle's `sql` template (parameters inside) or plain text with `$1` parameters beside it. */
export type Statement = SQL | string

export interface StreamOptions {
  /** Rows of one batch; default 1,000. */
  batchSize?: number
}

/** What the database itself and a running transaction have in common. Write helpers against this type. */
export interface Executor {
  readonly kind: DatabaseKind
  /** IANA zone whose calendar days decide, whoever asks and wherever the server stands. */
  readonly companyTimeZone: string
  /** Typed query builder: `executor.drizzle.select().from(customer).where(eq(customer.id, id))`. */
  readonly drizzle: QueryBuilder
  /** Runs one statement. Parameters are always bound, never pasted into the text. */
  query<Row extends object = Record<string, unknown>>(
    statement: Statement,
    params?: readonly unknown[],
  ): Promise<QueryResult<Row>>
  /** Inside a transaction this is a savepoint: an error undoes only what `work` did. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Reads a long answer in batches with flat memory, from one consistent snapshot.
   * `for await (const rows of database.stream(sql`select ...`)) write(rows)`; leaving the loop early closes the cursor.
   */
  stream<Row extends object = Record<string, unknown>>(
    statement: Statement,
    params?: readonly unknown[],
    options?: StreamOptions,
  ): AsyncIterable<Row[]>
  /**
   * Tells every listener of every gateway instance. In a transaction it is delivered when that commits, or never.
   * @throws RangeError when the payload is longer than 7,900 bytes: send an id and let the receiver read.
   */
  notify(channel: string, payload: string): Promise<void>
}

export interface TransactionOptions {
  /** Default `read committed`. Ignored for a nested transaction. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  readOnly?: boolean
  /** How often the whole work is run again after a serialization failure or a deadlock (40001, 40P01); default 0. */
  retries?: number
  /** Milliseconds after which one statement of it is cancelled; default none. */
  statementTimeout?: number
}

/** What is done with everything that was gathered for it during a transaction. */
export type BeforeCommit<Item> = (transaction: Transaction, items: readonly Item[]) => Promise<void>

export interface Transaction extends Executor {
  /**
   * Gathers for the very end: right before the outermost transaction is committed, `work` runs once with all items that were given
   * with it; an error undoes the transaction. What was given inside a savepoint that was undone is forgotten. For rows that many
   * transactions change at once: they are held as shortly as possible.
   */
  beforeCommit<Item>(work: BeforeCommit<Item>, item: Item): void
  /**
   * Does work in a savepoint, with what it gathers for the end of the transaction, and undoes all of it: what it answers, or throws, is what would come of
   * it now. Nothing is left: no row, no lock, no notification, nothing for after the commit.
   */
  rehearse<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Runs after the outermost transaction has been committed; not at all when it was rolled back. Errors are logged. */
  afterCommit(work: () => void | Promise<void>): void
}

export interface ListenOptions {
  /** The listening connection was lost and is back: pushes may have been missed, so read again what matters. */
  onGap?: () => void
}

/** For the start-up banner, /health and support. Holds no secret. */
export interface DatabaseDescription {
  kind: DatabaseKind
  /** Server version, for example `18.4`. */
  version: string
  /** Database name and server, or the folder, for people to read. */
  location: string
  /** Data folder of the embedded engines. */
  folder?: string
  /** Said at the start when something is less than it could be (PGlite instead of PostgreSQL, a slow collation). */
  notes: string[]
}

export interface Database extends Executor {
  /** Names this gateway among those of the database: its connections bear it as `application_name`, by which others see whether it lives. */
  readonly instance: string
  /** Calls `handler` with every payload sent to the channel from now on. Resolves when the subscription stands; returns its end. */
  listen(channel: string, handler: (payload: string) => void, options?: ListenOptions): Promise<() => Promise<void>>
  /** Milliseconds of one round trip; rejects when the database does not answer in `timeout` milliseconds (default 2,000). */
  ping(timeout?: number): Promise<number>
  describe(): DatabaseDescription
  /** Connections: in use, idle, and callers that wait for one. For metrics. */
  usage(): { inUse: number; idle: number; waiting: number }
  /** Ends listeners and connections and stops an embedded engine cleanly. Safe to call twice. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** A PostgreSQL server (15 or newer). Without it an embedded engine is used. */
  databaseUrl?: string
  /** The gateway's data folder; made when missing. */
  dataDir: string
  /** Forces one embedded engine; by default PostgreSQL when the platform has a binary. */
  engine?: 'embedded' | 'pglite'
  /** The company's zone (IANA name); default UTC. */
  companyTimeZone?: string
  /** Connections of the pool; default 10. PGlite always has one. */
  poolSize?: number
  logger: DatabaseLogger
  /** Told what is going on, for progress at the terminal: "creating the database". */
  onProgress?: (message: string) => void
}

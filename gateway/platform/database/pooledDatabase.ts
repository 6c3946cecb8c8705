import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { cursorName, fetchAll, readCursor } from './cursor'
import type { Engine } from './engine'
import { newId } from './ids'
import { Listener } from './listener'
import { isConnectionLoss, isRetryable } from './sqlErrors'
import { bind, queryBuilder, runOn } from './statement'
import type { BoundStatement, RawResult } from './statement'
import { beginStatement, checkPayload, ConnectionTransaction, NOTIFY } from './transaction'
import type {
  Database,
  DatabaseDescription,
  DatabaseKind,
  DatabaseLogger,
  ListenOptions,
  OpenOptions,
  QueryBuilder,
  QueryResult,
  Statement,
  StreamOptions,
  Transaction,
  TransactionOptions,
} from './types'
import { valueTypes } from './values'

/** Milliseconds that a caller waits for an embedded engine that is being restarted. */
const RESTART_PATIENCE = 15_000
const PING_TIMEOUT = 2_000
const POOL_SIZE = 10
const MOST_ASIDE = 2

/** The Database over a pool of connections, the same for every engine. */
export class PooledDatabase implements Database {
  readonly kind: DatabaseKind
  readonly companyTimeZone: string
  readonly instance = `switchboard ${newId()}`
  readonly drizzle: QueryBuilder
  private readonly pool: pg.Pool
  /** Connections for whoever holds one of the pool and asks beside his transaction: waiting for one another, all would stand still. */
  private aside: pg.Pool | undefined
  private readonly listener: Listener
  /** The transaction that the current call chain holds. */
  private readonly held = new AsyncLocalStorage<ConnectionTransaction>()
  private closing: Promise<void> | undefined
  private version = ''

  private readonly logger: DatabaseLogger

  constructor(
    private readonly engine: Engine,
    { logger, poolSize = POOL_SIZE, companyTimeZone = 'UTC' }: Pick<OpenOptions, 'logger' | 'poolSize' | 'companyTimeZone'>,
  ) {
    this.kind = engine.kind
    this.logger = logger
    this.companyTimeZone = companyTimeZone
    this.pool = this.poolOf(engine.single ? 1 : poolSize)
    this.listener = new Listener(engine, logger, this.instance, engine.single ? (statement) => this.query(statement) : undefined)
    this.drizzle = queryBuilder((statement, asArrays) => this.run(statement, asArrays))
  }

  private poolOf(max: number): pg.Pool {
    const { engine, logger } = this
    const pool = new pg.Pool({
      ...engine.connection,
      types: valueTypes,
      max,
      idleTimeoutMillis: engine.single ? 0 : 60_000,
      connectionTimeoutMillis: engine.single ? 0 : 15_000,
      keepAlive: !engine.single,
      application_name: this.instance,
      // A server of yours may have any zone, for the server, the database or the user: texts and casts would follow it.
      onConnect: async (client) => void (await client.query(`set time zone 'UTC'`)),
    })
    pool.on('error', (error) => {
      if (!this.closing) logger.warn({ error: error.message }, 'an idle database connection broke')
    })
    pool.on('connect', (client) => {
      // A connection that breaks while its holder does something else must not end the process; its next statement fails.
      client.on('error', (error) => logger.debug({ error: error.message }, 'a database connection in use broke'))
      if (engine.single) client.on('notification', (notification) => this.listener.receive(notification))
    })
    return pool
  }

  /** The first connection; learns what server answers. */
  async connect(): Promise<void> {
    const { rows } = await this.query<{ version: string }>(
      `select split_part(current_setting('server_version'), ' ', 1) as version`,
    )
    this.version = rows[0]?.version ?? ''
  }

  async query<Row extends object>(statement: Statement, params?: readonly unknown[]): Promise<QueryResult<Row>> {
    const result = await this.run(bind(statement, params), false)
    return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 }
  }

  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const outer = this.holding()
    if (outer) return outer.transaction(work)
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(work, options)
      } catch (error) {
        if (attempt >= (options.retries ?? 0) || !isRetryable(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt * (0.5 + Math.random())))
      }
    }
  }

  async *stream<Row extends object>(
    statement: Statement,
    params?: readonly unknown[],
    options: StreamOptions = {},
  ): AsyncIterable<Row[]> {
    const outer = this.holding()
    if (outer) yield* outer.stream<Row>(statement, params, options)
    else if (this.engine.single) yield* this.streamHeld<Row>(bind(statement, params), options)
    else yield* this.streamCursor<Row>(bind(statement, params), options)
  }

  async notify(channel: string, payload: string): Promise<void> {
    checkPayload(payload)
    await this.query(NOTIFY, [channel, payload])
  }

  listen(channel: string, handler: (payload: string) => void, options?: ListenOptions): Promise<() => Promise<void>> {
    return this.listener.listen(channel, handler, options)
  }

  async ping(timeout = PING_TIMEOUT): Promise<number> {
    const start = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The database did not answer within ${timeout} ms.`)), timeout)
    })
    try {
      await Promise.race([this.query('select 1'), late])
      return performance.now() - start
    } finally {
      clearTimeout(timer)
    }
  }

  describe(): DatabaseDescription {
    return { kind: this.kind, version: this.version, ...this.engine.describe() }
  }

  usage(): { inUse: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      await this.listener.close()
      await Promise.all([this.pool.end(), this.aside?.end()])
      await this.engine.stop()
    })()
    return this.closing
  }

  /** The running transaction of this call chain on a single connection; work that outlives it takes its own way. */
  private holding(): ConnectionTransaction | undefined {
    return this.engine.single ? this.open() : undefined
  }

  private open(): ConnectionTransaction | undefined {
    const transaction = this.held.getStore()
    return transaction?.isOpen ? transaction : undefined
  }

  private poolNow(): pg.Pool {
    if (this.engine.single || !this.open()) return this.pool
    this.aside ??= this.poolOf(MOST_ASIDE)
    return this.aside
  }

  private async run(statement: BoundStatement, asArrays: boolean): Promise<RawResult> {
    const outer = this.holding()
    if (outer) return runOn(outer.client, statement, asArrays)
    const client = await this.acquire()
    let broken: Error | undefined
    try {
      return await runOn(client, statement, asArrays)
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** A connection; when an embedded engine is being restarted, the caller waits for it instead of failing. */
  private async acquire(): Promise<pg.PoolClient> {
    if (this.closing) throw new Error('The database is closed.')
    const deadline = Date.now() + RESTART_PATIENCE
    for (;;) {
      try {
        await this.engine.ready()
        return await this.poolNow().connect()
      } catch (error) {
        if (!this.engine.restarts || !isConnectionLoss(error) || Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  private async attempt<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions,
  ): Promise<Result> {
    const client = await this.acquire()
    const transaction = new ConnectionTransaction(this, client, this.logger)
    let broken: Error | undefined
    let result: Result
    try {
      await client.query(beginStatement(options))
      if (options.statementTimeout) await client.query(`set local statement_timeout = ${Math.floor(options.statementTimeout)}`)
      result = await this.held.run(transaction, () => work(transaction))
      await transaction.runLast()
      transaction.end()
      const { command } = await client.query('commit')
      if (command === 'ROLLBACK') {
        throw new Error('The transaction was rolled back: one of its statements failed and the error was swallowed.')
      }
    } catch (error) {
      transaction.end()
      try {
        await client.query('rollback')
      } catch (rollbackError) {
        broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError))
      }
      throw error
    } finally {
      client.release(broken)
    }
    await transaction.runHooks()
    return result
  }

  private async *streamCursor<Row>(statement: BoundStatement, options: StreamOptions): AsyncIterable<Row[]> {
    const client = await this.acquire()
    let broken: Error | undefined
    try {
      await client.query('begin isolation level repeatable read read only')
      yield* readCursor<Row>(client, statement, options)
    } finally {
      await client.query('rollback').catch((error: Error) => (broken = error))
      client.release(broken)
    }
  }

  /** A single connection is given back between the batches, so that a long export does not stop everybody else. */
  private async *streamHeld<Row>(statement: BoundStatement, options: StreamOptions): AsyncIterable<Row[]> {
    const name = cursorName()
    await this.run({ ...statement, text: `declare ${name} no scroll cursor with hold for ${statement.text}` }, false)
    try {
      yield* fetchAll<Row>((text) => this.run({ text, values: [] }, false), name, options)
    } finally {
      await this.run({ text: `close ${name}`, values: [] }, false)
    }
  }
}

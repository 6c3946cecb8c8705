import type pg from 'pg'
import { readCursor } from './cursor'
import { bind, queryBuilder, runOn } from './statement'
import type {
  BeforeCommit,
  DatabaseKind,
  DatabaseLogger,
  QueryBuilder,
  QueryResult,
  Statement,
  StreamOptions,
  Transaction,
  TransactionOptions,
} from './types'

const NOTIFY_LIMIT = 7900

export const NOTIFY = 'select pg_notify($1, $2)'

export function checkPayload(payload: string): void {
  const bytes = Buffer.byteLength(payload)
  if (bytes > NOTIFY_LIMIT) {
    throw new RangeError(
      `A notification may hold ${NOTIFY_LIMIT} bytes, this one has ${bytes}: send an id and let the receiver read.`,
    )
  }
}

export function beginStatement({ isolation, readOnly }: TransactionOptions): string {
  const level = isolation ? ` isolation level ${isolation}` : ''
  return `begin${level}${readOnly ? ' read only' : ''}`
}

/** One connection between begin and commit, or between a savepoint and its release. */
export class ConnectionTransaction implements Transaction {
  readonly kind: DatabaseKind
  readonly companyTimeZone: string
  readonly drizzle: QueryBuilder
  readonly hooks: (() => void | Promise<void>)[] = []
  /** What waits for the end, in the order in which it was given. */
  private readonly last: (readonly [work: BeforeCommit<unknown>, item: unknown])[] = []
  private open = true
  private savepoints = 0

  constructor(
    within: Pick<Transaction, 'kind' | 'companyTimeZone'>,
    readonly client: pg.ClientBase,
    private readonly logger: DatabaseLogger,
    private readonly name = 's',
  ) {
    this.kind = within.kind
    this.companyTimeZone = within.companyTimeZone
    this.drizzle = queryBuilder((statement, asArrays) => {
      this.check()
      return runOn(this.client, statement, asArrays)
    })
  }

  async query<Row extends object>(statement: Statement, params?: readonly unknown[]): Promise<QueryResult<Row>> {
    this.check()
    const result = await runOn(this.client, bind(statement, params), false)
    return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 }
  }

  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    this.check()
    this.savepoints += 1
    const savepoint = `${this.name}_${this.savepoints}`
    const inner = new ConnectionTransaction(this, this.client, this.logger, savepoint)
    await this.client.query(`savepoint ${savepoint}`)
    try {
      const result = await work(inner)
      await this.client.query(`release savepoint ${savepoint}`)
      this.hooks.push(...inner.hooks)
      this.last.push(...inner.last)
      return result
    } catch (error) {
      await this.client.query(`rollback to savepoint ${savepoint}`)
      throw error
    } finally {
      inner.end()
    }
  }

  async rehearse<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    this.check()
    this.savepoints += 1
    const savepoint = `${this.name}_${this.savepoints}`
    const inner = new ConnectionTransaction(this, this.client, this.logger, savepoint)
    await this.client.query(`savepoint ${savepoint}`)
    try {
      const result = await work(inner)
      await inner.runLast()
      return result
    } finally {
      inner.end()
      await this.client.query(`rollback to savepoint ${savepoint}`)
      await this.client.query(`release savepoint ${savepoint}`)
    }
  }

  async *stream<Row extends object>(
    statement: Statement,
    params?: readonly unknown[],
    options?: StreamOptions,
  ): AsyncIterable<Row[]> {
    this.check()
    yield* readCursor<Row>(this.client, bind(statement, params), options)
  }

  async notify(channel: string, payload: string): Promise<void> {
    checkPayload(payload)
    await this.query(NOTIFY, [channel, payload])
  }

  afterCommit(work: () => void | Promise<void>): void {
    this.check()
    this.hooks.push(work)
  }

  beforeCommit<Item>(work: BeforeCommit<Item>, item: Item): void {
    this.check()
    this.last.push([work as BeforeCommit<unknown>, item])
  }

  /** Does what waited for the end. */
  async runLast(): Promise<void> {
    const gathered = new Map<BeforeCommit<unknown>, unknown[]>()
    for (const [work, item] of this.last) {
      const items = gathered.get(work) ?? []
      gathered.set(work, items)
      items.push(item)
    }
    for (const [work, items] of gathered) await work(this, items)
  }

  get isOpen(): boolean {
    return this.open
  }

  end(): void {
    this.open = false
  }

  /** Runs what waited for the commit; an error in one hook is logged and keeps nothing else from running. */
  async runHooks(): Promise<void> {
    for (const hook of this.hooks) {
      try {
        await hook()
      } catch (error) {
        this.logger.error({ error: error instanceof Error ? error.message : String(error) }, 'work after a commit failed')
      }
    }
  }

  private check(): void {
    if (!this.open) throw new Error('The transaction is over: a statement came after its end. Is an `await` missing?')
  }
}

import PgBoss from 'pg-boss'
import type { Executor } from '../database'
import type { Line, Message, Outcome, QueueOptions } from './types'

/** Milliseconds between looks for what falls due; what is sent for now is told of, and waits for no look. */
const LOOK_EVERY = 2_000
/** A message whose gateway says nothing for so long is handed to another one. */
const SILENCE_SECONDS = 45
const BEAT_EVERY = 15_000
const TIDY_EVERY = 600_000
/** A message waits so long for a gateway that is down. */
const KEPT_DAYS = 365
const MOST_AT_ONCE = 1_000
const CHANNEL = 'queue'

interface OpenLine extends Line<object> {
  working: boolean
  held: number
  wanted: boolean
  looking: Promise<void> | null
  running: Map<string, { done: Promise<unknown>; cancel: AbortController }>
}

type Taken = PgBoss.JobWithMetadata<{ at: string; data: object }>

/**
 * The queue of everything that is done beside a call, over all gateways of a database: pg-boss on our own connections. A message that
 * is sent in a transaction is sent when that commits, or never.
 */
export class Queue {
  private readonly lines = new Map<string, OpenLine>()
  private readonly boss: PgBoss
  private readonly schema: string
  private readonly timers: NodeJS.Timeout[] = []
  private unlisten: (() => Promise<void>) | null = null
  private hurried: Promise<unknown> = Promise.resolve()
  private stopping = false

  constructor(private readonly options: QueueOptions) {
    this.schema = options.schema ?? 'pgboss'
    this.boss = new PgBoss({
      db: portOf(options.database),
      schema: this.schema,
      schedule: false,
      supervise: false,
      expireInSeconds: SILENCE_SECONDS,
      retentionDays: KEPT_DAYS,
    })
  }

  /** Before `open`. */
  define<Data extends object>(line: Line<Data>): void {
    if (this.lines.has(line.name)) throw new Error(`The line "${line.name}" of the queue is defined twice.`)
    const state = { working: false, held: 0, wanted: false, looking: null, running: new Map() }
    this.lines.set(line.name, { ...(line as unknown as Line<object>), ...state })
  }

  /** Makes the tables where there are none yet; from then on messages can be sent. */
  async open(): Promise<void> {
    await this.boss.start()
    if ((await this.missing()).length === 0) return
    // gateways that start at the same moment make them one after the other
    await this.options.database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard queue'))`)
      for (const name of await this.missing()) await this.boss.createQueue(name, { name, policy: 'stately' })
    })
  }

  /** Begins to work on messages of a line in this gateway. */
  async work(name: string): Promise<void> {
    const line = this.line(name)
    line.working = true
    if (this.timers.length === 0) {
      const { database, logger } = this.options
      const repeat = (every: number, work: () => Promise<void>): void => {
        const told = (error: unknown): void => logger.warn({ err: error }, 'the queue could not be looked after')
        this.timers.push(setInterval(() => void work().catch(told), every).unref())
      }
      repeat(LOOK_EVERY, () => this.look())
      repeat(BEAT_EVERY, () => this.beat().then(() => this.boss.expire()))
      repeat(TIDY_EVERY, () => this.boss.maintain())
      this.unlisten = await database.listen(CHANNEL, (told) => {
        const named = this.lines.get(told)
        if (named) this.take(named)
      })
    }
    this.take(line)
  }

  /** Interrupts what hears of it, waits for the rest, and lets nothing new begin. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const timer of this.timers) clearInterval(timer)
    await this.unlisten?.()
    const lines = [...this.lines.values()]
    await Promise.all(lines.map(({ looking }) => looking))
    for (const { running } of lines) for (const { cancel } of running.values()) cancel.abort()
    await Promise.all(lines.flatMap(({ running }) => [...running.values()].map(({ done }) => done)))
    await this.hurried
    await this.boss.stop({ graceful: false })
  }

  /** Sends messages in the transaction of `db`; those whose key waits already are left out. */
  async send(db: Executor, name: string, messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    const now = this.options.now()
    const { retry = { limit: 1_000 } } = this.line(name)
    const rows = messages.map(({ key, data = {}, at = now, behind = 0 }) => ({
      name,
      data: { at: at.toISOString(), data },
      singletonKey: key,
      priority: -behind,
      // by the database's clock, which does not know of ours
      startAfter: String(Math.max(0, at.getTime() - now.getTime()) / 1000),
      retryLimit: retry.limit,
      retryDelay: retry.delaySeconds ?? 0,
      retryBackoff: retry.backoff ?? false,
    }))
    await this.boss.insert(rows, { db: portOf(db) })
    if (messages.some(({ at }) => at === undefined || at <= now)) await db.notify(CHANNEL, name)
  }

  /** The keys that wait or are worked on. */
  async keys(name: string): Promise<ReadonlySet<string>> {
    const { rows } = await this.options.database.query<{ key: string }>(
      `select singleton_key as key from ${this.schema}.job where name = $1 and state <= 'active'`,
      [name],
    )
    return new Set(rows.map(({ key }) => key))
  }

  /**
   * For a clock that `move` puts elsewhere, or that was moved: hands everything that waits to its handler, whatever moment it waits for, the earliest first, while
   * nobody else of this gateway takes any. Answers the keys whose handlers had something to do.
   */
  hurry(names: readonly string[], move?: () => Promise<void>): Promise<string[]> {
    const lines = names.map((name) => this.line(name))
    for (const line of lines) line.held += 1
    const work = async (): Promise<string[]> => {
      const did: string[] = []
      try {
        for (const { looking } of lines) await looking
        await Promise.all(lines.flatMap(({ running }) => [...running.values()].map(({ done }) => done)))
        // whatever runs from here on knows the new moment, and is told
        await move?.()
        for (const line of lines) {
          const taken = await this.fetch(line, { batchSize: MOST_AT_ONCE, ignoreStartAfter: true })
          taken.sort((a, b) => a.data.at.localeCompare(b.data.at))
          let before: Promise<unknown> = Promise.resolve()
          const all = taken.map((message) => {
            const done = this.begin(line, message, before)
            before = done
            return done
          })
          for (const [index, outcome] of (await Promise.all(all)).entries())
            if (outcome?.did) did.push(taken[index]!.singletonKey ?? '')
        }
      } finally {
        for (const line of lines) line.held -= 1
      }
      return did
    }
    const hurried = this.hurried.then(work)
    this.hurried = hurried.catch(() => undefined)
    return hurried
  }

  private async missing(): Promise<string[]> {
    const made = new Set((await this.boss.getQueues()).map(({ name }) => name))
    return [...this.lines.keys()].filter((name) => !made.has(name))
  }
  private line(name: string): OpenLine {
    const line = this.lines.get(name)
    if (!line) throw new Error(`The queue has no line "${name}".`)
    return line
  }
  private fetch(line: OpenLine, options: PgBoss.JobFetchOptions): Promise<Taken[]> {
    return this.boss.fetch<Taken['data']>(line.name, { ...options, includeMetadata: true })
  }
  private room(line: OpenLine): boolean {
    return !this.stopping && line.working && line.held === 0 && line.running.size < (line.concurrency ?? 1)
  }

  private async look(): Promise<void> {
    const names = [...this.lines.values()].filter((line) => this.room(line)).map(({ name }) => name)
    if (names.length === 0) return
    const { rows } = await this.options.database.query<{ name: string }>(
      `select distinct name from ${this.schema}.job where name = any($1::text[]) and state < 'active' and start_after < now()`,
      [names],
    )
    for (const { name } of rows) this.take(this.line(name))
  }

  private take(line: OpenLine): void {
    line.wanted = true
    line.looking ??= this.drain(line).finally(() => {
      line.looking = null
      if (line.wanted && this.room(line)) this.take(line)
    })
  }
  private async drain(line: OpenLine): Promise<void> {
    while (this.room(line)) {
      line.wanted = false
      const [message] = await this.fetch(line, { batchSize: 1 })
      if (!message) return
      void this.begin(line, message).then(() => this.take(line))
    }
  }

  private begin(line: OpenLine, message: Taken, after: Promise<unknown> = Promise.resolve()): Promise<Outcome | undefined> {
    const cancel = new AbortController()
    const done = after
      .then(() => this.perform(line, message, cancel.signal))
      .catch(
        (error: unknown) => void this.options.logger.error({ err: error, line: line.name }, 'a message could not be settled'),
      )
      .then((outcome) => {
        line.running.delete(message.id)
        return outcome ?? undefined
      })
    line.running.set(message.id, { done, cancel })
    return done
  }

  private async perform(line: OpenLine, message: Taken, signal: AbortSignal): Promise<Outcome> {
    const { now, logger } = this.options
    const { data, at } = message.data
    const key = message.singletonKey ?? ''
    let outcome: Outcome
    try {
      const work = { key, data, at: new Date(at), now: now(), attempt: message.retryCount + 1, signal }
      outcome = (await line.handle(work)) ?? {}
    } catch (error) {
      if (!signal.aborted) {
        logger.error({ err: error, line: line.name, key }, 'a message failed')
        await this.boss.fail(line.name, message.id, { message: error instanceof Error ? error.message : String(error) })
        return {}
      }
      outcome = { again: now() }
    }
    await this.options.database.transaction(async (tx) => {
      await this.boss.complete(line.name, message.id, {}, { db: portOf(tx) })
      if (outcome.again) await this.send(tx, line.name, [{ key, data: outcome.data ?? data, at: outcome.again }])
    })
    return outcome
  }

  /** Says of all that runs that it lives; what was handed to another gateway meanwhile is told to end. */
  private async beat(): Promise<void> {
    const running = [...this.lines.values()].flatMap((line) =>
      [...line.running].map(([id, { cancel }]) => ({ line, id, cancel })),
    )
    if (running.length === 0) return
    const { rows } = await this.options.database.query<{ id: string }>(
      `update ${this.schema}.job set started_on = now() where name = any($1::text[]) and id = any($2::uuid[]) and state = 'active' returning id`,
      [running.map(({ line }) => line.name), running.map(({ id }) => id)],
    )
    const ours = new Set(rows.map(({ id }) => id))
    for (const { id, line, cancel } of running) if (!ours.has(id) && line.running.has(id)) cancel.abort()
  }
}

/** What pg-boss speaks through. Its texts of several statements bring their own transaction: they get one of ours, which is undone whole. */
const portOf = (db: Executor): PgBoss.Db => ({
  executeSql: (text, values) => {
    const whole = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/.exec(text)?.[1]
    return whole === undefined ? db.query(text, values ?? []) : db.transaction((tx) => tx.query(whole))
  },
})

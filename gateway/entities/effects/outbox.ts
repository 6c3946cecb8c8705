import { later as laterThan, parseDuration } from '../../../src/schema/formats/duration'
import type { Effect } from '../../../src/schema/generated/entity'
import { newId, type Transaction } from '../../platform/database'
import { ServiceError, systemContext } from '../../platform/http'
import type { Outcome, Queue, Work } from '../../platform/queue'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import type { EffectRun, OutsideVerb, VerbPlace } from '../types'
import { trusted } from './cause'

/** The line of the queue on which rows of the outbox wait, by their ids. */
export const OUTBOX_LINE = 'outbox'
const ENTITY = 'sys.outbox'
const AT_ONCE = 4
const LONGEST_ERROR = 500

type InTransaction = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** A row of sys.outbox. */
interface Row extends EntityRecord {
  id: string
  status: string
  verb: string
  entity: string
  recordId: string
  attempts: number
  given: EntityRecord
  retry: readonly string[]
  done: string | null
  failed: string | null
  nextAt: string | null
}

/**
 * What effects with `later` ask of the outside: a row in the transaction of the effect, done after its commit. No transaction is open
 * while the outside is asked; what comes of it is written in one with the transition that it leads to.
 */
export class Outbox {
  private readonly verbs = new Map<string, OutsideVerb>()

  constructor(
    private readonly core: Core,
    private readonly queue: Queue,
    private readonly inTransaction: InTransaction,
  ) {
    queue.define({ name: OUTBOX_LINE, concurrency: AT_ONCE, handle: (work) => this.deliver(work) })
  }

  register(name: string, verb: OutsideVerb): void {
    if (this.verbs.has(name)) throw new Error(`The verb "${name}" of the outside is registered twice.`)
    this.verbs.set(name, verb)
  }

  async put({ tx, context, model, target, effect }: VerbPlace & { effect: Effect }, runs: readonly EffectRun[]): Promise<void> {
    const { retry = [], done, failed, link } = effect.later ?? {}
    const rows = runs.map((run): EntityRecord => ({
      id: newId(),
      verb: effect.do,
      effect: effect.id,
      entity: (target ?? model).name,
      recordId: String((run.target ?? run.subject.record).id),
      link: link === undefined ? null : run.evaluate(link, {}),
      given: run.with,
      retry: run.evaluate(retry, {}),
      done: done ?? null,
      failed: failed ?? null,
      attempts: 0,
      status: 'waiting',
      createdBy: context.user.staffId,
    }))
    await this.core.entities(tx, trusted(context)).insertMany(ENTITY, rows)
    await this.send(tx, rows)
  }

  /** Sends rows to the queue, e.g. once more. */
  send(tx: Transaction, rows: readonly EntityRecord[]): Promise<void> {
    return this.queue.send(tx, OUTBOX_LINE, rows.map(({ id }) => ({ key: String(id) }))) // prettier-ignore
  }

  private async deliver({ key: id, now, signal }: Work<object>): Promise<Outcome> {
    const row = await this.inTransaction((tx) => this.begin(tx, id, now))
    if (!row) return {}
    if (row.status === 'waiting') return { again: new Date(String(row.nextAt)) }
    try {
      const verb = this.verbs.get(row.verb)
      if (!verb) throw new Error(`Nobody registered the verb "${row.verb}" of the outside.`)
      const { entity, recordId, attempts, given } = row
      const values = await verb({ with: given, key: id, attempt: attempts, entity, recordId, signal })
      await this.inTransaction((tx) => this.finish(tx, row, now, values ?? {}))
      return { did: true }
    } catch (error) {
      // the queue hands it to the next gateway
      if (signal.aborted) throw error
      return this.inTransaction((tx) => this.fail(tx, row, now, error))
    }
  }

  /** The row as it is begun; waiting when it is not its time yet. Rows that ran in a gateway that died are begun once more. */
  private async begin(tx: Transaction, id: string, now: Date): Promise<Row | null> {
    const entities = this.core.entities(tx, systemContext({ now }))
    const row = (await entities.find(ENTITY, id, { lock: true })) as Row | null
    if (!row || !['waiting', 'running'].includes(row.status)) return null
    if (row.status === 'waiting' && row.nextAt && new Date(row.nextAt) > now) return row
    return (await entities.transition(ENTITY, id, 'start', { attempts: Number(row.attempts) + 1 })) as Row
  }

  private async finish(tx: Transaction, row: Row, now: Date, values: EntityRecord): Promise<void> {
    const entities = this.core.entities(tx, systemContext({ now }))
    await entities.transition(ENTITY, row.id, 'finish')
    if (row.done) await entities.transition(row.entity, row.recordId, row.done, values)
  }

  private async fail(tx: Transaction, row: Row, now: Date, error: unknown): Promise<Outcome> {
    const context = systemContext({ now })
    const entities = this.core.entities(tx, context)
    const { locale } = context
    let lastError =
      error instanceof ServiceError ? error.messageIn(locale) : error instanceof Error ? error.message : String(error)
    const span = row.retry[Number(row.attempts) - 1]
    const next = span && laterThan(now.toISOString(), parseDuration(span)!, this.core.registry.timeZone)
    if (next) {
      await entities.transition(ENTITY, row.id, 'wait', { lastError: lastError.slice(0, LONGEST_ERROR), nextAt: next })
      return { again: new Date(next), did: true }
    }
    try {
      if (row.failed) await tx.transaction((inner) => this.core.entities(inner, context).transition(row.entity, row.recordId, row.failed!)) // prettier-ignore
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal
      lastError = `${lastError} | ${row.failed}: ${refusal.messageIn(locale)}`
    }
    await entities.transition(ENTITY, row.id, 'fail', { lastError: lastError.slice(0, LONGEST_ERROR) })
    return { did: true }
  }
}

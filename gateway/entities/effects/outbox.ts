import { later as laterThan, parseDuration } from '../../../src/schema/formats/duration'
import { findTransition } from '../../../src/schema/entity'
import type { Effect } from '../../../src/schema/generated/entity'
import { newId, type Transaction } from '../../platform/database'
import { ServiceError, systemContext, type RequestContext } from '../../platform/http'
import type { Outcome, Queue, Work } from '../../platform/queue'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import type { EffectRun, OutsideVerb, VerbContext } from '../types'
import type { Entities } from '../entitiesApi'
import { trusted } from './cause'

/** The line of the queue on which rows of the outbox wait, by their ids. */
export const OUTBOX_LINE = 'outbox'
const ENTITY = 'sys.outbox'
const AT_ONCE = 16
const PATIENCE = 'PT1M'
const MOST_OPEN = 100_000
const LONGEST_TIMER = 2 ** 31 - 1
const LONGEST_ERROR = 500

/** The outside refused for good, with the reason in words: asking again would not help, the record takes its transition `failed` at once. */
export class FinalRefusal extends Error {}

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
  most: number | null
  within: string | null
  turn: string | null
  done: string | null
  failed: string | null
  again: string | null
  nextAt: string | null
}

/** The waits that `retry` says: spans as they are written, or minutes, the shortest first. */
export function waitsOf(said: unknown): string[] {
  const waits = Array.isArray(said) ? (said as unknown[]) : []
  if (!waits.every((wait) => typeof wait === 'number')) return waits.map(String)
  return [...waits].sort((a, b) => a - b).map((minutes) => `PT${minutes}M`)
}

/** How long a request waits after an attempt that failed; none when it was the last one. */
export const waitAfter = (attempt: number, waits: readonly string[], most: number | null): string | undefined =>
  most !== null && attempt >= most ? undefined : (waits[attempt - 1] ?? (most === null ? undefined : waits.at(-1)))

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

  async put({ tx, context, model, target, effect }: VerbContext & { effect: Effect }, runs: readonly EffectRun[]): Promise<void> {
    const { retry = [], attempts, within, inTurn, done, failed, again, link } = effect.later ?? {}
    const cause = context.causes?.at(-1)
    const rows = runs.map((run): EntityRecord => ({
      id: newId(),
      causeEntity: cause?.entity ?? null,
      causeId: cause?.recordId ?? null,
      causeStep: cause?.transition ?? null,
      verb: effect.do,
      effect: effect.id,
      entity: (target ?? model).name,
      recordId: String((run.target ?? run.subject.record).id),
      link: link === undefined ? null : run.evaluate(link, {}),
      given: run.with,
      retry: waitsOf(run.evaluate(retry, {})),
      most: attempts === undefined ? null : Number(run.evaluate(attempts, {})),
      within: within === undefined ? null : run.evaluate(within, {}),
      turn: inTurn === undefined ? null : String(run.evaluate(inTurn.key, {})),
      place: inTurn === undefined ? null : Number(run.evaluate(inTurn.place, {})),
      done: done ?? null,
      failed: failed ?? null,
      again: again ?? null,
      attempts: 0,
      status: 'waiting',
      createdBy: context.user.staffId,
    }))
    await this.core.entities(tx, trusted(context)).insertMany(ENTITY, rows)
    await this.send(tx, rows)
  }

  /** Sends rows to the queue, e.g. once more. */
  send(tx: Transaction, rows: readonly EntityRecord[]): Promise<void> {
    return this.queue.send(
      tx,
      OUTBOX_LINE,
      rows.map(({ id }) => ({ key: String(id) })),
    )
  }

  /** Sends those that are next after rows whose turn ends with this write. */
  async sendNext(tx: Transaction, context: RequestContext, rows: readonly EntityRecord[]): Promise<void> {
    const next = await this.firstInTurn(
      this.core.entities(tx, trusted(context)),
      rows.map(({ turn }) => turn),
      rows,
    )
    await this.send(
      tx,
      [...next.values()].filter(({ status }) => status === 'waiting'),
    )
  }

  /** By key, the request that stands first: those behind it wait until it is done or given up. */
  private async firstInTurn(
    entities: Entities,
    turns: readonly unknown[],
    over: readonly EntityRecord[] = [],
  ): Promise<ReadonlyMap<unknown, EntityRecord>> {
    const open = await entities.list(ENTITY, {
      where: [
        { field: 'turn', operator: 'in', value: [...new Set(turns)] },
        { field: 'status', operator: 'in', value: ['waiting', 'running', 'failed'] },
      ],
      sort: ['place', 'id'].map((field) => ({ field, order: 'desc' })),
      limit: MOST_OPEN,
    })
    const ended = new Set(over.map(({ id }) => id))
    return new Map(open.filter(({ id }) => !ended.has(id)).map((row) => [row.turn, row]))
  }

  private async deliver({ key: id, now, signal }: Work<object>): Promise<Outcome> {
    const row = await this.inTransaction((tx) => this.begin(tx, id, now))
    if (!row) return {}
    if (row.status === 'waiting') return { again: new Date(String(row.nextAt)) }
    const limit = AbortSignal.timeout(this.millisecondsFrom(now, row.within ?? PATIENCE))
    try {
      const verb = this.verbs.get(row.verb)
      if (!verb) throw new Error(`Nobody registered the verb "${row.verb}" of the outside.`)
      const { entity, recordId, attempts, given } = row
      const values = await verb({
        with: given,
        key: id,
        attempt: attempts,
        entity,
        recordId,
        signal: AbortSignal.any([signal, limit]),
      })
      await this.inTransaction((tx) => this.finish(tx, row, now, values ?? {}))
      return { did: true }
    } catch (error) {
      // the queue hands it to the next gateway
      if (signal.aborted) throw error
      const late = limit.aborted ? new Error(`No answer within ${row.within ?? PATIENCE}.`) : error
      return this.inTransaction((tx) => this.fail(tx, row, now, late))
    }
  }

  private millisecondsFrom(now: Date, span: string): number {
    const until = laterThan(now.toISOString(), parseDuration(span)!, this.core.registry.timeZone)
    return Math.min(Date.parse(until!) - now.getTime(), LONGEST_TIMER)
  }

  /** The row as it is begun; waiting when it is not its time yet, none when it is not its turn. Rows that ran in a gateway that died are begun once more. */
  private async begin(tx: Transaction, id: string, now: Date): Promise<Row | null> {
    const entities = this.core.entities(tx, systemContext({ now }))
    const row = (await entities.find(ENTITY, id, { lock: true })) as Row | null
    if (!row || !['waiting', 'running'].includes(row.status)) return null
    if (row.status === 'waiting' && row.nextAt && new Date(row.nextAt) > now) return row
    if (row.turn !== null && (await this.firstInTurn(entities, [row.turn])).get(row.turn)?.id !== id) return null
    return (await entities.transition(ENTITY, id, 'start', { attempts: Number(row.attempts) + 1 })) as Row
  }

  private async finish(tx: Transaction, row: Row, now: Date, values: EntityRecord): Promise<void> {
    const entities = this.core.entities(tx, systemContext({ now }))
    await entities.transition(ENTITY, row.id, 'finish')
    if (row.done) await entities.transition(row.entity, row.recordId, row.done, this.takenBy(row, row.done, values))
  }

  /** Of what there is to tell, what the transition takes. */
  private takenBy({ entity }: Row, transition: string, told: EntityRecord): EntityRecord {
    const { fields = [], inputs = {} } = findTransition(this.core.registry.model(entity), transition)?.transition ?? {}
    const taken = new Set([...fields, ...Object.keys(inputs)])
    return Object.fromEntries(Object.entries(told).filter(([name]) => taken.has(name)))
  }

  private async fail(tx: Transaction, row: Row, now: Date, error: unknown): Promise<Outcome> {
    const context = systemContext({ now })
    const entities = this.core.entities(tx, context)
    const { locale } = context
    let lastError =
      error instanceof ServiceError ? error.messageIn(locale) : error instanceof Error ? error.message : String(error)
    const attempts = Number(row.attempts)
    const span = error instanceof FinalRefusal ? undefined : waitAfter(attempts, row.retry, row.most)
    const nextAttemptAt = span ? laterThan(now.toISOString(), parseDuration(span)!, this.core.registry.timeZone)! : null
    const transition = nextAttemptAt ? row.again : row.failed
    try {
      if (transition) {
        const told = { attempts, lastError: lastError.slice(0, LONGEST_ERROR), nextAttemptAt }
        const values = this.takenBy(row, transition, told)
        await tx.transaction((inner) =>
          this.core.entities(inner, context).transition(row.entity, row.recordId, transition, values),
        )
      }
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal
      lastError = `${lastError} | ${transition}: ${refusal.messageIn(locale)}`
    }
    lastError = lastError.slice(0, LONGEST_ERROR)
    if (nextAttemptAt) {
      await entities.transition(ENTITY, row.id, 'wait', { lastError, nextAt: nextAttemptAt })
      return { again: new Date(nextAttemptAt), did: true }
    }
    await entities.transition(ENTITY, row.id, 'fail', { lastError })
    return { did: true }
  }
}

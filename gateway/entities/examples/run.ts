import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import { pointer } from '../../../src/schema/diagnosis'
import type { Example } from '../../../src/schema/generated/entity'
import type { QueryWhere } from '../../../src/schema/model'
import { sqlState, type Transaction } from '../../platform/database'
import { ServiceError, systemContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { takeBatch } from '../deadlines/take'
import { plansOf } from '../deadlines/plan'
import { settled } from '../deadlines/resolve'
import { sameValue } from '../sameValue'
import { tableSql } from '../tables'
import type { Entities } from '../entitiesApi'
import type { FailedExample } from '../types'
import { newRecord, stampNew } from '../write/newRecord'
import { saveRecord } from '../write/save'
import { performTransition } from '../write/transition'
import { callerOf } from './caller'

type Step = Example['do'][number]
type Expected = NonNullable<Example['expect']>[number]

type InTransaction = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** What has no column or table yet. */
const UNDEFINED = new Set(['42703', '42P01'])
/** The name of the record of a step that names none. */
const RECORD = 'record'

/** Runs the examples of entities, each in a transaction that is undone; answers what is not as they say. */
export async function runExamples(
  core: Core,
  inTransaction: InTransaction,
  models: readonly EntityModel[],
): Promise<FailedExample[]> {
  const failed: FailedExample[] = []
  for (const model of models)
    for (const [index, example] of (model.document['x-tests'] ?? []).entries()) {
      const undone = new Error('An example is undone.')
      await inTransaction(async (tx) => {
        const run = new Run(core, tx, model, example, pointer('/x-tests', index))
        await run.all()
        failed.push(...run.failed)
        throw undone
      }).catch((error: unknown) => {
        if (error !== undone) throw error
      })
    }
  return failed
}

/** One example in a transaction of its own. */
class Run {
  readonly failed: FailedExample[] = []
  private now: Date
  /** Records that steps made: name -> id. Those that are given have their name as id. */
  private readonly made = new Map<string, string>()
  /** Record by name -> its entity. */
  private readonly entityOf = new Map<string, string>()

  constructor(
    private readonly core: Core,
    private readonly tx: Transaction,
    private readonly model: EntityModel,
    private readonly example: Example,
    private readonly at: string,
  ) {
    this.now = new Date(example.clock)
  }

  async all(): Promise<void> {
    if (!(await this.attempt(pointer(this.at, 'given'), () => this.give()))) return
    for (const [index, step] of this.example.do.entries())
      if (!(await this.attempt(pointer(this.at, 'do', index), () => this.step(step, pointer(this.at, 'do', index))))) return
    for (const [index, expected] of (this.example.expect ?? []).entries())
      await this.attempt(pointer(this.at, 'expect', index), () => this.expect(expected, pointer(this.at, 'expect', index)))
  }

  private fail(at: string, expected: unknown, actual: unknown, more: Pick<FailedExample, 'missing' | 'refusal'> = {}): void {
    this.failed.push({ entity: this.model.name, example: this.example.id, at, expected, actual: this.named(actual), ...more })
  }

  /** What fails as a whole is told where it stands. */
  private async attempt(at: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await this.tx.transaction(work)
      return true
    } catch (error) {
      if (error instanceof ServiceError) this.fail(at, null, wordsOf(error), { refusal: error.text })
      else {
        const message = error instanceof Error ? error.message : String(error)
        this.fail(at, null, message, UNDEFINED.has(sqlState(error) ?? '') ? { missing: true } : {})
      }
      return false
    }
  }

  private get entities(): Entities {
    return this.core.entities(this.tx, systemContext({ now: this.now }))
  }

  private named(value: unknown): unknown {
    const names = new Map([...this.made].map(([name, id]) => [id, name]))
    return replaced(value, names)
  }

  private async give(): Promise<void> {
    const { core, tx, now } = this
    // what people have set is another matter than what the documents say
    for (const name of ['sys.ruleSet', 'sys.ruleOverride']) {
      const kept = core.registry.find(name)
      if (kept) await tx.query(sql`delete from ${tableSql(kept, 't')}`)
    }
    const rules = Object.entries(this.example.rules ?? {}).map(([key, params]) => ({
      ...{ id: key, key, versionNo: 1, params, effectiveFrom: now.toISOString(), changeReason: this.example.id },
    }))
    if (rules.length > 0) await this.entities.insertMany('sys.ruleSet', rules)
    for (const [name, { entity = this.model.name, values = {} }] of Object.entries(this.example.given ?? {})) {
      this.entityOf.set(name, entity)
      const system = systemContext({ now })
      const record = { ...newRecord(core, system, core.registry.model(entity), values, name), ...values }
      stampNew(system, record)
      await this.entities.insertMany(entity, [record])
    }
  }

  private async step(step: Step, at: string): Promise<void> {
    if (step.clock !== undefined) await this.pass(new Date(step.clock), at)
    if (!step.save && step.transition === undefined) return
    const told = await this.tx
      .transaction((tx) => this.act(step, tx))
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof ServiceError) return error
          throw error
        },
      )
    const { refused = null } = step
    if (told === null ? refused !== null : !isRefusedBy(told, refused)) {
      if (told && refused === null) throw told
      this.fail(pointer(at, 'refused'), refused, told && wordsOf(told), told ? { refusal: told.text } : {})
    }
  }

  private async act(step: Step, tx: Transaction): Promise<void> {
    const { core } = this
    const name = step.record ?? RECORD
    const entity = step.entity ?? this.entityOf.get(name) ?? this.model.name
    const model = core.registry.model(entity)
    const id = step.match ? await this.matching(entity, step.match) : this.idOf(name)
    const context = await callerOf({ core, tx, model, now: this.now }, step)
    if (step.transition !== undefined) {
      const values = this.resolved(step.values ?? {}) as EntityRecord
      await performTransition({ core, tx, context, model }, id ?? '', { transition: step.transition, values })
    }
    if (!step.save) return
    const body = { ...(id === undefined ? {} : { id }), ...(this.resolved(step.save) as EntityRecord) }
    const saved = await saveRecord({ core, tx, context, model }, body, { origin: 'save' })
    if (id !== undefined) return
    this.made.set(name, String(saved.id))
    this.entityOf.set(name, entity)
  }

  /** The deadlines of the records of this example act that have passed then. */
  private async pass(now: Date, at: string): Promise<void> {
    this.now = now
    const { rows } = await this.tx.query<{ first: string }>(sql`select txid_current() % 4294967296 as first`)
    const mine = sql`and t.xmin::text::bigint >= ${rows[0]?.first}::bigint`
    for (const plan of this.core.registry.all().flatMap((model) => plansOf(model))) {
      if (plan.deadline.transition === undefined && plan.deadline.delete !== true) continue
      const write = { core: this.core, tx: this.tx, context: systemContext({ now }) }
      const taken = await takeBatch(write, { ...(await settled(write, plan)), most: null }, mine)
      for (const { failed } of taken) if (failed) this.fail(at, plan.deadline.id, failed.en)
    }
  }

  private async expect({ record, values, entity, match = {}, records = 1 }: Expected, at: string): Promise<void> {
    if (entity !== undefined) {
      const found = await this.entities.count(entity, this.whereOf(entity, match))
      if (found !== records) this.fail(pointer(at, 'records'), records, found)
      return
    }
    const name = record ?? RECORD
    const of = this.entityOf.get(name) ?? this.model.name
    const stored = await this.entities.find(of, this.idOf(name) ?? '')
    if (!stored) return this.fail(pointer(at, 'record'), name, null)
    for (const [field, expected] of Object.entries(values ?? {}))
      if (!isSame(this.resolved(expected), stored[field]))
        this.fail(pointer(at, 'values', field), expected, stored[field] ?? null)
  }

  private async matching(entity: string, match: EntityRecord): Promise<string> {
    const found = await this.entities.list(entity, { where: this.whereOf(entity, match), limit: 2 })
    if (found.length === 1) return String(found[0]!.id)
    throw new Error(`${found.length === 0 ? 'No record' : 'More than one record'} of ${entity} matches.`)
  }

  private whereOf(entity: string, match: EntityRecord): QueryWhere[] {
    const model = this.core.registry.model(entity)
    return Object.entries(this.resolved(match) as EntityRecord).map(([field, value]) => {
      if (!model.fields.has(field)) throw new Error(`${entity} has no field "${field}".`)
      return value === null ? { field, operator: 'empty' } : { field, operator: 'eq', value }
    })
  }

  private idOf(name: string): string | undefined {
    return this.made.get(name) ?? (this.entityOf.has(name) ? name : undefined)
  }

  private resolved(value: unknown): unknown {
    return replaced(value, this.made)
  }
}

/** Texts that stand for another one, wherever in a value. */
function replaced(value: unknown, instead: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return instead.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replaced(item, instead))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, instead)]))
}

/** Which rules of the document a refusal comes from, else its reason. */
function idsOf(error: ServiceError): string[] {
  const { errors } = (error.data ?? {}) as { errors?: readonly { rule?: string }[] }
  const rules = [error.rule, ...(Array.isArray(errors) ? errors.map(({ rule }) => rule) : [])].filter((id) => id !== undefined)
  return rules.length > 0 ? rules : [error.reason]
}

const wordsOf = (error: ServiceError): string => `${idsOf(error).join(', ')}: ${error.text.en}`

const isRefusedBy = (error: ServiceError, id: string | null): boolean => id !== null && idsOf(error).includes(id)

const MOMENT = /^\d{4}-\d{2}-\d{2}T/
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Moments and decimals are the same however they are written. */
function isSame(expected: unknown, actual: unknown): boolean {
  const both = (pattern: RegExp): boolean => [expected, actual].every((one) => typeof one === 'string' && pattern.test(one))
  if (both(MOMENT)) return Date.parse(expected as string) === Date.parse(actual as string)
  if (both(DECIMAL)) return sameDecimal(expected as string, actual as string)
  return sameValue(expected, actual)
}

const sameDecimal = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text))
  return left === right
}

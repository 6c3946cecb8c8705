import { compileEntity, entityScope, referenceOf, type EntityModel, type FieldModel } from '../../src/schema/entity'
import '../../src/schema/expression/functions/all'
import type { Environment } from '../../src/schema/expression'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../src/schema/generated/entity'
import type { FieldKind } from '../../src/schema/model'
import type { Executor } from '../platform/database'
import { can, type RequestContext } from '../platform/http'
import type { EntityRecord } from './calls'
import type { DeriveFunction, LookupFunction, RuleSource, RuleSubject } from './functions'
import type { DaysKeeper, EntityService, TransitionGate } from './types'
import { unknownName } from './errors'
import { ExchangeRates, RATES_ENTITY } from './money/exchangeRates'
import { TextSamples } from './query/textSamples'
import { together } from './together'

type Forbid = NonNullable<EntityDocument['x-forbids']>[number]

/** `x-forbids` of an entity, seen from records that it holds, or that refer to what it holds. */
export interface Forbidding {
  model: EntityModel
  forbid: Forbid
  /** The field that names what is held; `id` of the held record itself. */
  by: string
  /** Which of their transitions are forbidden. */
  transitions: readonly string[] | 'all'
  create: boolean
  delete: boolean
}

function forbidsBy(models: readonly EntityModel[]): ReadonlyMap<string, readonly Forbidding[]> {
  const found = new Map<string, Forbidding[]>()
  for (const model of models)
    for (const forbid of model.document['x-forbids'] ?? []) {
      const field = model.fields.get(forbid.on)
      const target = field && referenceOf(field)
      const add = (entity: string, what: Omit<Forbidding, 'model' | 'forbid'>): void =>
        void found.set(entity, [...(found.get(entity) ?? []), { model, forbid, ...what }])
      const { transitions = 'all', delete: deleting = false, also = [] } = forbid
      if (target !== undefined) add(target, { by: 'id', transitions, create: false, delete: deleting })
      for (const { entity, reference, create = false, transitions: some = [] } of also)
        add(entity, { by: reference, transitions: some, create, delete: false })
    }
  return found
}

export type DictionarySource = (name: string) => DictionaryDocument | undefined

/** An expression that asks for rates, wherever in a document it stands. */
const CONVERTS = /\b(?:convert|exchangeRate)\(/

/** A field that names records of an entity, with what is to happen when they are deleted. */
export interface Referrer {
  readonly model: EntityModel
  readonly field: FieldModel
  readonly policy: NonNullable<FieldModel['field']['x-onDelete']>
}

/** All entities of this gateway, made ready, with the services that were registered for them. */
export class Registry {
  private models: ReadonlyMap<string, EntityModel> = new Map()
  /** Every kind of value that is stored. */
  kinds: ReadonlySet<FieldKind> = new Set()
  /** Another one with other documents: what is remembered of these goes with it. */
  generation: object = {}
  /** What is common in the texts that the quick keyword searches. */
  readonly samples = new TextSamples()
  readonly rates = new ExchangeRates()
  private convertible = false
  private referrers: ReadonlyMap<string, readonly Referrer[]> = new Map()
  private services = new Map<string, EntityService>()
  private hooks = new Map<string, readonly EntityService[]>()
  private readonly combined = new Map<string, { own: EntityService | undefined; service: EntityService }>()
  private ruleSources = new Map<string, RuleSource>()
  private derivations = new Map<string, DeriveFunction>()
  private functions = new Map<string, LookupFunction>()
  private forbids: ReadonlyMap<string, readonly Forbidding[]> = new Map()
  private readonly days: Intl.DateTimeFormat

  constructor(
    documents: readonly EntityDocument[],
    readonly dictionary: DictionarySource,
    /** IANA zone of the company: calendar days are counted in it. */
    readonly timeZone: string,
  ) {
    this.use(documents)
    this.days = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  }

  /** Other documents with what is registered here. */
  with(documents: readonly EntityDocument[]): Registry {
    const other = new Registry(documents, this.dictionary, this.timeZone)
    const { services, hooks, ruleSources, derivations, functions } = this
    return Object.assign(other, { services, hooks, ruleSources, derivations, functions })
  }

  /** Goes on with these documents; what was begun with the old ones ends with them. */
  use(documents: readonly EntityDocument[]): void {
    const find = (name: string): EntityModel | undefined => this.models.get(name)
    const known = new Map([...this.models.values()].map((model) => [model.document, model]))
    this.models = new Map(documents.map((document) => [document.name, known.get(document) ?? compileEntity(document, find)]))
    this.generation = {}
    this.forbids = forbidsBy(this.all())
    this.convertible = this.models.has(RATES_ENTITY) && documents.some((document) => CONVERTS.test(JSON.stringify(document)))
    this.referrers = referrersIn(this.models.values())
    this.kinds = new Set(this.all().flatMap((model) => model.stored.map(({ kind }) => kind)))
  }

  /**
   * Before expressions are evaluated: brings the exchange rates up to date where some expression converts, of the entities or among
   * `texts` that stand in no entity.
   */
  async ready(db: Executor, texts: readonly string[] = []): Promise<void> {
    if (this.convertible || texts.some((text) => CONVERTS.test(text))) await this.rates.refresh(db)
  }

  all(): readonly EntityModel[] {
    return [...this.models.values()]
  }

  find(name: string): EntityModel | undefined {
    return this.models.get(name)
  }

  /** @throws Error for a name that no schema file has: a fault of the caller's code, not of a request. */
  model(name: string): EntityModel {
    const model = this.models.get(name)
    if (!model) throw new Error(unknownName({ zh: '实体', en: 'entity' }, name, this.models.keys()).en)
    return model
  }

  /** What names records of an entity with a policy (`x-onDelete`). */
  referrersOf(entity: string): readonly Referrer[] {
    return this.referrers.get(entity) ?? []
  }

  register(name: string, service: EntityService): void {
    if (this.services.has(name)) throw new Error(`The entity service "${name}" is registered twice.`)
    this.services.set(name, service)
  }

  /** Makes known where the parameters of rule sets whose keys begin with `module.` come from. */
  registerRules(module: string, source: RuleSource): void {
    this.ruleSources.set(module, source)
  }

  /** The parameters of a rule set as they hold at a moment for each subject, and their version. */
  rules(key: string, db: Executor, now: Date, subjects: readonly RuleSubject[]): ReturnType<RuleSource> {
    const source = this.ruleSources.get(key.split('.', 1)[0]!)
    if (!source) throw new Error(`Nobody keeps the rule set "${key}".`)
    return source(db, key, now, subjects)
  }

  /** Makes known what works out the derived fields that name it. */
  registerDerivation(name: string, derive: DeriveFunction): void {
    if (this.derivations.has(name)) throw new Error(`The function "${name}" is registered twice.`)
    this.derivations.set(name, derive)
  }

  /** @throws Error for a function that nobody registered: a field names what this gateway does not have */
  derivationNamed(name: string): DeriveFunction {
    const known = this.derivations.get(name)
    if (!known) throw new Error(unknownName({ zh: '函数', en: 'function' }, name, this.derivations.keys()).en)
    return known
  }

  registerFunction(name: string, answer: LookupFunction): void {
    if (this.functions.has(name)) throw new Error(`The function "${name}" is registered twice.`)
    this.functions.set(name, answer)
  }

  /** @throws Error for a function that nobody registered */
  functionNamed(name: string): LookupFunction {
    const answer = this.functions.get(name)
    if (!answer) throw new Error(`Nobody registered the function "${name}".`)
    return answer
  }

  /** What running records forbid to records of an entity. */
  forbidding(entity: string): readonly Forbidding[] {
    return this.forbids.get(entity) ?? []
  }

  service(name: string): EntityService | undefined {
    return this.services.get(name)
  }

  /** Who has a word in the transitions of all entities. */
  readonly gates: TransitionGate[] = []

  /** Who has a word before days of records are dropped. */
  readonly dayKeepers: DaysKeeper[] = []

  /** Puts further hooks on an entity, after its own service and those that were put on it before. */
  hook(entity: string, service: EntityService): void {
    this.hooks.set(entity, [...(this.hooks.get(entity) ?? []), service])
    this.combined.clear()
  }

  /** The service of an entity with the hooks that modules put on it. */
  serviceOf(model: EntityModel): EntityService | undefined {
    const name = model.document['x-service']
    const own = name === undefined ? undefined : this.services.get(name)
    const further = this.hooks.get(model.name)
    if (!further) return own
    const known = this.combined.get(model.name)
    if (known && known.own === own) return known.service
    const service = together(own ? [own, ...further] : further)
    if (service) this.combined.set(model.name, { own, service })
    return service
  }

  /** The company's calendar day (YYYY-MM-DD) of a moment. */
  dayOf(moment: Date): string {
    // many records of one request ask for the day of its moment
    if (this.lastDay.time !== moment.getTime()) this.lastDay = { time: moment.getTime(), day: this.days.format(moment) }
    return this.lastDay.day
  }

  private lastDay = { time: NaN, day: '' }

  environment(context: RequestContext): Environment {
    return {
      locale: context.locale,
      timeZone: this.timeZone,
      can: (key) => can(context, key),
      exchangeRate: (from, to, day, kind) => this.rates.rate(from, to, day, kind),
      dictionaryLabel: (name, code) => this.dictionary(name)?.items.find((item) => item.code === code)?.label[context.locale],
    }
  }

  /** What an expression may read around the record. */
  expressionScope(context: RequestContext): EntityRecord
  /** What an expression of an entity may read: the record's fields, also as `record`, numbers as exact ones, and the names around it. `only`: see `entityScope`. */
  expressionScope(context: RequestContext, model: EntityModel, record: EntityRecord, only?: Iterable<string>): EntityRecord
  expressionScope(
    context: RequestContext,
    model?: EntityModel,
    record: EntityRecord = {},
    only?: Iterable<string>,
  ): EntityRecord {
    const own = model && entityScope(model, record, only)
    return {
      ...(own ? { record: own, ...own } : {}),
      user: context.user,
      today: this.dayOf(context.now),
      now: context.now.toISOString(),
      locale: context.locale,
    }
  }
}

function referrersIn(models: Iterable<EntityModel>): Map<string, Referrer[]> {
  const found = new Map<string, Referrer[]>()
  for (const model of models) {
    for (const field of model.stored) {
      const policy = field.field['x-onDelete']
      const entity = referenceOf(field)
      if (policy && entity !== undefined) found.set(entity, [...(found.get(entity) ?? []), { model, field, policy }])
    }
  }
  return found
}

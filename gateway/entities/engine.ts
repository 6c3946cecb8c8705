import { sql } from 'drizzle-orm'
import { compileEntity, referenceOf, type EntityModel } from '../../src/schema/entity'
import { exactText, ready } from '../../src/schema/formats'
import type { EntityDocument } from '../../src/schema/generated/entity'
import { setPatternEngine } from '../../src/schema/pattern/match'
import { re2Engine } from '../../src/schema/pattern/re2'
import type { Database, Transaction, TransactionOptions } from '../platform/database'
import { ok, ServiceError, type RequestContext, type Text } from '../platform/http'
import type { Queue } from '../platform/queue'
import { clauseSql } from './clause'
import { ClosedFields } from './closedFields'
import type { Core, CoreVerb, RecordFiles } from './core'
import { detachedRecords } from './detached'
import { deadlineJob } from './deadlines/job'
import { deadlinesMeet } from './deadlines/meets'
import { deadlineTables } from './deadlines/tables'
import { badRequest } from './errors'
import { takeAutomatic } from './effects/auto'
import { Outbox } from './effects/outbox'
import { ENGINE_VERBS } from './effects/verbs'
import { aggregate } from './aggregate/aggregate'
import { runExamples } from './examples/run'
import { EntitiesInTransaction } from './inTransaction'
import { ALIAS } from './query/queriedTable'
import { planQuery } from './query/plan'
import { countRows, presentRows, queryPage, within } from './query/queryPage'
import { accessOf } from './access'
import { askedDuplicates } from './duplicates/check'
import { saveLinesPart } from './lines/part'
import { mergePreview, mergeRecords } from './merge/merge'
import { addLines } from './lines/read'
import { readLog } from './read/log'
import { ReferenceReader } from './read/references'
import { SensitiveViews } from './read/sensitiveViews'
import { selectRecords } from './read/select'
import { viewRecord } from './read/view'
import { causesInLine, tellCauses } from './read/why'
import { RATES_ENTITY } from './money/exchangeRates'
import { ComparedReach } from './reach'
import { Registry, type DictionarySource } from './registry'
import { fillKept } from './derive/fill'
import { followedReferences } from './derive/graph'
import { reconcile } from './derive/rebuild'
import { renewAll, renewalJob } from './derive/renew'
import { recordDaysJob } from './recordDays'
import { hotSumTable, keptFieldTable } from './derive/tables'
import { entityTable, importRowTable, importTable, sequenceTable, tableSql } from './tables'
import { findRecords } from './search/search'
import { exportTo } from './transfer/export'
import { Importer, type ImportLimits } from './transfer/importer'
import type { BulkAnswer, EntityRecord, SaveAnswer } from './calls'
import type { EntityEngine } from './types'
import { existing } from './write/existing'
import { numbersFor } from './write/numbers'
import { removeRecord, restoreRecord } from './write/remove'
import { saveRecord } from './write/save'
import { isPlain, performTransition, performTransitions, tellRefused, whyNot } from './write/transition'

export interface EngineOptions {
  database: Database
  entities: readonly EntityDocument[]
  /** Looked up at every use, so that changed dictionaries hold at once. */
  dictionary: DictionarySource
  /** The file store; without it file fields are not checked. */
  files?: RecordFiles
  /** Where effects with `later` wait; without it there are none. */
  queue?: Queue
  /** IANA zone in which calendar days are counted; default Asia/Shanghai. */
  timeZone?: string
  importLimits?: Partial<ImportLimits>
  /** Route of the page that shows one record of an entity; looked up at every use. */
  detailPage?: (entity: string) => string | undefined
  /** What a set of rules is called, by its key; looked up at every use. */
  ruleTitle?: (key: string) => Text | undefined
  /** Told of what fails beside a call, e.g. a check that could not be written down. */
  onError?: (error: unknown, message: string) => void
}

/** A record and what follows from it may be written from both ends at once; one of the two is undone by the database and done again. */
const DEADLOCK_RETRIES = 5

/** Rows of one bulk call. */
const MOST_BULK = 500

/**
 * Makes the engine. Its tables have to be migrated before the first call.
 * @throws ExpressionError or Error naming the entity when a document cannot be used.
 */
export function createEntityEngine(options: EngineOptions): EntityEngine {
  const { database } = options
  setPatternEngine(re2Engine)
  const registry = new Registry(options.entities, options.dictionary, options.timeZone ?? 'Asia/Shanghai')
  const closed = new ClosedFields(registry)
  const verbs = new Map<string, CoreVerb>(Object.entries(ENGINE_VERBS))
  const coreOver = (over: Registry): Core => {
    const made: Core = {
      database,
      registry: over,
      references: new ReferenceReader(over),
      views: new SensitiveViews(over),
      files: options.files,
      detailPage: options.detailPage,
      ruleTitle: options.ruleTitle,
      onError: (error, message) => options.onError?.(error, message),
      entities: (tx, context) => new EntitiesInTransaction(made, tx, context),
      verb: (name) => {
        const verb = verbs.get(name)
        if (!verb) throw new Error(`Nobody registered the verb "${name}".`)
        return verb
      },
      later: (hook, runs) => {
        if (!outbox) throw new Error(`The effect "${hook.effect.id}" is done later, and there is no queue.`)
        return outbox.put(hook, runs)
      },
      takeAutomatic,
    }
    return made
  }
  const core = coreOver(registry)
  const { references } = core
  const importer = new Importer(core, options.importLimits)

  /** Reads, before expressions are evaluated, what they look up. */
  const prepared = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await registry.ready(database)
    return work()
  }

  const inTransaction = async <Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> => {
    // names of countries and the rules of phone numbers, before the first write checks a value
    await ready(...registry.kinds)
    await registry.ready(database)
    return database.transaction(work, options)
  }

  const outbox = options.queue && new Outbox(core, options.queue, (work) => inTransaction(work, { retries: DEADLOCK_RETRIES }))
  verbs.set(
    'sys.sendAgain',
    ({ tx }, runs) =>
      outbox?.send(
        tx,
        runs.map(({ subject }) => subject.record),
      ) ?? Promise.resolve(),
  )
  verbs.set(
    'sys.sendNext',
    ({ tx, context }, runs) =>
      outbox?.sendNext(
        tx,
        context,
        runs.map(({ subject }) => subject.record),
      ) ?? Promise.resolve(),
  )

  /** Runs a write; the answer is kept under the idempotence key in the same transaction. */
  const write = <Result>(context: RequestContext, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    inTransaction(
      async (tx) => {
        const result = await work(tx)
        await context.idempotence?.settle(tx, ok(result))
        return result
      },
      { retries: DEADLOCK_RETRIES },
    )

  const savedAnswer = async (
    tx: Transaction,
    context: RequestContext,
    model: EntityModel,
    row: EntityRecord,
  ): Promise<SaveAnswer> => {
    const [record] = await presentRows(core, tx, context, { model, access: accessOf(model, context) }, [{ ...row, $write: true }])
    const refs = await references.of(tx, context, model, [record!])
    if (model.lines.length > 0) await addLines(core, tx, context, model, row, { record: record!, refs })
    return { id: row.id as string, version: row.version as number, record: record!, refs }
  }

  /** Row by row, each in a transaction of its own: a neighbour's refusal undoes nothing. */
  const inBulk = async (
    context: RequestContext,
    model: EntityModel,
    ids: readonly string[],
    work: (tx: Transaction, id: string) => Promise<void>,
  ): Promise<BulkAnswer> => {
    const unique = checkedIds(context, ids)
    const answer: BulkAnswer = { done: [], refused: [] }
    for (const id of unique) {
      try {
        await inTransaction((tx) => work(tx, id), { retries: DEADLOCK_RETRIES })
        answer.done.push(id)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        answer.refused.push({ id, title: id, reason: error.messageIn(context.locale) })
      }
    }
    return bulkAnswer(context, model, answer)
  }

  /** Rows at once; a violation that only the database finds halves the batch until it is known whose it is. */
  const inBatches = async (
    context: RequestContext,
    model: EntityModel,
    ids: readonly string[],
    request: { transition: string; field?: string; values: EntityRecord },
  ): Promise<BulkAnswer> => {
    const unique = checkedIds(context, ids)
    const refused = new Map<string, ServiceError>()
    const go = async (some: readonly string[]): Promise<void> => {
      try {
        const found = await inTransaction((tx) => performTransitions({ core, tx, context, model }, some, request))
        for (const [id, error] of found) refused.set(id, error)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (some.length === 1) return void refused.set(some[0]!, error)
        const half = Math.ceil(some.length / 2)
        await go(some.slice(0, half))
        await go(some.slice(half))
      }
    }
    await go(unique)
    tellRefused({ core, context, model }, request, refused)
    return bulkAnswer(context, model, {
      done: unique.filter((id) => !refused.has(id)),
      refused: [...refused].map(([id, error]) => ({ id, title: id, reason: error.messageIn(context.locale) })),
    })
  }

  const bulkAnswer = async (context: RequestContext, model: EntityModel, answer: BulkAnswer): Promise<BulkAnswer> => {
    if (answer.refused.length > 0) {
      const titles = await titlesOf(
        core,
        context,
        model,
        answer.refused.map(({ id }) => id),
      )
      answer.refused = answer.refused.map((row) => ({ ...row, title: titles.get(row.id) ?? row.title }))
    }
    if (context.idempotence) await write(context, () => Promise.resolve(answer))
    return answer
  }

  const readable: EntityEngine['readable'] = (context, field) => {
    const [module = '', thing = '', name = '', ...rest] = field.split('.')
    const model = registry.model(`${module}.${thing}`)
    const found = model.fields.get(name)
    const target = rest.length > 0 && found ? referenceOf(found) : undefined
    return accessOf(model, context).readable(name) && (target === undefined || readable(context, [target, ...rest].join('.')))
  }

  return {
    tables: (tableOptions) => {
      const options = { ...tableOptions, followed: followedReferences(registry) }
      const own = [sequenceTable, importTable, importRowTable, ...deadlineTables, hotSumTable, keptFieldTable]
      return [...registry.all().map((model) => entityTable(model, options)), ...own]
    },
    use: (documents) => registry.use(documents),
    fillKept: async (onProgress) => {
      await ready(...registry.kinds)
      await fillKept(core, onProgress)
    },
    reconcile: async (reconcileOptions) => {
      await ready(...registry.kinds)
      return reconcile(core, reconcileOptions)
    },
    tableOf: (document, tableOptions) =>
      entityTable(compileEntity(document), { ...tableOptions, followed: followedReferences(registry) }),
    names: () => registry.all().map((model) => model.name),
    model: (entity) => registry.model(entity),
    dictionaryLabel: (dictionary, code) =>
      registry.dictionary(dictionary)?.items.find((item) => item.code === code)?.label ?? { zh: code, en: code },
    dictionaryChoices: (dictionary) =>
      (registry.dictionary(dictionary)?.items ?? []).flatMap(({ code, label, retired }) => (retired ? [] : [{ code, label }])),
    fieldRules: (viewer, entities) => closed.rulesOf(viewer, entities),
    whyNot: (entity, { db, context }, rows, transition) =>
      within(core, db, (tx) => whyNot({ core, tx, context, model: registry.model(entity) }, transition, rows)),
    registerEntityService: (name, service) => registry.register(name, service),
    detached: (document, lines) => detachedRecords(core, document, lines),
    hook: (entity, service) => registry.hook(entity, service),
    gate: (gate) => void registry.gates.push(gate),
    keepDays: (keeper) => void registry.dayKeepers.push(keeper),
    registerVerb: (name, verb) => {
      if (verbs.has(name)) throw new Error(`The verb "${name}" is registered twice.`)
      verbs.set(name, verb)
    },
    registerOutsideVerb: (name, verb) => outbox?.register(name, verb),
    registerRules: (module, source) => registry.registerRules(module, source),
    registerDerivation: (name, derive) => registry.registerDerivation(name, derive),
    renew: async (rules, now) => {
      await ready(...registry.kinds)
      return renewAll(core, ({ field }) => field['x-derived']?.rules === rules, { now })
    },
    renewal: renewalJob(core),
    recordDays: recordDaysJob(core),
    registerFunction: (name, answer) => registry.registerFunction(name, answer),
    ask: (name, ...asked) => registry.functionNamed(name)(...asked),
    service: (name) => registry.service(name),
    transaction: (context, work, options) => inTransaction((tx) => work(core.entities(tx, context), tx), options),
    entities: (tx, context) => core.entities(tx, context),
    deadlines: deadlineJob(core, inTransaction),
    deadlinesMeet: (document, now) => inTransaction((tx) => deadlinesMeet(core, tx, document, now)),
    runExamples: async (entities, documents) => {
      const over = documents ? coreOver(registry.with(documents)) : core
      await ready(...over.registry.kinds)
      await over.registry.ready(database)
      return runExamples(
        over,
        inTransaction,
        entities.map((name) => over.registry.model(name)),
      )
    },

    reach: (documents, now) => new ComparedReach(database, registry, registry.with(documents), now),

    search: (context, text, targets) => prepared(() => findRecords(core, context, text, targets)),
    aggregate: (entity, context, request) => prepared(() => aggregate(core, database, context, registry.model(entity), request)),
    queryPage: (entity, context, request) => prepared(() => queryPage(core, database, context, registry.model(entity), request)),
    count: (entity, context, selection) => countRows(database, planQuery(registry, context, registry.model(entity), selection)),
    rows: (entity, context, selection) => {
      const plan = planQuery(registry, context, registry.model(entity), selection)
      return sql`from ${tableSql(plan.model, ALIAS)} where ${clauseSql(plan.where)}`
    },
    readable,
    convert: (amount, from, to, day, kind) =>
      registry.find(RATES_ENTITY)
        ? registry.rates.refresh(database).then(() => registry.rates.convert(amount, from, to, day, kind))
        : Promise.resolve(undefined),
    exchangeRate: async (from, to, day, kind) => {
      if (!registry.find(RATES_ENTITY)) return undefined
      await registry.rates.refresh(database)
      const rate = registry.rates.rate(from, to, day, kind)
      return rate && exactText(rate)
    },
    view: (entity, context, id, { view } = {}) => prepared(() => viewRecord(core, context, registry.model(entity), id, view)),
    select: (entity, context, request) => prepared(() => selectRecords(core, context, registry.model(entity), request)),
    log: (entity, context, id, logOptions = {}) => readLog(core, context, registry.model(entity), id, logOptions),
    causes: async (context, kept) => (await tellCauses(core, context, kept)).map(causesInLine),
    titles: (context, wanted) =>
      references.titles(database, context, new Map(Object.entries(wanted).map(([entity, ids]) => [entity, new Set(ids)]))),

    async save(entity, context, body) {
      const model = registry.model(entity)
      // numbers are taken before the transaction, so that parallel savers do not wait for each other
      const isNew = (body.id ?? '') === ''
      const numbers = isNew && maySave(context, model) ? await numbersFor(database, model, registry.dayOf(context.now)) : {}
      return write(context, async (tx) => {
        const row = await saveRecord({ core, tx, context, model }, body, { origin: 'save', numbers })
        return savedAnswer(tx, context, model, row)
      })
    },
    saveLines: (entity, context, field, request) =>
      write(context, (tx) => saveLinesPart({ core, tx, context, model: registry.model(entity) }, field, request)),
    async stateUpdate(entity, context, request) {
      const model = registry.model(entity)
      const { ids, transition, field, version, values = {} } = request
      const step = (tx: Transaction, id: string) =>
        performTransition({ core, tx, context, model }, id, {
          transition,
          field,
          values,
          version: ids.length === 1 ? version : undefined,
        })
      if (ids.length !== 1 && isPlain({ core, context, model }, { transition, field }))
        return inBatches(context, model, ids, { transition, field, values })
      if (ids.length !== 1) return inBulk(context, model, ids, async (tx, id) => void (await step(tx, id)))
      return write(context, async (tx): Promise<BulkAnswer> => ({
        done: [(await step(tx, ids[0]!)).id as string],
        refused: [],
      })).catch((error: unknown) => {
        if (error instanceof ServiceError) tellRefused({ core, context, model }, request, new Map([[ids[0]!, error]]))
        throw error
      })
    },
    remove: (entity, context, id, removeOptions) =>
      write(context, async (tx) => {
        await removeRecord({ core, tx, context, model: registry.model(entity) }, id, removeOptions)
        return { id }
      }),
    restore: (entity, context, id) =>
      write(context, async (tx) => {
        await restoreRecord({ core, tx, context, model: registry.model(entity) }, id)
        return { id }
      }),
    mergePreview: (entity, context, ids) =>
      inTransaction((tx) => mergePreview({ core, tx, context, model: registry.model(entity) }, ids)),
    merge: (entity, context, request) =>
      write(context, (tx) => mergeRecords({ core, tx, context, model: registry.model(entity) }, request)),
    duplicates: (entity, context, { id, values }) =>
      inTransaction((tx) => askedDuplicates({ core, tx, context, model: registry.model(entity) }, id, values)),
    notDuplicate: (entity, context, { id, reason }) =>
      write(context, async (tx) => {
        const model = registry.model(entity)
        const { like = '', reason: why = '' } = model.document['x-duplicates'] ?? {}
        await existing({ core, tx, context, model }, id, false)
        await core.entities(tx, context).save(entity, { id, [like]: null, [why]: reason }, { reason })
        return { id }
      }),
    removeBatch: (entity, context, ids) => {
      const model = registry.model(entity)
      return inBulk(context, model, ids, (tx, id) => removeRecord({ core, tx, context, model }, id))
    },

    exportTo: (stream, entity, context, request, exportOptions) =>
      prepared(() => exportTo(core, stream, context, registry.model(entity), request, exportOptions)),
    importTemplate: (entity, context) => importer.template(context, registry.model(entity)),
    importPreview: (entity, context, file, previewOptions) =>
      prepared(() => importer.preview(context, registry.model(entity), file, previewOptions)),
    importState: (entity, context, importId) => importer.state(context, registry.model(entity), importId),
    importErrors: (entity, context, importId) => importer.errorFile(context, registry.model(entity), importId),
    importCommit: (entity, context, request, commitOptions) =>
      prepared(() => importer.commit(context, registry.model(entity), request, commitOptions)),
  }
}

function maySave(context: RequestContext, model: EntityModel): boolean {
  const { add } = model.permissions
  return context.kind === 'system' || (add !== undefined && context.permissions.has(add))
}

function checkedIds(context: RequestContext, ids: readonly string[]): string[] {
  const unique = [...new Set(ids)]
  if (unique.length > 0 && unique.length <= MOST_BULK && unique.every((id) => typeof id === 'string' && id.length <= 40))
    return unique
  throw badRequest(context.locale, { zh: `请选择 1 至 ${MOST_BULK} 条记录。`, en: `Choose 1 to ${MOST_BULK} records.` }, 'ids')
}

/** Title of a refused row, when the caller may see the row at all. */
async function titlesOf(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  ids: readonly string[],
): Promise<Map<string, string>> {
  try {
    return new Map((await selectRecords(core, context, model, { ids })).map(({ id, title }) => [id, title]))
  } catch (error) {
    if (error instanceof ServiceError) return new Map()
    throw error
  }
}

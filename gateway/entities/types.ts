import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { EntityModel, EntityView, FieldAccess, FieldViewer, StateTransition } from '../../src/schema/entity'
import type { Effect, EntityDocument, Refusal } from '../../src/schema/generated/entity'
import type { BilingualText } from '../../src/schema/problem'
import type { AggregateAnswer, AggregateRequest, FoundRecords, QueryCondition } from '../../src/schema/model'
import type { Executor, Transaction, TransactionOptions } from '../platform/database'
import type { CodeName, RequestContext, ServiceError, Text } from '../platform/http'
import type { FrequentJob, TimedJob } from '../platform/jobs'
import type {
  BulkAnswer,
  EntityRecord,
  ExportOptions,
  ExportRequest,
  LinesPartAnswer,
  LinesPartRequest,
  FieldDrift,
  LogAnswer,
  LogRequest,
  QueryPageAnswer,
  QueryPageRequest,
  References,
  RowSelection,
  SaveAnswer,
  SelectOption,
  SelectRequest,
  StateUpdateRequest,
  MergeAnswer,
  DuplicatesAnswer,
  MergePreview,
  MergeRequest,
  ViewAnswer,
  SearchTarget,
} from './calls'
import type { InputProblem } from './errors'
import type { ImportOptions, ImportPreview, ImportResult, ImportState, PreviewOptions } from './transfer/importTypes'
import type { Entities } from './entitiesApi'
import type { DraftOf, RecordOf } from './recordTypes'
import type { Reach } from './reached'
import type { RuleSource, LookupFunction, DeriveFunction, Renewed } from './functions'

/** What every hook gets: the running transaction, the caller, one clock, and the other entities inside the same transaction. */
export interface HookContext {
  readonly tx: Transaction
  readonly context: RequestContext
  readonly now: Date
  readonly entities: Entities
}

/** `Row`: a stored record; `Draft`: one that is checked still. */
export interface SaveHookOf<Row, Draft> extends HookContext {
  readonly model: EntityModel
  /** The stored record, null for a new one. */
  readonly before: Row | null
  /** The record as it will be stored; a hook may set any field of it, read-only and internal ones too. */
  readonly record: Draft
  /** Names of the fields that the caller gave. */
  readonly given: ReadonlySet<string>
  /** Where the write comes from. */
  readonly origin: 'save' | 'import' | 'transition' | 'service'
  /** Of a service: checked as if somebody had typed it. */
  readonly checked: boolean
  /** Further input of the save that is no field of the entity (see `EntityService.inputs`). */
  readonly inputs: EntityRecord
  /** Refuses the save with all problems found (10010005). */
  fail(problem: InputProblem): void
  /** Keeps nothing from being saved: an import says it on its row, to be looked at. */
  warn(message: Text): void
}

/** Before a save of an entity, e.g. `SaveHook<'crm.customer'>`; of any without a name. */
export type SaveHook<Entity extends string = string> = SaveHookOf<RecordOf<Entity>, DraftOf<Entity>>
/** After a save. */
export type SavedHook<Entity extends string = string> = SaveHookOf<RecordOf<Entity>, RecordOf<Entity>>

export interface TransitionHookOf<Row> extends HookContext {
  readonly model: EntityModel
  readonly transition: StateTransition
  readonly before: Row
  /** As it will be stored: the new state and the given fields are in it already. */
  readonly record: Row
  /** Fields and inputs that the caller gave. */
  readonly values: EntityRecord
}

export type TransitionHook<Entity extends string = string> = TransitionHookOf<RecordOf<Entity>>

export interface RemoveHookOf<Row> extends HookContext {
  readonly model: EntityModel
  readonly record: Row
}
export type RemoveHook<Entity extends string = string> = RemoveHookOf<RecordOf<Entity>>

/** Several records that become one (`x-merge`). */
export interface MergeHookOf<Row> extends HookContext {
  readonly model: EntityModel
  /** The record that stays, and those that go, locked and as they are stored. */
  readonly target: Row
  readonly losers: readonly Row[]
  /** Field -> id of the record whose value was chosen. */
  readonly choices: Readonly<Record<string, string>>
  /** What the one that stays will hold; a hook may set further fields. */
  readonly values: EntityRecord
  readonly reason: string
}
export type MergeHook<Entity extends string = string> = MergeHookOf<RecordOf<Entity>>

/** A record that rules are asked about. */
export interface Subject<Row = EntityRecord> {
  /** As it is stored; null for a new one. */
  before: Row | null
  /** As it will be: the new state, the given fields, the effects so far. */
  record: Row
  /** Fields and inputs that came with a transition. */
  input: EntityRecord
  /** Look-ups, paths through references and results of earlier effects, by name. */
  named: EntityRecord
}

/** One doing of an effect: for a record, for one of the records of `on`, or for one item of `each`. */
export interface EffectRun<Row = EntityRecord, Target = EntityRecord> {
  readonly subject: Subject<Row>
  /** The record of `on`, locked. */
  readonly target?: Target
  /** What stands in `with`, with its expressions evaluated. */
  readonly with: EntityRecord
  /** Evaluates something of `with` once more, with further names. */
  evaluate(value: unknown, more: EntityRecord): unknown
  /** What expressions read. */
  readonly scope: EntityRecord
}

/** Where a verb is done: the running transaction, the caller, the entity of the subjects and that of the records of `on`. */
export interface VerbContext extends HookContext {
  readonly model: EntityModel
  readonly target?: EntityModel
  readonly effect: Effect
}

/**
 * Does an effect for all records of a write at once; the number of statements must not grow with them. Answers a result for each run.
 * `Entity` is that of the subjects, `Target` that of the records of `on`; whoever registers a verb does not ask for them.
 */
export type Verb<Entity extends string = string, Target extends string = string> = {
  verb(hook: VerbContext, runs: readonly EffectRun<RecordOf<Entity>, RecordOf<Target>>[]): Promise<readonly unknown[] | void>
}['verb']

/** What the outside is asked to do for a record. */
export interface OutsideOrder {
  /** What stands in the effect's `with`. */
  readonly with: EntityRecord
  /** The same for every attempt, so that the other system can tell a repetition. */
  readonly key: string
  /** 1 at first. */
  readonly attempt: number
  readonly entity: string
  readonly recordId: string
  /** The gateway stops, or the attempt took longer than it may. */
  readonly signal: AbortSignal
}

/**
 * Reaches another system, after the commit and outside of any transaction. Rejects with the reason in words (`FinalRefusal` where asking
 * again would not help); what it answers are the values of the transition `done`, as far as that takes them.
 */
export type OutsideVerb = (order: OutsideOrder) => Promise<EntityRecord | void>

/** Where shares of an entity stand, so that `shared` scopes and views find them. */
export interface ShareSource {
  /** Entity of the shares, e.g. crm.share. */
  entity: string
  /** Its fields: the shared record, the receiver, the receiving department, the last day. */
  record: string
  staff: string
  department?: string
  until?: string
  /** What makes a share active, e.g. status = accepted. */
  where: readonly { field: string; value: string | boolean }[]
  /** What makes it a share for editing. */
  edit?: { field: string; value: string }
}

/**
 * The rules of a service for many new records that are saved together (an import). It decides on each as `beforeSave` and `afterSave`
 * would, and reads and writes for all of them at once. One is made for the whole import.
 */
export interface BulkSaveOf<Row, Draft> {
  /** Before a batch: reads what its records need, in a number of statements that does not grow with them. */
  prepare(hooks: readonly SaveHookOf<Row, Draft>[]): Promise<void>
  /** One record after the other: derives fields, checks limits; those accepted before it count, though they are not stored yet. */
  beforeSave(hook: SaveHookOf<Row, Draft>): Promise<void> | void
  /** The record passed all checks and will be written. */
  accepted(hook: SaveHookOf<Row, Row>): void
  /** After the accepted records of the batch were written. */
  afterSave(hooks: readonly SaveHookOf<Row, Row>[]): Promise<void>
}
export type BulkSave<Entity extends string = string> = BulkSaveOf<RecordOf<Entity>, DraftOf<Entity>>

/**
 * What CRUD cannot express, registered by name (`x-service` of an entity, `service` of a transition). Hooks run inside
 * the transaction of the write; throwing undoes it. A ServiceError reaches the caller.
 */
export interface EntityServiceOf<Row, Draft> {
  /** Names that a save may carry besides the entity's fields (e.g. a reason); they reach the hooks as `inputs`. */
  inputs?: readonly string[]
  /** Before validation: derives fields, checks limits. */
  beforeSave?(hook: SaveHookOf<Row, Draft>): Promise<void> | void
  /** After the row was written. */
  afterSave?(hook: SaveHookOf<Row, Row>): Promise<void> | void
  /** The same for many new records; without it they are saved one by one. */
  bulk?(): BulkSaveOf<Row, Draft>
  /**
   * Why the caller may not change or delete a record, as far as the record itself tells. Rows are sent with it (`$refused`), so
   * that a page offers nothing that would be refused; the writes are refused with it.
   */
  refusals?(record: EntityRecord, call: { context: RequestContext; now: Date }): { edit?: Text | null; delete?: Text | null }
  beforeDelete?(hook: RemoveHookOf<Row>): Promise<void> | void
  afterDelete?(hook: RemoveHookOf<Row>): Promise<void> | void
  /** Before anything moves: refuses a merge, decides what the schema cannot. */
  beforeMerge?(hook: MergeHookOf<Row>): Promise<void> | void
  /** After the records that go were deleted and the one that stays was saved. */
  afterMerge?(hook: MergeHookOf<Row>): Promise<void> | void
  beforeRestore?(hook: RemoveHookOf<Row>): Promise<void> | void
  afterRestore?(hook: RemoveHookOf<Row>): Promise<void> | void
  /** Why a transition is not possible for this record, or null. Runs for the `can` of a detail too: reads only. */
  guard?(hook: TransitionHookOf<Row>): Promise<Text | null> | Text | null
  /**
   * Tells why a row that a transition names is not in the caller's reach any more, where he may know: it was in a pool a moment
   * ago and somebody was quicker. Null: for him the row does not exist (10010004).
   */
  outOfReach?(hook: HookContext & { model: EntityModel; id: string }): Promise<ServiceError | null>
  /** Is told which records, by id, refused the transition to the caller and why, when nothing can be undone any more. */
  refused?(context: RequestContext, refusals: ReadonlyMap<string, ServiceError>, model: EntityModel): void
  /** What a transition does besides changing the state; runs after the guard and before the row is written. */
  effect?(hook: TransitionHookOf<Row>): Promise<void> | void
  /** Runs after the row of a transition was written. */
  afterEffect?(hook: TransitionHookOf<Row>): Promise<void> | void
  /** Fills `x-virtual` fields of records that are about to be sent. */
  computeFields?(
    records: EntityRecord[],
    call: { db: Executor; context: RequestContext; now: Date; view?: EntityView },
  ): Promise<void> | void
  shares?: ShareSource
  /** Turns conditions on `x-condition` fields into one condition on the table under `alias`; refuses (10010001) values it does not know. */
  filter?(call: {
    context: RequestContext
    model: EntityModel
    alias: string
    conditions: readonly QueryCondition[]
  }): SQL | undefined
}
/** `EntityService<'crm.customer'>` knows the fields of its records; without a name it serves any entity. */
export type EntityService<Entity extends string = string> = EntityServiceOf<RecordOf<Entity>, DraftOf<Entity>>

/** The running transaction and who calls. */
export interface DetachedCall {
  tx: Transaction
  context: RequestContext
}

/** A refusal that holds: its sentence, its code. */
export interface HeldRefusal {
  id: string
  message: Text
  code: CodeName
  /** The number where the document names one. */
  number?: number
}

/**
 * Records of an entity that has no table, e.g. what somebody fills in a form: its values, rules, expressions and effects are those of every
 * entity, and nothing is written of the record itself. `named` are further names that expressions read.
 */
export interface DetachedRecords {
  readonly model: EntityModel
  /** The entity of the rows of a field. */
  rowsOf(field: string): EntityModel | undefined
  /** Given values in the form in which fields keep them, rows included. What nobody may set here is told. */
  read(call: DetachedCall, values: EntityRecord, before: EntityRecord | null): { values: EntityRecord; problems: InputProblem[] }
  /** References of given values, rows included, to what does not exist or the caller may not see, whatever else is wrong. */
  outside(call: DetachedCall, values: EntityRecord): Promise<InputProblem[]>
  /** What is wrong with a record: required values, codes, references in the caller's reach, invariants. @throws ServiceError for an invariant with a code */
  check(
    call: DetachedCall,
    record: EntityRecord,
    options: { before: EntityRecord | null; changed: ReadonlySet<string>; named?: EntityRecord },
  ): Promise<InputProblem[]>
  /** The values of expressions over a record, one after the other. @throws ExpressionError */
  evaluate(
    call: DetachedCall,
    record: EntityRecord,
    named: EntityRecord,
    texts: readonly (string | undefined)[],
  ): Promise<unknown[]>
  /** The values of expressions over a row of a field; `head` is the record. */
  evaluateRow(
    call: DetachedCall,
    field: string,
    row: EntityRecord,
    head: EntityRecord,
    named: EntityRecord,
    texts: readonly string[],
  ): Promise<unknown[]>
  /** Both languages of a text with expressions. */
  text(call: DetachedCall, record: EntityRecord, named: EntityRecord, text: Text): Promise<Text>
  /** The first of some refusals that holds. */
  refused(
    call: DetachedCall,
    record: EntityRecord,
    named: EntityRecord,
    refusals: readonly Refusal[],
  ): Promise<HeldRefusal | undefined>
  /** Does effects; what they write names `cause`. Answers what they called their results (`as`). */
  run(
    call: DetachedCall,
    record: EntityRecord,
    named: EntityRecord,
    effects: readonly Effect[],
    cause: { id: string; step: string },
  ): Promise<EntityRecord>
}

/** A transition that is asked for, of several records. */
export interface GateHook extends HookContext {
  readonly model: EntityModel
  readonly transition: StateTransition
}

/** Has a word in transitions of whatever entity, beside what documents and services say: a process that stands for a decision. */
export interface TransitionGate {
  /** Why records do not take the transition, as they are stored; asked for all at once, and for what a page offers. Reads only. */
  refuse(hook: GateHook, records: readonly EntityRecord[]): Promise<ReadonlyMap<EntityRecord, Text>>
  /** They took it and are stored; in the same transaction. */
  taken(hook: GateHook, records: readonly EntityRecord[]): Promise<void>
}

/** Has a word before days of records at volume are dropped, beside what their document says. */
export interface DaysKeeper {
  /**
   * Keeps what has to outlast the records of these days, in the transaction that drops them. Answers the moment (milliseconds since 1970)
   * from which records have to stay all the same; `before`, where none has to.
   */
  leave(hook: { tx: Transaction; model: EntityModel; before: number }): Promise<number>
}

/** What an example shows that the records do not do. */
export interface FailedExample {
  entity: string
  example: string
  /** JSON pointer into the entity. */
  at: string
  expected: unknown
  actual: unknown
  /** The words of a refusal that was not expected. */
  refusal?: BilingualText
  /** A field or table is not in the database yet: nobody can tell. */
  missing?: true
}

/** The generic entity engine: every call checks the right, the row scope and the field rules of its caller. */
export interface EntityEngine {
  /** Tables of all entities and of the engine itself, for the migrator. `trigram`: the database has pg_trgm. */
  tables(options: { trigram: boolean }): PgTable[]
  /** Goes on with changed documents; their tables have to be migrated before. */
  use(documents: readonly EntityDocument[]): void
  /** Fills stored derived fields and rollups that are new, or changed, in the rows that are there; after the tables were migrated. */
  fillKept(onProgress?: (message: string) => void): Promise<void>
  /** Compares stored derived fields, rollups and hot sums with what they are made of; with `fix` mends what differs. */
  reconcile(options?: { fix?: boolean }): Promise<FieldDrift[]>
  /** The table that a document needs, for the migrator. */
  tableOf(document: EntityDocument, options: { trigram: boolean }): PgTable
  /** Names of all entities. */
  names(): string[]
  model(entity: string): EntityModel
  /** Records of several entities by a few words, the best first: with the rights, scopes and field rules of their lists. */
  search(context: RequestContext, text: string, targets: readonly SearchTarget[]): Promise<FoundRecords>
  /** What a code of a dictionary is called; the code itself when nobody knows it. */
  dictionaryLabel(dictionary: string, code: string): Text
  /** The values of a dictionary that may be chosen. */
  dictionaryChoices(dictionary: string): readonly { code: string; label: Text }[]
  /** By `entity.field`: what somebody may not simply write of these entities; what nobody gets to see is left out. */
  fieldRules(viewer: FieldViewer, entities: Iterable<string>): Record<string, FieldAccess>
  /** Registers a domain service; entities and transitions name it. */
  registerEntityService(name: string, service: EntityService): void
  /** Records of an entity that has no table, with the entities of its rows. @throws for a document that cannot be used */
  detached(document: EntityDocument, lines?: readonly EntityDocument[]): DetachedRecords
  /** Puts further hooks on an entity of whatever module; they run after its own service, in the order in which they were put there. */
  hook(entity: string, service: EntityService): void
  /** Gives somebody a word in the transitions of all entities. */
  gate(gate: TransitionGate): void
  /** Gives somebody a word before days of records are dropped. */
  keepDays(keeper: DaysKeeper): void
  /** Makes known what a verb of effects does; a module names its own `module.verb`. */
  registerVerb(name: string, verb: Verb): void
  /** What effects with `later` name in `do`. */
  registerOutsideVerb(name: string, verb: OutsideVerb): void
  /** Makes known where the parameters of the rule sets of a module come from: look-ups read them. */
  registerRules(module: string, source: RuleSource): void
  /** Makes known what works out the derived fields that name it (`x-derived.function`). */
  registerDerivation(name: string, derive: DeriveFunction): void
  /** Works out anew what functions say of the records that are there: those that read a rule set. */
  renew(rules: string, now: Date): Promise<readonly Renewed[]>
  /** The job that renews every night what functions say (`x-derived.refresh`). */
  readonly renewal: TimedJob
  /** Makes and drops the days of records at volume (`x-partition`). */
  readonly recordDays: TimedJob
  /** Makes known a function that look-ups ask; a module names its own `module.name`. */
  registerFunction(name: string, answer: LookupFunction): void
  /** Asks a function that is registered for look-ups. */
  ask(name: string, ...asked: Parameters<LookupFunction>): ReturnType<LookupFunction>
  service(name: string): EntityService | undefined
  /** Work in one transaction with the entities at hand, e.g. for jobs: `engine.transaction(systemContext(), (entities) => ...)`. */
  transaction<Result>(
    context: RequestContext,
    work: (entities: Entities, tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /** The same inside a transaction that runs already. */
  entities(tx: Transaction, context: RequestContext): Entities
  /** The job that does what records are due for (`x-deadlines`). */
  readonly deadlines: FrequentJob
  /** How many records the deadlines of a document, released or not, meet now; null: a field that one reads is not there yet. */
  deadlinesMeet(document: EntityDocument, now: Date): Promise<readonly { id: string; label: Text; records: number | null }[]>

  /** Runs the examples of entities (`x-tests`), each in a transaction that is undone, as they are in these documents, released or not; answers what is not as they say. */
  runExamples(entities: readonly string[], documents?: readonly EntityDocument[]): Promise<FailedExample[]>

  /** Which rows people reach as the entities stand, and as they would stand with these documents. */
  reach(documents: readonly EntityDocument[], now: Date): Reach

  queryPage(entity: string, context: RequestContext, request: QueryPageRequest): Promise<QueryPageAnswer>
  /** Figures by group over the rows that the caller may see (docs/calls.md, "Questions about many rows"). */
  aggregate(entity: string, context: RequestContext, request: AggregateRequest): Promise<AggregateAnswer>
  count(entity: string, context: RequestContext, selection: RowSelection): Promise<number>
  /** `from … where …` of the live rows of a selection that the caller may see, under the alias `t`: for reports that group them. */
  rows(entity: string, context: RequestContext, selection: RowSelection): SQL
  /** Why stored rows do not take a transition of the caller's, as far as it can be said before its form opens; null: they do. */
  whyNot(
    entity: string,
    call: { db: Executor; context: RequestContext },
    rows: readonly EntityRecord[],
    transition: string,
  ): Promise<(Text | null)[]>
  /** Whether the caller sees a field (`entity.field`, or a path of references) in clear: reports tell nothing that is made of another one. */
  readable(context: RequestContext, field: string): boolean
  /** An amount in another currency at the rate of the day (or the last before), rounded by the currency; undefined without a rate. */
  convert(amount: string, from: string, to: string, day: string, kind?: string): Promise<string | undefined>
  /** What one unit of a currency is worth in another by the last rate of that kind up to the day; undefined without one. */
  exchangeRate(from: string, to: string, day: string, kind?: string): Promise<string | undefined>
  view(entity: string, context: RequestContext, id: string, options?: { view?: string }): Promise<ViewAnswer>
  save(entity: string, context: RequestContext, body: EntityRecord): Promise<SaveAnswer>
  /** Saves a part of the lines in a field (`saved: inParts`): its rows are checked, those of other parts stay. The last part tells how many there have to be. */
  saveLines(entity: string, context: RequestContext, field: string, request: LinesPartRequest): Promise<LinesPartAnswer>
  stateUpdate(entity: string, context: RequestContext, request: StateUpdateRequest): Promise<BulkAnswer>
  remove(entity: string, context: RequestContext, id: string, options?: { version?: number }): Promise<{ id: string }>
  restore(entity: string, context: RequestContext, id: string): Promise<{ id: string }>
  /** Several records side by side, and what a merge would move (`x-merge`). */
  mergePreview(entity: string, context: RequestContext, ids: readonly string[]): Promise<MergePreview>
  /** Makes one record of several; cannot be undone. */
  merge(entity: string, context: RequestContext, request: MergeRequest): Promise<MergeAnswer>
  /** Says that a record is not the one that it resembles (`x-duplicates`). */
  /** What a record that is not saved yet may be a duplicate of (`x-duplicates`); `id` of the record that is changed. */
  duplicates(
    entity: string,
    context: RequestContext,
    request: { id?: string; values: EntityRecord },
  ): Promise<DuplicatesAnswer | null>
  notDuplicate(entity: string, context: RequestContext, request: { id: string; reason: string }): Promise<{ id: string }>
  removeBatch(entity: string, context: RequestContext, ids: readonly string[]): Promise<BulkAnswer>
  select(entity: string, context: RequestContext, request: SelectRequest): Promise<SelectOption[]>
  log(entity: string, context: RequestContext, id: string, options?: LogRequest): Promise<LogAnswer>
  /** What led to writes, as the audit log keeps it (`cause`), in the words of the caller, a line each. */
  causes(context: RequestContext, kept: readonly (string | null)[]): Promise<string[]>
  /** Titles of records, e.g. for messages: entity -> ids. */
  titles(context: RequestContext, wanted: Readonly<Record<string, readonly string[]>>): Promise<References>
  /**
   * Writes all rows of a selection as a file into a stream, with flat memory. Answers the number of rows.
   * @throws ServiceError 10010003 without the export key; AbortError when the signal stops it.
   */
  exportTo(
    stream: NodeJS.WritableStream,
    entity: string,
    context: RequestContext,
    request: ExportRequest,
    options?: ExportOptions,
  ): Promise<{ rows: number }>
  importTemplate(entity: string, context: RequestContext): Promise<Buffer>
  importPreview(
    entity: string,
    context: RequestContext,
    file: { name: string; path: string },
    options?: PreviewOptions,
  ): Promise<ImportPreview>
  /** A checked import of the caller. @throws ServiceError 10010004 when there is none, or not checked to the end */
  importState(entity: string, context: RequestContext, importId: string): Promise<ImportState>
  /** Rows that were not saved: faulty ones, and those that the commit refused. */
  importErrors(entity: string, context: RequestContext, importId: string): Promise<Buffer>
  /** @throws AbortError when the signal stops it: what was saved stays, and a second commit goes on */
  importCommit(
    entity: string,
    context: RequestContext,
    request: { importId: string; skipFaulty: boolean },
    options?: ImportOptions,
  ): Promise<ImportResult>
}

import { sql } from 'drizzle-orm'
import { newId, remembering, type Executor } from '../../platform/database'
import { transitionsOf, type EntityModel } from '../../../src/schema/entity'
import { can, ServiceError, type RequestContext, type Text } from '../../platform/http'
import { guardDuplicates } from '../duplicates/check'
import { mailsOf } from '../duplicates/follow'
import { deriveKeys, duplicatesOf, inputsOf } from '../duplicates/word'
import { textArray } from '../clause'
import type { Core } from '../core'
import { requireFree } from '../effects/forbids'
import { refusedByGrants } from '../effects/grants'
import { askInvariants } from '../effects/invariants'
import { doSaved, setOwn } from '../effects/saved'
import { subjectOf } from '../effects/subject'
import { refusal, type InputProblem } from '../errors'
import type { EntityRecord } from '../calls'
import type { SaveHook } from '../types'
import { columnSql, tableSql } from '../tables'
import { splitLines } from '../lines/given'
import { planLines, type PlannedLines } from '../lines/plan'
import { giveLines } from '../lines/rules'
import { changesOfLines, differingLines, writeLines } from '../lines/write'
import { sameValue } from '../sameValue'
import { auditWrite } from './audit'
import { OwnValues } from '../derive/own'
import { consequences } from './consequences'
import type { WriteContext } from '../core'
import { checkRecord, type ChosenReferences, follows } from './check'
import { existing, lockRow } from './existing'
import { keepStates, insertRow, updateRow } from './row'
import { readInput, splitInput } from './input'
import { followFiles } from './files'
import { newRecord, stampNew, writerOf } from './newRecord'
import { numbersFor, giveNumbers } from './numbers'
import { phoneCountryOf } from './phoneCountry'
import { stale } from './stale'

export interface WriteOptions {
  /** `service`: with the rights of the system; may set read-only and internal fields. */
  origin: 'save' | 'import' | 'transition' | 'service'
  reason?: string
  /** Of a service: the record is checked for duplicates like one that somebody typed. */
  checked?: boolean
  /** Numbers taken before the transaction. */
  numbers?: EntityRecord
  /** Hears what the service says of the record without refusing it. */
  onWarning?: (message: Text) => void
}

/** A record on its way to be written, with everything that is wrong with it so far. */
export interface Draft {
  before: EntityRecord | null
  record: EntityRecord
  hook: SaveHook
  problems: InputProblem[]
  /** Its lines as they were given, by field. */
  lines: ReadonlyMap<string, readonly EntityRecord[]>
}

/** Inserts or changes one record inside a transaction. Only the given fields change. Answers the whole stored row. */
export async function saveRecord(write: WriteContext, body: EntityRecord, options: WriteOptions): Promise<EntityRecord> {
  const { core, tx, context, model } = write
  const service = core.registry.serviceOf(model)
  const { before, record, hook, problems, lines } = await draftOf(write, body, options)
  await requireGrant(write, before, record, hook.given)
  if (!before) await requireFree(write, 'create', [record])
  if (problems.length === 0) await service?.beforeSave?.(hook)
  if (problems.length === 0 && (options.origin !== 'service' || options.checked)) await guardDuplicates(core, hook)
  if (!before && problems.length === 0) {
    for (const [name, number] of Object.entries(options.numbers ?? {})) record[name] ??= number
    Object.assign(record, await numbersFor(tx, model, core.registry.dayOf(context.now), record))
  }
  await followOwner(write, before, record)
  const trusted = options.origin === 'service'
  const planned = await planLines({ core, tx, context, trusted }, model, [{ before, record, given: lines, path: '', problems }])
  await finish(write, before, record, problems, {
    action: before ? 'update' : 'create',
    reason: options.reason,
    given: hook.given,
    lines: planned,
  })
  if (service?.afterSave) {
    await service.afterSave(hook)
    await new OwnValues(write).refresh([record])
  }
  // a transition that follows the data may have taken it further
  if (transitionsOf(model).some(({ transition }) => transition.auto !== undefined))
    Object.assign(record, await lockRow(write, String(record.id), EVERYBODY))
  return record
}

const EVERYBODY = { readable: true, writable: true } as const

/** The entity grants the caller what he changes (`x-editable`). @throws ServiceError 10010007 with its reason */
async function requireGrant(
  write: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
  given: ReadonlySet<string>,
): Promise<void> {
  if (!before) return
  const changed = [...given].filter((name) => !sameValue(before[name], record[name]))
  if (changed.length === 0) return
  const [refused] = (await refusedByGrants(write, 'x-editable', [subjectOf(record, before)], changed)).values()
  if (refused) throw new ServiceError('transitionRefused', { message: refused, data: { transition: 'edit' }, rule: 'editable' })
}

/** A new record as its caller gave it, over the defaults; the database is not asked. */
export interface ReadRecord {
  record: EntityRecord
  given: ReadonlySet<string>
  inputs: EntityRecord
  problems: InputProblem[]
  lines: ReadonlyMap<string, readonly EntityRecord[]>
}

/** Reads what the caller gave for a new record. */
export function readNew(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  body: EntityRecord,
  options: WriteOptions,
): ReadRecord {
  const trusted = options.origin === 'service'
  const input = splitInput(context, model, body, inputNames(core, model), trusted)
  if (!trusted) requireOperation(context, model, 'add')
  const split = splitLines(context, model, input.values, (entity) => core.registry.model(entity), trusted)
  const { values, problems } = readInput(context, model, split.values, null, { trusted })
  const record = Object.assign(newRecord(core, context, model, values, newId()), values)
  const given = new Set(Object.keys(values))
  deriveKeys(core.registry, model, record)
  return { record, given, inputs: input.inputs, problems: [...split.problems, ...problems], lines: split.lines }
}

/** A new record that was read is going to be written in this transaction. */
export function newDraft(
  write: WriteContext,
  { record, given, inputs, problems, lines }: ReadRecord,
  options: WriteOptions,
): Draft {
  return {
    before: null,
    record,
    problems,
    lines,
    hook: saveHook(write, null, record, given, inputs, options, problems),
  }
}

/** Reads what the caller gave, over the stored record or the defaults of a new one. */
async function draftOf(write: WriteContext, body: EntityRecord, options: WriteOptions): Promise<Draft> {
  const { core, tx, context, model } = write
  const trusted = options.origin === 'service'
  const input = splitInput(context, model, body, inputNames(core, model), trusted)
  const before = input.id === undefined ? null : await existing(write, input.id, trusted)
  if (!trusted) requireOperation(context, model, before ? 'edit' : 'add')
  if (before && input.version !== undefined && input.version !== before.version) throw await stale(write, before, input.version)

  const reading = { registry: core.registry, db: tx, context, trusted }
  const split = splitLines(context, model, input.values, (entity) => core.registry.model(entity), trusted)
  const phoneCountry = await phoneCountryOf(reading, model, split.values, before)
  const read = readInput(context, model, split.values, before, { trusted, phoneCountry })
  const record: EntityRecord = before ? { ...before } : newRecord(core, context, model, read.values, newId())
  Object.assign(record, read.values)
  await keepKeys(write, before, record, input.inputs)
  const problems: InputProblem[] = [...split.problems, ...read.problems]
  const given = new Set(Object.keys(read.values))
  const hook = saveHook(write, before, record, given, input.inputs, options, problems)
  return { before, record, hook, problems, lines: split.lines }
}

/** Validates, writes and audits a record whose fields are decided. Nothing is written when nothing differs. */
export async function finish(
  write: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
  problems: InputProblem[],
  options: {
    action: 'create' | 'update' | 'state'
    reason?: string
    given: ReadonlySet<string>
    lines?: readonly PlannedLines[]
  },
): Promise<void> {
  const { core, tx, context, model } = write
  const { registry } = core
  const { given, lines = [] } = options
  const own = new OwnValues(write)
  if (before) await own.refresh([before])
  problems.push(...(await own.follow(before, record)))
  if (model.document['x-effects'] && problems.length === 0) {
    await setOwn(write, [{ before, after: record }])
    await followOwner(write, before, record)
    problems.push(...(await own.follow(before, record)))
  }
  if (options.action !== 'state') keepStates(model, before, record)
  const coded = await askInvariants(write, [{ before, record, problems }])
  // what the specification has a code for comes before what a select list would not have offered
  if (problems.length === 0) for (const error of coded.values()) throw error
  const differing = differingLines(lines, record.id)
  const changed = await checkDraft(write, { before, record, problems }, { given, lines: differing })
  if (!before) {
    await giveNumbers(write, [record])
    stampNew(context, record)
    await insertRow(tx, context.locale, model, record)
  } else {
    if (changed.size === 0 && differing.length === 0) return
    // what only followed is no change of the record
    const same = differing.length === 0 && [...changed].every((name) => model.fields.get(name)!.kept)
    const touched = same
      ? {}
      : { updatedAt: context.now.toISOString(), updatedBy: writerOf(context), version: Number(before.version) + 1 }
    Object.assign(record, touched)
    const fields = [...changed, ...Object.keys(touched)]
    await updateRow(
      tx,
      context.locale,
      model,
      record.id as string,
      Object.fromEntries(fields.map((name) => [name, record[name]])),
    )
  }
  await followFiles(write, before, record)
  await doSaved(write, [{ before, after: record }])
  await consequences(write, [{ before, after: record }])
  await writeLines({ core, tx, context, trusted: true }, lines)
  if (record.version !== before?.version)
    await auditWrite(
      registry,
      tx,
      context,
      model,
      options.action,
      before,
      record,
      options.reason,
      changesOfLines(lines, record.id),
    )
  tx.afterCommit(() => core.references.forget(model.name, record.id as string))
}

/**
 * Checks a record whose fields are decided; answers the names of those that are new or different.
 * @throws ServiceError 10010005 with everything that is wrong
 */
export async function checkDraft(
  { core, tx: db, context, model }: Omit<WriteContext, 'tx'> & { tx: Executor },
  { before, record, problems }: Pick<Draft, 'before' | 'record' | 'problems'>,
  options: {
    given: ReadonlySet<string>
    chosen?: ChosenReferences
    existing?: ChosenReferences
    givenOnly?: boolean
    alongside?: ReadonlySet<string>
    /** Fields whose lines differ. */
    lines?: readonly string[]
  },
): Promise<ReadonlySet<string>> {
  const { registry } = core
  const changed = new Set(model.stored.filter(({ name }) => !sameValue(before?.[name], record[name])).map(({ name }) => name))
  const wrong = new Set(problems.map((problem) => problem.field))
  const concerned = new Set([...changed, ...(options.lines ?? [])])
  const read = await giveLines(core, db, context, model, before, record, concerned)
  const found = await checkRecord({ registry, db, context, model, before, record: read, changed: concerned, ...options })
  problems.push(...found.filter((problem) => !follows(model, problem, wrong)))
  if (problems.length > 0) throw refusal('validationFailed', context.locale, problems)
  return changed
}

/** Names that a save may carry besides the fields. */
const inputNames = (core: Core, model: EntityModel): string[] => [
  ...(core.registry.serviceOf(model)?.inputs ?? []),
  ...inputsOf(core.registry, model),
]

/** What duplicates are found by follows the record. */
async function keepKeys(
  { core, tx, model }: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
  inputs: EntityRecord,
): Promise<void> {
  const { own } = duplicatesOf(core.registry, model)
  const website = own?.word.website
  if (own && before && (website === undefined || sameValue(before[website], record[website]))) {
    deriveKeys(core.registry, model, record)
    record.domains = before.domains
    return
  }
  const given = own?.word.people?.given === undefined ? undefined : (inputs[own.word.people.given] as EntityRecord | undefined)
  const mails =
    own && before ? (await mailsOf(tx, own, [String(record.id)])).get(String(record.id)) : [given?.[own?.people?.mail ?? '']]
  deriveKeys(core.registry, model, record, mails)
}

/** The operation's key must exist in the document and be held by the caller. */
export function requireOperation(
  context: RequestContext,
  model: EntityModel,
  operation: 'add' | 'edit' | 'delete' | 'restore' | 'import' | 'export',
): void {
  const key = model.permissions[operation]
  if (context.kind === 'system') return
  if (key === undefined || !can(context, key)) throw new ServiceError('noPermission', { data: { permission: key ?? null } })
}

function saveHook(
  { core, tx, context, model }: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
  given: ReadonlySet<string>,
  inputs: EntityRecord,
  options: WriteOptions,
  problems: InputProblem[],
): SaveHook {
  const entities = core.entities(tx, context)
  return {
    tx,
    context,
    now: context.now,
    entities,
    model,
    before,
    record,
    given,
    inputs,
    origin: options.origin,
    checked: options.checked ?? false,
    fail: (problem) => void problems.push(problem),
    warn: (message) => options.onWarning?.(message),
  }
}

/** New owners bring their departments and the moment along, as `followOwner` does for one record; the departments are read at once. */
export async function followOwners(
  { core, tx, context, model }: WriteContext,
  drafts: readonly { before: EntityRecord; record: EntityRecord }[],
): Promise<void> {
  if (model.scope.kind !== 'owned') return
  const moved = drafts.filter(({ before, record }) => (before.ownerId ?? null) !== (record.ownerId ?? null))
  if (moved.length === 0) return
  const reads = remembering(tx)
  const owners = [...new Set(moved.map(({ record }) => record.ownerId).filter((id): id is string => typeof id === 'string'))]
  const departments = owners.length > 1 ? await departmentsOf(core, tx, owners) : undefined
  for (const { before, record } of moved) await followOwner({ core, tx: reads, context, model }, before, record, departments)
}

async function departmentsOf(core: Core, db: Executor, owners: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const staff = core.registry.find('sys.staff')
  const department = staff?.fields.get('mainDeptId')
  if (!staff || !department) return new Map()
  const { rows } = await db.query<{ id: string; dept: string | null }>(
    sql`select ${columnSql('t', { column: 'id' })} as "id", ${columnSql('t', department)} as "dept" from ${tableSql(staff, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(owners)})`,
  )
  return new Map(rows.map(({ id, dept }) => [id, dept]))
}

/** A new owner brings his department and the moment along, unless somebody set them himself. */
export async function followOwner(
  { core, tx, context, model }: WriteContext,
  before: EntityRecord | null,
  record: EntityRecord,
  departments?: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (model.scope.kind !== 'owned') return
  const owner = record.ownerId ?? null
  const previous = before ? (before.ownerId ?? null) : context.user.staffId || null
  if (owner === previous) return
  const untouched = (name: string, initial: unknown): boolean => sameValue(record[name], before ? before[name] : initial)
  if (owner === null) return void Object.assign(record, { ownerDeptId: null, ownedAt: null })
  if (untouched('ownedAt', previous === null ? null : context.now.toISOString())) record.ownedAt = context.now.toISOString()
  const staff = core.registry.find('sys.staff')
  const department = staff?.fields.get('mainDeptId')
  if (!staff || !department || !untouched('ownerDeptId', context.user.mainDeptId)) return
  if (departments) {
    record.ownerDeptId = departments.get(String(owner)) ?? null
    return
  }
  const { rows } = await tx.query<{ dept: string | null }>(
    sql`select ${columnSql('t', department)} as "dept" from ${tableSql(staff, 't')} where ${columnSql('t', { column: 'id' })} = ${owner as string}`,
  )
  record.ownerDeptId = rows[0]?.dept ?? null
}

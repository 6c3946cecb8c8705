import {
  compileFields,
  findTransition,
  readValue,
  refusedBecause,
  transitionsOf,
  type EntityModel,
  type FoundTransition,
  type ModelField,
} from '../../../src/schema/entity'
import { remembering, type Transaction } from '../../platform/database'
import { can, ServiceError, type RequestContext, type Text } from '../../platform/http'
import { allOf, anyOf, type Clause } from '../clause'
import type { Core } from '../core'
import { badRequest, refusal, shorten, unknownName, type InputProblem } from '../errors'
import { placeOf } from '../query/place'
import { viewConditions } from '../query/plan'
import { RowScope } from '../query/scope'
import type { EntityRecord } from '../calls'
import type { EntityService, TransitionHook } from '../types'
import { isEmpty, missing, wrongCodes, wrongReferences } from './check'
import { readInput } from './input'
import { lockRow } from './existing'
import { phoneCountryOf } from './phoneCountry'
import { finish, followOwner } from './save'
import { stale } from './stale'

interface TransitionRequest {
  transition: string
  field?: string
  values: EntityRecord
  version?: number
  reason?: string
}

/** One record through one transition, with the caller's rights. Answers the stored row. */
export async function performTransition(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  id: string,
  request: TransitionRequest,
): Promise<EntityRecord> {
  const found = transitionNamed(context, model, request)
  requireTransition(context, model, found)
  const rights = transitionRights(core, context, model, found)
  const row = await lockRow(core, tx, context, model, id, rights).catch(async (error: unknown) => {
    throw (await outOfReach(core, tx, context, model, found, id, error)) ?? error
  })
  if (row['$write'] !== true) throw new ServiceError('noPermission')
  delete row['$write']
  if (request.version !== undefined && request.version !== row.version)
    throw await stale(core, tx, context, model, row, request.version)
  return moveRecord(core, tx, context, model, row, request)
}

/** What the services of a transition have to say about a row that is not in reach; null when that is nothing. */
async function outOfReach(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  found: FoundTransition,
  id: string,
  error: unknown,
): Promise<ServiceError | null> {
  if (!(error instanceof ServiceError) || error.reason !== 'notFound') return null
  for (const service of servicesOf(core, model, found)) {
    const told = await service.outOfReach?.({ tx, context, now: context.now, entities: core.entities(tx, context), id })
    if (told) return told
  }
  return null
}

/** Checks and performs a transition on a locked row. */
export async function moveRecord(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  before: EntityRecord,
  request: TransitionRequest,
): Promise<EntityRecord> {
  const found = transitionNamed(context, model, request)
  const { machine, transition } = found
  const problems: InputProblem[] = []
  const asked = await readAsked({ core, tx, context, model, found, before }, request.values, problems)
  const record: EntityRecord = { ...before, ...asked.fields, [machine.field]: transition.to ?? before[machine.field] }
  const hook: TransitionHook = {
    tx,
    context,
    now: context.now,
    entities: core.entities(tx, context),
    model,
    transition,
    before,
    record,
    values: { ...asked.fields, ...asked.inputs },
  }
  const refused = await refusedFor(core, context, model, found, before, hook)
  if (refused) throw transitionRefused(transition.id, refused, context)
  const place = {
    registry: core.registry,
    db: tx,
    context,
    model,
    record: asked.inputs,
    given: new Set(Object.keys(asked.inputs)),
  }
  problems.push(...(await wrongReferences(place, asked.inputFields)))
  if (problems.length > 0) throw refusal('validationFailed', context.locale, problems)
  const services = servicesOf(core, model, found)
  for (const service of services) await service.effect?.(hook)
  await followOwner(core, tx, context, model, before, record)
  const reason = request.reason ?? reasonIn(hook)
  await finish(core, tx, context, model, before, record, [], {
    action: 'state',
    reason,
    given: new Set(Object.keys(request.values)),
  })
  for (const service of services) await service.afterEffect?.(hook)
  return record
}

/** Why the transition is not possible for a row, or null: the state, its condition, the service's guards. */
async function refusedFor(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  found: FoundTransition,
  row: EntityRecord,
  hook: TransitionHook,
): Promise<Text | null> {
  const { registry } = core
  const field = model.fields.get(found.machine.field)
  const items = registry.dictionary(field?.field['x-dictionary'] ?? '')?.items ?? []
  const refused = refusedBecause(found, row, {
    scope: registry.expressionScope(context),
    environment: registry.environment(context),
    stateLabel: (code) => items.find((item) => item.code === code)?.label ?? { zh: code, en: code },
  })
  if (refused) return refused
  for (const service of servicesOf(core, model, found)) {
    const reason = await service.guard?.(hook)
    if (reason) return reason
  }
  return null
}

/** Every transition of a row: null when the caller may perform it now, else the reason. */
export async function transitionsFor(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  row: EntityRecord,
  inPool: boolean,
): Promise<Record<string, string | null>> {
  const answer: Record<string, string | null> = {}
  // guards ask much the same of the record; nothing is written here, so that each thing is read once
  const reads = remembering(tx)
  const entities = core.entities(reads, context)
  for (const found of transitionsOf(model)) {
    const { transition } = found
    const may =
      mayTransition(context, model, found) && (row['$write'] === true || (inPool && transition.permission !== undefined))
    const record = { ...row, [found.machine.field]: transition.to ?? row[found.machine.field] }
    const hook = {
      tx: reads,
      context,
      now: context.now,
      entities,
      model,
      transition,
      before: row,
      record,
      values: {},
    }
    const refused = may ? await refusedFor(core, context, model, found, row, hook) : NOT_ALLOWED
    answer[transition.id] = refused && refused[context.locale]
  }
  return answer
}

const NOT_ALLOWED: Text = { zh: '您没有执行此操作的权限。', en: 'You have no permission for this.' }

export function transitionRefused(transition: string, reason: Text, context: RequestContext): ServiceError {
  return new ServiceError('transitionRefused', { message: reason, data: { transition, reason: reason[context.locale] } })
}

function transitionNamed(context: RequestContext, model: EntityModel, request: TransitionRequest): FoundTransition {
  const found = findTransition(model, request.transition, request.field)
  if (found) return found
  const names = transitionsOf(model).map(({ transition }) => transition.id)
  throw badRequest(context.locale, unknownName({ zh: '操作', en: 'transition' }, request.transition, names), 'transition')
}

function requireTransition(context: RequestContext, model: EntityModel, found: FoundTransition): void {
  if (mayTransition(context, model, found)) return
  throw new ServiceError('noPermission', { data: { permission: found.transition.permission ?? model.permissions.edit ?? null } })
}

function mayTransition(context: RequestContext, model: EntityModel, { transition }: FoundTransition): boolean {
  const key = transition.permission ?? model.permissions.edit
  // a person's own rows need no key
  if (key === undefined && model.scope.kind === 'staff') return true
  return context.kind === 'system' || (key !== undefined && can(context, key))
}

/** Rows in reach of a transition: the caller's own to change, and those of a pool that he may open when it has its own key. */
function transitionRights(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  { transition }: FoundTransition,
): { readable: Clause; writable: Clause } {
  const scope = new RowScope(core.registry, context)
  const pools = transition.permission === undefined ? [] : [...model.views.values()].filter((view) => view.scope === 'pool')
  const open = pools
    .filter((view) => view.permission !== undefined && can(context, view.permission))
    .map((view) =>
      allOf([
        scope.readable(model, 't', view),
        ...viewConditions(core.registry, context, placeOf(core.registry, context, model), view),
      ]),
    )
  return { readable: anyOf([scope.readable(model, 't'), ...open]), writable: anyOf([scope.writable(model, 't'), ...open]) }
}

function servicesOf(core: Core, model: EntityModel, { transition }: FoundTransition): EntityService[] {
  const named = transition.service === undefined ? undefined : core.registry.service(transition.service)
  return [...new Set([named, core.registry.serviceOf(model)])].filter((service) => service !== undefined)
}

/** The values that a transition asks for: fields of the entity and parameters of its own; everything else is refused. */
async function readAsked(
  {
    core,
    tx,
    context,
    model,
    found,
    before,
  }: { core: Core; tx: Transaction; context: RequestContext; model: EntityModel; found: FoundTransition; before: EntityRecord },
  values: EntityRecord,
  problems: InputProblem[],
) {
  const { transition } = found
  const inputs = compileFields(transition.inputs ?? {}, transition.required ?? [])
  const fieldNames = new Set(
    [...(transition.fields ?? []), ...(transition.required ?? [])].filter((name) => !inputs.has(name) && model.fields.has(name)),
  )
  const trusted = context.kind === 'system'
  const [given, parameters]: [EntityRecord, EntityRecord] = [{}, {}]
  for (const [name, value] of Object.entries(values)) {
    if (inputs.has(name)) parameters[name] = value
    else if (fieldNames.has(name) || (trusted && model.fields.has(name))) given[name] = value
    else
      throw badRequest(
        context.locale,
        unknownName({ zh: '参数', en: 'input' }, name, [...inputs.keys(), ...fieldNames]),
        shorten(name),
      )
  }
  const phoneCountry = await phoneCountryOf({ registry: core.registry, db: tx, context, trusted }, model, given, before)
  const read = readInput(context, model, given, before, { trusted, asked: fieldNames, phoneCountry })
  problems.push(...read.problems)
  const parsed: EntityRecord = {}
  for (const field of inputs.values()) parsed[field.name] = readInputField(core, field, parameters[field.name], problems)
  for (const name of transition.required ?? []) {
    const field = inputs.get(name) ?? model.fields.get(name)
    const value = inputs.has(name) ? parsed[name] : name in read.values ? read.values[name] : before[name]
    const known = problems.some((problem) => problem.field === name)
    if (field && !known && isEmpty(value)) problems.push(missing(field))
  }
  return { fields: read.values, inputs: parsed, inputFields: [...inputs.values()] }
}

function readInputField(core: Core, field: ModelField, raw: unknown, problems: InputProblem[]): unknown {
  if (raw === undefined) return null
  const read = readValue(field, raw)
  if ('problem' in read) {
    problems.push({ field: field.name, rule: read.rule, message: read.problem })
    return null
  }
  if (!isEmpty(read.value)) problems.push(...wrongCodes(core.registry, field, read.value, null))
  return read.value
}

/** The reason that was given with a transition, for the audit log. */
function reasonIn({ transition, values }: TransitionHook): string | undefined {
  const reason = transition.reason === undefined ? undefined : values[transition.reason]
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

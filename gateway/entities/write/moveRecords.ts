import { findTransition, transitionsOf, type FoundTransition, type FieldModel } from '../../../src/schema/entity'
import { ExpressionError } from '../../../src/schema/expression'
import type { Effect } from '../../../src/schema/generated/entity'
import { ServiceError } from '../../platform/http'
import { closeTodosByState } from '../../todos'
import type { EntityRecord } from '../calls'
import { causedBy } from '../effects/cause'
import type { Refused } from '../effects/forbids'
import { prepare } from '../effects/prepare'
import { refusalsOf, refusedByCount } from '../effects/refusals'
import { runEffects } from '../effects/run'
import { evaluate, scopeOf, subjectOf, type Subject } from '../effects/subject'
import { OwnValues } from '../derive/own'
import { badRequest, refusal, unknownName, type InputProblem } from '../errors'
import { failedRefusal } from '../refusalTexts'
import type { EntityService, GateHook, TransitionHook } from '../types'
import { readAsked } from './asked'
import { wrongReferences } from './check'
import type { WriteContext } from '../core'
import { finishMany } from './finishMany'
import { giveNumbers } from './numbers'

export interface MoveRequest {
  transition: string
  /** State field, where two machines have the same id. */
  field?: string | undefined
  /** Fields and inputs, of each record. */
  values: (row: EntityRecord) => EntityRecord
  reason?: string | undefined
  /** A record that a service refuses undoes nothing of the others: each is moved in a savepoint of its own. */
  ownSavepoint?: boolean
}

/** What became of records that were to take a transition. */
export interface Moved {
  /** As they are stored now. */
  moved: ReadonlyMap<EntityRecord, EntityRecord>
  /** Those that did not take it, unchanged, with the reason. */
  refused: ReadonlyMap<EntityRecord, { id: string; error: ServiceError }>
}

/** A record on its way. */
interface Moving extends Subject {
  before: EntityRecord
  hook: TransitionHook
  given: ReadonlySet<string>
  inputs: { values: EntityRecord; fields: readonly FieldModel[] }
  problems: InputProblem[]
}

/**
 * Takes locked records through a transition: refusals, effects, checks, history and what follows, all at once. Where a service has hooks
 * for it, the records go one after the other, because a hook sees what was written before it.
 * @throws ServiceError what a service or a check says after the refusals; nothing of the records is kept then
 */
export async function moveRecords(write: WriteContext, rows: readonly EntityRecord[], request: MoveRequest): Promise<Moved> {
  const found = transitionNamed(write, request)
  const services = servicesOf(write, found)
  const hooked = services.some((service) => service.guard ?? service.effect ?? service.afterEffect)
  if (!hooked || rows.length <= 1) return moveTogether(write, found, services, rows, request)
  const [moved, refused] = [new Map<EntityRecord, EntityRecord>(), new Map<EntityRecord, { id: string; error: ServiceError }>()]
  for (const row of rows) {
    const one = await moveOne(write, found, services, row, request)
    for (const [before, after] of one.moved) moved.set(before, after)
    for (const [before, why] of one.refused) refused.set(before, why)
  }
  return { moved, refused }
}

async function moveOne(
  write: WriteContext,
  found: FoundTransition,
  services: readonly EntityService[],
  row: EntityRecord,
  request: MoveRequest,
): Promise<Moved> {
  if (!request.ownSavepoint) return moveTogether(write, found, services, [row], request)
  try {
    return await write.tx.transaction((tx) => moveTogether({ ...write, tx }, found, services, [row], request))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { moved: new Map(), refused: new Map([[row, { id: 'service', error }]]) }
  }
}

async function moveTogether(
  write: WriteContext,
  found: FoundTransition,
  services: readonly EntityService[],
  rows: readonly EntityRecord[],
  request: MoveRequest,
): Promise<Moved> {
  const { machine } = found
  const moving: Moving[] = []
  for (const row of rows) moving.push(await movingOf(write, found, row, request.values(row)))
  await leadBack(write, found, moving)
  const own = new OwnValues(write)
  await own.load(moving.map(({ record }) => record))
  for (const { before, record, problems } of moving) problems.push(...(await own.follow(before, record)))
  const refused = new Map<EntityRecord, { id: string; error: ServiceError }>()
  const told = await refusalsOf(write, found, moving)
  for (const [{ before }, why] of told) refused.set(before!, { id: why.id, error: refusedError(write, found, why) })
  for (const subject of moving) {
    if (refused.has(subject.before)) continue
    const message = await guarded(services, subject.hook)
    if (message) refused.set(subject.before, { id: 'service', error: transitionRefused(write, found, message) })
  }
  for (const gate of write.core.registry.gates) {
    const open = moving.flatMap(({ before }) => (refused.has(before) ? [] : [before]))
    const shut = open.length === 0 ? [] : await gate.refuse(gateHook(write, found), open)
    for (const [before, message] of shut) refused.set(before, { id: 'gate', error: transitionRefused(write, found, message) })
  }
  const going = moving.filter(({ before }) => !refused.has(before))
  if (going.length === 0) return { moved: new Map(), refused }
  await checkInputs(write, going)
  await giveNumbers(
    write,
    going.map(({ record }) => record),
    found.transition.id,
  )
  await doEffects(write, found, going)
  for (const { hook } of going) for (const service of services) await service.effect?.(hook)
  await finishMany(write, going, {
    action: 'state',
    reason: (draft) => request.reason ?? reasonIn(found, (draft as Moving).input),
  })
  const counted = await refusedByCount(write, found, going)
  if (counted) throw refusedError(write, found, counted)
  const left = going.filter(({ before, record }) => before[machine.field] !== record[machine.field])
  if (left.length > 0 && write.model.todosByState) {
    const { user, now } = write.context
    // whoever made it takes it back; anybody else has seen to it
    const done = (record: EntityRecord): boolean => user.staffId !== '' && user.staffId !== record.createdBy
    const states = left.map(({ record }) => ({
      id: String(record.id),
      state: String(record[machine.field]),
      done: done(record),
    }))
    await closeTodosByState(write.tx, write.model.name, states, { staffId: user.staffId, now })
  }
  for (const { hook } of going) for (const service of services) await service.afterEffect?.(hook)
  const stored = going.map(({ record }) => record)
  for (const gate of write.core.registry.gates) await gate.taken(gateHook(write, found), stored)
  return { moved: new Map(going.map(({ before, record }) => [before, record])), refused }
}

/** What gates are told of a transition. */
export function gateHook({ core, tx, context, model }: WriteContext, { transition }: FoundTransition): GateHook {
  return { tx, context, now: context.now, entities: core.entities(tx, context), model, transition }
}

async function movingOf(
  { core, tx, context, model }: WriteContext,
  found: FoundTransition,
  before: EntityRecord,
  values: EntityRecord,
): Promise<Moving> {
  const problems: InputProblem[] = []
  const asked = await readAsked({ core, tx, context, model, found, before }, values, problems)
  const { machine, transition } = found
  const record: EntityRecord = { ...before, ...asked.fields, [machine.field]: transition.to ?? before[machine.field] }
  const input = { ...asked.fields, ...asked.inputs }
  const entities = core.entities(tx, context)
  return {
    ...subjectOf(record, before, input),
    before,
    hook: { tx, context, now: context.now, entities, model, transition, before, record, values: input },
    given: new Set(Object.keys(values)),
    inputs: { values: asked.inputs, fields: asked.inputFields },
    problems,
  }
}

/** Records whose transition leads back go to the state that it works out for each. */
async function leadBack(write: WriteContext, { machine, transition }: FoundTransition, moving: readonly Moving[]): Promise<void> {
  const { back } = transition
  if (back === undefined) return
  const states = new Set([machine.initial, ...machine.transitions.flatMap(({ from, to }) => [...from, to ?? machine.initial])])
  await prepare(write, moving, [back])
  for (const subject of moving) {
    const state = evaluate(write, back, scopeOf(write, subject))
    if (typeof state === 'string' && states.has(state)) subject.record[machine.field] = state
  }
}

async function guarded(services: readonly EntityService[], hook: TransitionHook) {
  for (const service of services) {
    const reason = await service.guard?.(hook)
    if (reason) return reason
  }
  return null
}

/** What was given has to be right before anything is done with it; the same of many records is looked at once. */
async function checkInputs({ core, tx, context, model }: WriteContext, moving: readonly Moving[]): Promise<void> {
  const known = new Map<string, readonly InputProblem[]>()
  for (const { inputs, problems } of moving) {
    const key = JSON.stringify(inputs.values)
    if (!known.has(key)) {
      const given = new Set(Object.keys(inputs.values))
      const check = { registry: core.registry, db: tx, context, model, record: inputs.values, given }
      known.set(key, await wrongReferences(check, inputs.fields))
    }
    problems.push(...known.get(key)!)
    if (problems.length > 0) throw refusal('validationFailed', context.locale, problems)
  }
}

/** The effects of the transition, then those of changing the state and of the state that it leads into. */
async function doEffects(
  write: WriteContext,
  { machine, transition }: FoundTransition,
  moving: readonly Moving[],
): Promise<void> {
  const states = new Map<unknown, Moving[]>()
  for (const subject of moving) {
    const state = subject.record[machine.field]
    states.set(state, [...(states.get(state) ?? []), subject])
  }
  const parts: [readonly Effect[], readonly Moving[]][] = [
    [transition.effects ?? [], moving],
    [machine.moved ?? [], moving.filter(({ before, record }) => before[machine.field] !== record[machine.field])],
    ...[...states].map(([state, some]): [readonly Effect[], readonly Moving[]] => [
      transition.to === undefined ? [] : (machine.enter?.[String(state)] ?? []),
      some,
    ]),
  ]
  for (const [effects, some] of parts) if (effects.length > 0 && some.length > 0) await doAll(write, transition, effects, some)
}

async function doAll(
  write: WriteContext,
  transition: FoundTransition['transition'],
  effects: readonly Effect[],
  moving: readonly Moving[],
): Promise<void> {
  const causeOf = (effect: Effect): WriteContext => ({
    ...write,
    context: causedBy(write.context, {
      entity: write.model.name,
      ids: moving.map(({ record }) => String(record.id)),
      transition: transition.id,
      effect: effect.id,
    }),
  })
  try {
    await runEffects(write, moving, effects, causeOf)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { message } = error.problem
    throw new ServiceError('transitionRefused', {
      message: failedRefusal({ zh: `“${transition.label.zh}”的动作`, en: `An effect of "${transition.label.en}"` }, message),
      data: { transition: transition.id },
    })
  }
}

export function transitionNamed(
  { context, model }: Pick<WriteContext, 'context' | 'model'>,
  request: Pick<MoveRequest, 'transition' | 'field'>,
): FoundTransition {
  const found = findTransition(model, request.transition, request.field)
  if (found) return found
  const names = transitionsOf(model).map(({ transition }) => transition.id)
  throw badRequest(context.locale, unknownName({ zh: '操作', en: 'transition' }, request.transition, names), 'transition')
}

export function servicesOf(
  { core, model }: Pick<WriteContext, 'core' | 'model'>,
  { transition }: FoundTransition,
): EntityService[] {
  const named = transition.service === undefined ? undefined : core.registry.service(transition.service)
  return [...new Set([named, core.registry.serviceOf(model)])].filter((service) => service !== undefined)
}

/** Where the specification names a code, whoever reads the answer knows the refusal by its id. */
const refusedError = (write: WriteContext, { transition }: FoundTransition, { id, message, code, data }: Refused): ServiceError =>
  new ServiceError(code, {
    message,
    rule: id,
    data: data ?? { transition: transition.id, reason: code === 'transitionRefused' ? message[write.context.locale] : id },
  })

const transitionRefused = (write: WriteContext, found: FoundTransition, message: Refused['message']): ServiceError =>
  refusedError(write, found, { id: 'service', message, code: 'transitionRefused' })

/** The reason that was given with a transition, for the audit log. */
function reasonIn({ transition }: FoundTransition, input: EntityRecord): string | undefined {
  const reason = transition.reason === undefined ? undefined : input[transition.reason]
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

import { transitionsOf, type EntityModel, type FoundTransition } from '../../../src/schema/entity'
import { remembering } from '../../platform/database'
import { can, ServiceError, type RequestContext, type Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { allOf, anyOf, type Clause } from '../clause'
import type { Core } from '../core'
import { refusalsOf } from '../effects/refusals'
import { subjectOf } from '../effects/subject'
import { queriedTable } from '../query/queriedTable'
import { viewConditions } from '../query/plan'
import { NOT_ALLOWED } from '../refusalTexts'
import { RowScope } from '../query/scope'
import type { WriteContext } from '../core'
import { lockRow, lockRows } from './existing'
import { gateHook, moveRecords, servicesOf, transitionNamed } from './moveRecords'
import { stale } from './stale'

interface TransitionRequest {
  transition: string
  field?: string
  values: EntityRecord
  version?: number
  reason?: string
}

/** One record through one transition, with the caller's rights. Answers the stored row. */
export async function performTransition(write: WriteContext, id: string, request: TransitionRequest): Promise<EntityRecord> {
  const { core, context, model } = write
  const found = transitionNamed(write, request)
  requireTransition(context, model, found)
  const rights = transitionRights(core, context, model, found)
  const row = await lockRow(write, id, rights).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError) || error.reason !== 'notFound') throw error
    throw (await outOfReach(write, found, id)) ?? error
  })
  if (row['$write'] !== true) throw new ServiceError('noPermission')
  delete row['$write']
  if (request.version !== undefined && request.version !== row.version) throw await stale(write, row, request.version)
  return moveRecord(write, row, request)
}

/** Whether many records can take a transition at once: nothing of it is written in code. */
export function isPlain(write: Omit<WriteContext, 'tx'>, request: Pick<TransitionRequest, 'transition' | 'field'>): boolean {
  const services = servicesOf(write, transitionNamed(write, request))
  return services.every((service) => !service.guard && !service.effect && !service.afterEffect)
}

/**
 * Records through one transition, with the caller's rights, in a number of statements that does not grow with them. Answers why
 * records were refused, by id; the others took it.
 */
export async function performTransitions(
  write: WriteContext,
  ids: readonly string[],
  request: TransitionRequest,
): Promise<ReadonlyMap<string, ServiceError>> {
  const { core, context, model } = write
  const found = transitionNamed(write, request)
  requireTransition(context, model, found)
  const rows = await lockRows(write, ids, transitionRights(core, context, model, found))
  const refused = new Map<string, ServiceError>()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  for (const id of ids) {
    const row = byId.get(id)
    if (!row) refused.set(id, (await outOfReach(write, found, id)) ?? new ServiceError('notFound'))
    else if (row['$write'] !== true) refused.set(id, new ServiceError('noPermission'))
  }
  const going = rows.filter((row) => !refused.has(String(row.id)))
  for (const row of going) delete row['$write']
  const moved = await moveRecords(write, going, { ...request, values: () => request.values })
  for (const [row, { error }] of moved.refused) refused.set(String(row.id), error)
  return refused
}

/** What the services of a transition have to say about a row that is not in reach; null when that is nothing. */
async function outOfReach(write: WriteContext, found: FoundTransition, id: string): Promise<ServiceError | null> {
  const { core, tx, context } = write
  for (const service of servicesOf(write, found)) {
    const told = await service.outOfReach?.({
      tx,
      context,
      now: context.now,
      entities: core.entities(tx, context),
      model: write.model,
      id,
    })
    if (told) return told
  }
  return null
}

/** Checks and performs a transition on a locked row. @throws ServiceError why the row does not take it */
export async function moveRecord(write: WriteContext, before: EntityRecord, request: TransitionRequest): Promise<EntityRecord> {
  const { transition, field, reason } = request
  const asked = { transition, field, reason, values: () => request.values }
  const { moved, refused } = await moveRecords(write, [before], asked)
  const [why] = refused.values()
  if (why) throw why.error
  return moved.get(before)!
}

/** Why rows do not take a transition, as far as the schema says before its form opens; null: they do. For all of them at once. */
export async function whyNot(write: WriteContext, transition: string, rows: readonly EntityRecord[]): Promise<(Text | null)[]> {
  const found = transitionNamed(write, { transition })
  const { machine } = found
  const subjects = rows.map((row) => subjectOf({ ...row, [machine.field]: found.transition.to ?? row[machine.field] }, row))
  const told = await refusalsOf(write, found, subjects, { opening: true })
  return subjects.map((subject) => told.get(subject)?.message ?? null)
}

/** Tells the services of a transition which records refused it. */
export function tellRefused(
  write: Omit<WriteContext, 'tx'>,
  request: Pick<TransitionRequest, 'transition' | 'field'>,
  refusals: ReadonlyMap<string, ServiceError>,
): void {
  if (refusals.size === 0) return
  for (const service of servicesOf(write, transitionNamed(write, request)))
    service.refused?.(write.context, refusals, write.model)
}

/** Every transition of a row: null when the caller may perform it now, else the reason. */
export async function transitionsFor(
  write: WriteContext,
  row: EntityRecord,
  inPool: boolean,
): Promise<Record<string, string | null>> {
  const { core, tx, context, model } = write
  const answer: Record<string, string | null> = {}
  // guards ask much the same of the record; nothing is written here, so that each thing is read once
  const reads = remembering(tx)
  const reading = { core, tx: reads, context, model }
  const entities = core.entities(reads, context)
  for (const found of transitionsOf(model)) {
    const { transition } = found
    const may =
      mayTransition(context, model, found) && (row['$write'] === true || (inPool && transition.permission !== undefined))
    const record = { ...row, [found.machine.field]: transition.to ?? row[found.machine.field] }
    const subject = subjectOf(record, row)
    const hook = { tx: reads, context, now: context.now, entities, model, transition, before: row, record, values: {} }
    let refused: Text | null = may ? null : NOT_ALLOWED
    if (may) refused = (await refusalsOf(reading, found, [subject], { opening: true })).get(subject)?.message ?? null
    for (const service of servicesOf(reading, found)) refused ??= (await service.guard?.(hook)) ?? null
    for (const gate of core.registry.gates) refused ??= (await gate.refuse(gateHook(reading, found), [row])).get(row) ?? null
    answer[transition.id] = refused && refused[context.locale]
  }
  return answer
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
        ...viewConditions(core.registry, context, queriedTable(core.registry, context, model), view),
      ]),
    )
  return { readable: anyOf([scope.readable(model, 't'), ...open]), writable: anyOf([scope.writable(model, 't'), ...open]) }
}

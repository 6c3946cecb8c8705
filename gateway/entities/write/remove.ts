import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import type { Core, WriteContext } from '../core'
import type { EntityRecord } from '../calls'
import { guardRestored } from '../duplicates/check'
import { requireFree } from '../effects/forbids'
import { refusedByGrants } from '../effects/grants'
import { askInvariants } from '../effects/invariants'
import { doSaved } from '../effects/saved'
import { subjectOf } from '../effects/subject'
import { refusal, type InputProblem } from '../errors'
import type { RemoveHook } from '../types'
import { closeTodos } from '../../todos'
import { auditWrite } from './audit'
import { consequences } from './consequences'
import { updateRow } from './row'
import { existing } from './existing'
import { refuseReferred } from './onDelete'
import { requireOperation } from './save'
import { stale } from './stale'

interface RemoveOptions {
  version?: number
  reason?: string
}

/** Takes a record out of sight; its row stays and can be restored. */
export async function removeRecord(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  id: string,
  options: RemoveOptions = {},
): Promise<void> {
  requireOperation(context, model, 'delete')
  const before = await existing(core, tx, context, model, id, false, { deletion: true })
  if (options.version !== undefined && options.version !== before.version)
    throw await stale(core, tx, context, model, before, options.version)
  const service = core.registry.serviceOf(model)
  const [withheld] = (await refusedByGrants({ core, tx, context, model }, 'x-deletable', [subjectOf(before)])).values()
  const refused = withheld ?? service?.refusals?.(before, { context, now: context.now }).delete
  if (refused) throw new ServiceError('transitionRefused', { message: refused, data: { transition: 'delete' } })
  await requireFree({ core, tx, context, model }, 'delete', [before])
  await refuseReferred({ core, tx, context, model }, [id])
  const hook = removeHook(core, tx, context, model, before)
  await service?.beforeDelete?.(hook)
  await mark(core, tx, context, model, before, true, options.reason)
  await service?.afterDelete?.(hook)
}

/** Brings a deleted record back; refused (10010008) when a unique value was given away in between. */
export async function restoreRecord(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  id: string,
): Promise<void> {
  requireOperation(context, model, 'restore')
  const before = await existing(core, tx, context, model, id, false, { deleted: true })
  const service = core.registry.serviceOf(model)
  const hook = removeHook(core, tx, context, model, before)
  await service?.beforeRestore?.(hook)
  await guardRestored({ core, tx, context, model }, before)
  await requireSound({ core, tx, context, model }, before)
  await mark(core, tx, context, model, before, false)
  await service?.afterRestore?.(hook)
}

/** What comes back is no more than other records what none may be (`x-rules`), as far as a rule reads that it was deleted. */
async function requireSound(write: WriteContext, before: EntityRecord): Promise<void> {
  const problems: InputProblem[] = []
  const coded = await askInvariants(write, [{ before, record: { ...before, deletedAt: null }, problems }])
  for (const error of coded.values()) throw error
  if (problems.length > 0) throw refusal('validationFailed', write.context.locale, problems)
}

async function mark(
  core: Core,
  tx: Transaction,
  context: RequestContext,
  model: EntityModel,
  before: EntityRecord,
  deleted: boolean,
  reason?: string,
): Promise<void> {
  const at = context.now.toISOString()
  const who = context.user.staffId === '' ? null : context.user.staffId
  const changes = {
    deletedAt: deleted ? at : null,
    deletedBy: deleted ? who : null,
    updatedAt: at,
    updatedBy: who,
    version: Number(before.version) + 1,
  }
  await updateRow(tx, context.locale, model, before.id as string, changes)
  const after = { ...before, ...changes }
  const write = { core, tx, context, model }
  if (deleted) {
    await doSaved(write, [{ before, after }])
    if (core.registry.find('sys.todo'))
      await closeTodos(tx, { entity: model.name, ids: [String(before.id)] }, { as: 'dropped', now: context.now })
  }
  await consequences(write, [{ before, after }])
  await auditWrite(core.registry, tx, context, model, deleted ? 'delete' : 'restore', deleted ? before : after, after, reason)
  tx.afterCommit(() => core.references.forget(model.name, before.id as string))
}

function removeHook(core: Core, tx: Transaction, context: RequestContext, model: EntityModel, record: EntityRecord): RemoveHook {
  return { tx, context, now: context.now, entities: core.entities(tx, context), model, record }
}

import { ServiceError } from '../../platform/http'
import type { WriteContext } from '../core'
import type { EntityRecord } from '../calls'
import { guardRestored } from '../duplicates/check'
import { requireFree } from '../effects/forbids'
import { refusedByGrants } from '../effects/grants'
import { askInvariants } from '../effects/invariants'
import { doSaved } from '../effects/saved'
import { subjectOf } from '../effects/subject'
import { refusal, type InputProblem } from '../errors'
import { closeTodos } from '../../todos'
import { auditWrite } from './audit'
import { consequences } from './consequences'
import { updateRow } from './row'
import { existing } from './existing'
import { refuseReferred, removeHook } from './onDelete'
import { requireOperation } from './save'
import { stale } from './stale'

interface RemoveOptions {
  version?: number
  reason?: string
}

/** Takes a record out of sight; its row stays and can be restored. */
export async function removeRecord(write: WriteContext, id: string, options: RemoveOptions = {}): Promise<void> {
  const { core, context, model } = write
  requireOperation(context, model, 'delete')
  const before = await existing(write, id, false, { deletion: true })
  if (options.version !== undefined && options.version !== before.version) throw await stale(write, before, options.version)
  const service = core.registry.serviceOf(model)
  const [withheld] = (await refusedByGrants(write, 'x-deletable', [subjectOf(before)])).values()
  const refused = withheld ?? service?.refusals?.(before, { context, now: context.now }).delete
  if (refused) throw new ServiceError('transitionRefused', { message: refused, data: { transition: 'delete' } })
  await requireFree(write, 'delete', [before])
  await refuseReferred(write, [id])
  const hook = removeHook(write, before)
  await service?.beforeDelete?.(hook)
  await mark(write, before, true, options.reason)
  await service?.afterDelete?.(hook)
}

/** Brings a deleted record back; refused (10010008) when a unique value was given away in between. */
export async function restoreRecord(write: WriteContext, id: string): Promise<void> {
  const { core, context, model } = write
  requireOperation(context, model, 'restore')
  const before = await existing(write, id, false, { deleted: true })
  const service = core.registry.serviceOf(model)
  const hook = removeHook(write, before)
  await service?.beforeRestore?.(hook)
  await guardRestored(write, before)
  await requireSound(write, before)
  await mark(write, before, false)
  await service?.afterRestore?.(hook)
}

/** What comes back is no more than other records what none may be (`x-rules`), as far as a rule reads that it was deleted. */
async function requireSound(write: WriteContext, before: EntityRecord): Promise<void> {
  const problems: InputProblem[] = []
  const coded = await askInvariants(write, [{ before, record: { ...before, deletedAt: null }, problems }])
  for (const error of coded.values()) throw error
  if (problems.length > 0) throw refusal('validationFailed', write.context.locale, problems)
}

async function mark(write: WriteContext, before: EntityRecord, deleted: boolean, reason?: string): Promise<void> {
  const { core, tx, context, model } = write
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
  if (deleted) {
    await doSaved(write, [{ before, after }])
    if (core.registry.find('sys.todo'))
      await closeTodos(tx, { entity: model.name, ids: [String(before.id)] }, { as: 'dropped', now: context.now })
  }
  await consequences(write, [{ before, after }])
  await auditWrite(core.registry, tx, context, model, deleted ? 'delete' : 'restore', deleted ? before : after, after, reason)
  tx.afterCommit(() => core.references.forget(model.name, before.id as string))
}

import type { EntityModel, ModelField } from '../../../../src/schema/entity'
import type { Entities, EntityEngine, EntityRecord } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import { ServiceError, type RequestContext, type Text } from '../../../platform/http'
import { JOINABLE, ALL, chosenValues, joinedFacts } from '../rules/merging'
import { leaveSea, logOwnership, recycleOnOf } from './ownership'
import { moveAgency, moveChildren } from './mergeChildren'
import { joinedFiles, moveFiles, moveTodos, refuseTwoAccounts } from './mergeDoubles'
import { ruleFor } from '../../../rules'

/** Refuses a merge for a reason of another area, e.g. an unfinished alias change. Runs inside the transaction. */
export type MergeGuard = (
  customer: EntityRecord,
  place: { tx: Transaction; entities: Entities; context: RequestContext },
) => Promise<void>

export interface MergeRequest {
  /** The record that stays. */
  targetId: string
  /** One or two records that go. */
  loserIds: readonly string[]
  /** Field -> id of the record whose value holds, or `all` for a list. Fields that are not named keep the target's value. */
  fields: Readonly<Record<string, string>>
  reason: string
}
export interface MergeAnswer {
  id: string
  /** Moved rows by entity. */
  moved: Record<string, number>
}

const CUSTOMER = 'crm.customer'
/** Whose value the person who merges chooses besides the editable fields. */
const OWNER = 'ownerId'

/** Fields of a customer that can be chosen when records are merged. */
export function mergeableFields(model: EntityModel): ModelField[] {
  return model.stored.filter(
    (field) =>
      field.name === OWNER ||
      (field.origin === 'own' &&
        !field.internal &&
        field.field.readOnly !== true &&
        !['partyType', 'duplicateReason', 'attachments'].includes(field.name)),
  )
}

/**
 * Makes one customer of two or three: chosen values, joined facts, moved children. The records that go are deleted and point
 * to the one that stays (`duplicateOfId`); it cannot be undone. Rights on the records are checked by the caller.
 */
export async function mergeCustomers(
  engine: EntityEngine,
  place: { tx: Transaction; entities: Entities; context: RequestContext; timeZone: string },
  request: MergeRequest,
  guards: readonly MergeGuard[],
): Promise<MergeAnswer> {
  const { tx, entities, context, timeZone } = place
  const { now } = context
  const records = await lockAll(entities, [request.targetId, ...request.loserIds])
  const [target, ...losers] = records
  if (!target || losers.length === 0) throw new ServiceError('notFound')
  refuseDifferent(records)
  for (const record of records) for (const guard of guards) await guard(record, place)

  const allowed = new Map(mergeableFields(engine.model(CUSTOMER)).map((field) => [field.name, field]))
  const choices = checkedChoices(request.fields, records, allowed)
  const { ownerId: ownerChoice, ...fieldChoices } = choices
  const values: EntityRecord = { ...chosenValues(records, fieldChoices), ...joinedFacts(target, losers) }
  const keeper = records.find((record) => record.id === (ownerChoice ?? target.id)) ?? target
  const owner = keeper.ownerId ? await entities.find('sys.staff', String(keeper.ownerId)) : null
  const former = target.ownerId ? await entities.find('sys.staff', String(target.ownerId)) : null

  values.attachments = joinedFiles(records, engine.model(CUSTOMER).fields.get('attachments')?.field.maxItems ?? Infinity)
  const merge = { tx, entities, targetId: String(target.id), loserIds: request.loserIds, reason: request.reason, now }
  await refuseTwoAccounts(merge)
  const moved = await moveChildren(engine, merge, target.ownerId ?? null)
  await moveAgency(merge)
  for (const loser of losers) {
    await moveTodos(tx, String(target.id), String(loser.id), now.toISOString())
    await moveFiles(tx, String(target.id), String(loser.id))
    if (loser.holding === 'sea') await leaveSea(entities, { ...loser }, { by: 'merged', staffId: null, now })
    await entities.save(CUSTOMER, { id: loser.id, duplicateOfId: target.id }, { reason: request.reason })
    await entities.remove(CUSTOMER, String(loser.id), { reason: request.reason })
  }
  const record: EntityRecord = { ...target, ...values, duplicateOfId: null }
  if (keeper.id !== target.id && owner) {
    if (target.holding === 'sea') await leaveSea(entities, record, { by: 'merged', staffId: String(owner.id), now })
    Object.assign(record, {
      holding: 'private',
      ownerId: owner.id,
      ownerDeptId: keeper.ownerDeptId,
      ownedAt: keeper.ownedAt,
      gainedBy: keeper.gainedBy,
      protectUntil: keeper.protectUntil,
    })
  }
  record.recycleOn = recycleOnOf(record, await ruleFor(tx, 'crm.sea', now, { staffId: String(record.ownerId ?? '') }), timeZone)
  await entities.save(CUSTOMER, changed(target, record), { reason: request.reason })
  for (const loser of losers)
    await logOwnership(
      entities,
      now,
      {
        customerId: String(target.id),
        action: 'merge',
        from: loser.ownerId ? await entities.find('sys.staff', String(loser.ownerId)) : former,
        to: owner ?? former,
        note: `${String(loser.code)} ${String(loser.name)}: ${request.reason}`.slice(0, 200),
        sourceDoc: String(loser.code),
      },
      context.user.staffId,
    )
  return { id: String(target.id), moved }
}

/** A customer that waits to be accepted by somebody stays what it is until then. */
export const refuseWhileTransferred: MergeGuard = async (customer, { entities }) => {
  const items = await entities.list('crm.transferItem', {
    where: [
      { field: 'customerId', operator: 'eq', value: customer.id },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  for (const item of items) {
    const transfer = await entities.find('crm.transfer', String(item.transferId))
    if (transfer?.status !== 'pending') continue
    throw new ServiceError('transitionRefused', {
      message: {
        zh: `“${String(customer.name)}”在转移单 ${String(transfer.code)} 中等待接收，接收或撤销后再合并。`,
        en: `"${String(customer.name)}" waits in the transfer ${String(transfer.code)}; merge after it was accepted or cancelled.`,
      },
      data: { transition: 'merge' },
    })
  }
}

async function lockAll(entities: Entities, ids: readonly string[]): Promise<EntityRecord[]> {
  // in one order, so that two merges of the same records wait for each other instead of blocking
  const locked = new Map<string, EntityRecord>()
  for (const id of [...ids].sort()) {
    const record = await entities.find(CUSTOMER, id, { lock: true })
    if (!record) throw new ServiceError('notFound')
    locked.set(id, record)
  }
  return ids.map((id) => locked.get(id) ?? {})
}

function refuseDifferent(records: readonly EntityRecord[]): void {
  const [target, ...losers] = records
  const refused = (message: Text): ServiceError =>
    new ServiceError('transitionRefused', { message, data: { transition: 'merge' } })
  if (losers.some((loser) => loser.partyType !== target?.partyType))
    throw refused({ zh: '客户与伙伴不能合并。', en: 'A customer and a partner cannot be merged.' })
  if (records.some((record) => record.blacklisted === true || record.holding === 'frozen'))
    throw refused({ zh: '冻结或在黑名单中的客户不能合并。', en: 'A frozen or blacklisted customer cannot be merged.' })
  if (target?.classA !== true && losers.some((loser) => loser.classA === true))
    throw refused({
      zh: 'A类客户须作为保留的一方：A类只能由申请授予。',
      en: 'The class A customer has to be the one that stays: class A is only granted by an application.',
    })
  if (losers.some((loser) => loser.agentId === target?.id) || losers.some((loser) => loser.id === target?.agentId))
    throw refused({ zh: '代理与其客户不能合并。', en: 'An agent and its customer cannot be merged.' })
}

function checkedChoices(
  fields: Readonly<Record<string, string>>,
  records: readonly EntityRecord[],
  allowed: ReadonlyMap<string, ModelField>,
): Record<string, string> {
  const wrong = Object.entries(fields).find(
    ([field, choice]) =>
      !allowed.has(field) ||
      !(choice === ALL ? (JOINABLE as readonly string[]).includes(field) : records.some((record) => record.id === choice)),
  )
  if (wrong)
    throw new ServiceError('badRequest', {
      message: { zh: `字段“${wrong[0]}”的选择无效。`, en: `The choice for the field "${wrong[0]}" is not one of the records.` },
      data: { errors: [{ field: wrong[0], message: 'choice' }] },
    })
  return { ...fields }
}

/** Only what differs, with the id: a save of unchanged fields would say nothing in the log. */
function changed(before: EntityRecord, after: EntityRecord): EntityRecord {
  const differing = Object.entries(after).filter(
    ([name, value]) =>
      !['id', 'version', 'updatedAt', 'updatedBy'].includes(name) &&
      JSON.stringify(before[name] ?? null) !== JSON.stringify(value ?? null),
  )
  return { id: before.id, ...Object.fromEntries(differing) }
}

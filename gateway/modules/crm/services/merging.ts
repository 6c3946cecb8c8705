import type { EntityRecord, EntityService, MergeHook } from '../../../entities'
import { ServiceError, type Text } from '../../../platform/http'
import { refuseWhileAliasChanges } from './alias/block'
import { logOwnership } from './ownership'

/** What of a merge is the customers' own: what runs on them, whose they are afterwards, and who tells of it. */
export const customerMerging: Pick<EntityService, 'beforeMerge' | 'afterMerge'> = {
  async beforeMerge(hook) {
    const { tx, target, losers, values } = hook
    for (const record of [target, ...losers]) {
      await refuseWhileAliasChanges(tx, String(record.id))
      await refuseWhileTransferred(hook, record)
    }
    await refuseTwoAccounts(hook)
    await endSecondShares(hook)
    await onePrimary(hook)
    await endStays(hook)
    delete values.ownerId
    const keeper = keeperOf(hook)
    if (!keeper) return
    const { ownerId, ownerDeptId, ownedAt, gainedBy, protectUntil } = keeper
    Object.assign(values, { ownerId, ownerDeptId, ownedAt, gainedBy, protectUntil })
  },
  async afterMerge(hook) {
    const { entities, target, losers, values, now, reason, context } = hook
    const keeper = keeperOf(hook)
    if (keeper && target.holding === 'sea')
      await entities.transition('crm.customer', String(target.id), 'keepOwner', { mergedFrom: String(keeper.code) })
    const person = (id: unknown) => (id ? entities.find('sys.staff', String(id)) : Promise.resolve(null))
    const [former, owner] = [await person(target.ownerId), await person(values.ownerId ?? target.ownerId)]
    for (const loser of losers)
      await logOwnership(
        entities,
        now,
        {
          customerId: String(target.id),
          action: 'merge',
          from: loser.ownerId ? await person(loser.ownerId) : former,
          to: owner,
          note: `${String(loser.code)} ${String(loser.name)}: ${reason}`.slice(0, 200),
          sourceDoc: String(loser.code),
        },
        context.user.staffId,
      )
  },
}

/** The merged customer whose owner was chosen. */
const keeperOf = ({ losers, choices }: MergeHook): EntityRecord | undefined =>
  losers.find(({ id, ownerId }) => id === choices.ownerId && ownerId)

/** Customers that go lie in the sea no longer. */
async function endStays({ entities, losers, now, reason }: MergeHook): Promise<void> {
  const stays = await entities.list('crm.seaRecord', {
    where: [
      { field: 'customerId', operator: 'in', value: losers.map(({ id }) => id) },
      { field: 'leftAt', operator: 'empty' },
    ],
    lock: true,
  })
  const left = stays.map(({ id }): [string, EntityRecord] => [String(id), { leftAt: now.toISOString(), leftBy: 'merged' }])
  await entities.changeMany('crm.seaRecord', new Map(left), { reason })
}

const refused = (message: Text): ServiceError => new ServiceError('transitionRefused', { message, data: { transition: 'merge' } })

/** A customer that waits to be accepted by somebody stays what it is until then. */
async function refuseWhileTransferred({ entities }: MergeHook, customer: EntityRecord): Promise<void> {
  const items = await entities.list('crm.transferItem', {
    where: [
      { field: 'customerId', operator: 'eq', value: customer.id },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  for (const item of items) {
    const transfer = await entities.find('crm.transfer', String(item.transferId))
    if (transfer?.status !== 'pending') continue
    throw refused({
      zh: `“${String(customer.name)}”在转移单 ${String(transfer.code)} 中等待接收，接收或撤销后再合并。`,
      en: `"${String(customer.name)}" waits in the transfer ${String(transfer.code)}; merge after it was accepted or cancelled.`,
    })
  }
}

/**
 * An online account belongs to one customer, and a balance is not given up by a merge. A rejected application is no account: it makes
 * room for the one that is.
 */
async function refuseTwoAccounts({ tx, entities, target, losers, reason, now }: MergeHook): Promise<void> {
  const { rows } = await tx.query<{ id: string; rejected: boolean }>(
    `select id, status = 'rejected' as rejected from crm_buka_account where customer_id = any($1::text[]) and deleted_at is null`,
    [[target, ...losers].map(({ id }) => id)],
  )
  const accounts = rows.filter(({ rejected }) => !rejected).length
  const rejected = rows
    .filter((row) => row.rejected)
    .map(({ id }): [string, EntityRecord] => [id, { deletedAt: now.toISOString() }])
  if (accounts === 1) await entities.changeMany('crm.bukaAccount', new Map(rejected), { reason })
  if (accounts > 1)
    throw refused({
      zh: '多个客户各有 Buka 账号，账号不能合并，客户保持不变。如确为不同客户，请标记为“不是重复”。',
      en: 'More than one of them has a Buka account, and accounts cannot be merged: the customers stay as they are. If they are different ones, mark them as "Not a duplicate".',
    })
}

/** Of several sets of contacts one keeps its primary contact. */
async function onePrimary({ tx, entities, target, losers, reason }: MergeHook): Promise<void> {
  const has = await entities.count('crm.contact', [{ field: 'customerId', operator: 'eq', value: target.id }])
  const { rows } = await tx.query<{ id: string }>(
    `select id from crm_contact where customer_id = any($1::text[]) and deleted_at is null and is_primary order by created_at`,
    [losers.map(({ id }) => id)],
  )
  const others = (has > 0 ? rows : rows.slice(1)).map(({ id }): [string, EntityRecord] => [id, { isPrimary: false }])
  await entities.changeMany('crm.contact', new Map(others), { reason, keepTime: true })
}

/** A receiver has one share of a customer; the owner of the target needs none. */
async function endSecondShares({ tx, entities, target, losers, reason }: MergeHook): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select c.id from crm_share c
     where c.customer_id = any($2::text[]) and c.status in ('pending', 'accepted') and c.deleted_at is null
       and (c.to_staff_id = $3 or exists (select from crm_share o where o.deleted_at is null and o.status in ('pending', 'accepted')
         and (o.customer_id = $1 or (o.customer_id = any($2::text[]) and o.id < c.id))
         and o.to_staff_id is not distinct from c.to_staff_id and o.to_dept_id is not distinct from c.to_dept_id))`,
    [target.id, losers.map(({ id }) => id), target.ownerId ?? null],
  )
  const ids = rows.map(({ id }) => id)
  await entities.transitions('crm.share', ids, 'end', () => ({ endReason: 'merge' }), { reason })
}

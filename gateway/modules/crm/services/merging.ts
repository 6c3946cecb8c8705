import type { EntityRecord, EntityService, MergeHook } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { refuseWhileAliasChanges } from './alias/block'

/** What of a merge is the customers' own: their aliases, accounts and contacts. */
export const customerMerging: Pick<EntityService<'crm.customer'>, 'beforeMerge'> = {
  async beforeMerge(hook) {
    const { tx, target, losers } = hook
    for (const record of [target, ...losers]) await refuseWhileAliasChanges(tx, record.id)
    await refuseTwoAccounts(hook)
    await onePrimary(hook)
  },
}

/**
 * An online account belongs to one customer, and a balance is not given up by a merge. A rejected application is no account: it makes
 * room for the one that is.
 */
async function refuseTwoAccounts({ tx, entities, target, losers, reason, now }: MergeHook<'crm.customer'>): Promise<void> {
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
    throw new ServiceError('transitionRefused', {
      data: { transition: 'merge' },
      message: {
        zh: '多个客户各有 Buka 账号，账号不能合并，客户保持不变。如确为不同客户，请标记为“不是重复”。',
        en: 'More than one of them has a Buka account, and accounts cannot be merged: the customers stay as they are. If they are different ones, mark them as "Not a duplicate".',
      },
    })
}

/** Of several sets of contacts one keeps its primary contact. */
async function onePrimary({ tx, entities, target, losers, reason }: MergeHook<'crm.customer'>): Promise<void> {
  const has = await entities.count('crm.contact', [{ field: 'customerId', operator: 'eq', value: target.id }])
  const { rows } = await tx.query<{ id: string }>(
    `select id from crm_contact where customer_id = any($1::text[]) and deleted_at is null and is_primary order by created_at`,
    [losers.map(({ id }) => id)],
  )
  const others = (has > 0 ? rows : rows.slice(1)).map(({ id }): [string, EntityRecord] => [id, { isPrimary: false }])
  await entities.changeMany('crm.contact', new Map(others), { reason, keepTime: true })
}

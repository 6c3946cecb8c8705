import type { EntityService, TransitionHook } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { refuseWhileAliasChanges } from './alias/block'
import type { HitDesk } from './blacklist/guard'
import { sameCompany } from './comeBack'
import { dropFromTransfers } from './handover/settle'
import { endShares, leaveSea } from './ownership'

/**
 * Voiding: a customer that cannot be deleted because something of it is on record, and that nobody should work on any more. It is
 * frozen, keeps its history, takes part in no duplicate check, and can be brought back.
 */
export function voidServices(
  { has, hitDesk }: { has: (entity: string) => boolean; hitDesk: HitDesk },
  unfreeze: EntityService,
): Record<string, EntityService> {
  return {
    'crm.customer.void': {
      guard: ({ tx, before }) => (has('fin.customerAccount') ? activeAccount(tx, String(before.id)) : null),
      async effect(hook) {
        const { entities, before, record, now, context, tx, values } = hook
        const id = String(before.id)
        await refuseWhileAliasChanges(tx, id)
        if (before.holding === 'sea') await leaveSea(entities, record, { by: 'frozen', staffId: null, now })
        await endShares(entities, id, { now, byId: context.user.staffId || null, reason: String(values.voidReason) })
        await dropFromTransfers(entities, id, 'frozen', now)
        Object.assign(record, { voided: true, recycleOn: null, nextFollowAt: null })
      },
    },
    'crm.customer.unvoid': {
      async effect(hook: TransitionHook) {
        const same = await sameCompany(hook, hook.before, hitDesk)
        // both have a history: somebody decides whether they are merged
        if (same) hook.record.duplicateOfId = same.id
        hook.record.voided = false
        await unfreeze.effect?.(hook)
      },
    },
  }
}

/** Whoever still has a live account is a customer: the account is closed first. */
async function activeAccount(db: Executor, customerId: string): Promise<Text | null> {
  const { rows } = await db.query(
    `select 1 from fin_customer_account where customer_id = $1 and status = 'active' and deleted_at is null limit 1`,
    [customerId],
  )
  return rows.length > 0
    ? { zh: '客户还有正常账户，请先关闭账户。', en: 'The customer has an active account; close it first.' }
    : null
}

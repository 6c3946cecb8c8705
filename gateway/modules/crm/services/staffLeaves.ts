import type { EntityService } from '../../../entities'
import { enterSea, logOwnership } from './ownership'
import { ruleFor } from './rules'

/** When a member of staff leaves, owned customers go to the open sea and shares end: nothing stays with somebody who is gone. */
export function staffLeavesService(timeZone: string): EntityService {
  return {
    async afterEffect({ entities, tx, now, context, before }) {
      const owner = before
      const rules = { claim: await ruleFor(tx, 'crm.claim', now), coolDown: await ruleFor(tx, 'crm.coolDown', now) }
      const owned = await entities.list('crm.customer', {
        where: [{ field: 'ownerId', operator: 'eq', value: owner.id }],
        limit: 100_000,
        lock: true,
      })
      for (const customer of owned) {
        const record = { ...customer, holding: customer.holding === 'frozen' ? 'frozen' : 'sea' }
        if (record.holding === 'sea')
          await enterSea(entities, { before: customer, record }, { reason: 'staffLeft', note: null, owner, now, timeZone, rules })
        const { id, holding, ownerId, seaEnteredAt, seaReason, lastOwnerId, seaStays, nextFollowAt, recycleOn, protectUntil } =
          record as typeof customer
        await entities.save(
          'crm.customer',
          {
            id,
            holding,
            ownerId: record.holding === 'sea' ? ownerId : null,
            seaEnteredAt,
            seaReason,
            lastOwnerId: lastOwnerId ?? owner.id,
            seaStays,
            nextFollowAt,
            recycleOn,
            protectUntil,
          },
          { reason: 'staffLeft' },
        )
        await logOwnership(
          entities,
          now,
          { customerId: String(id), action: 'staffLeft', from: owner, reason: 'staffLeft' },
          context.user.staffId,
        )
      }
      const shares = await entities.list('crm.share', {
        where: [
          { field: 'toStaffId', operator: 'eq', value: owner.id },
          { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
        ],
        limit: 100_000,
      })
      for (const share of shares)
        await entities.save('crm.share', { id: share.id, status: 'ended', endedAt: now.toISOString(), endReason: 'staffLeft' })
    },
  }
}

import { ServiceError } from '../../../platform/http'
import type { EntityRecord, RemoveHook, ToldDuplicate, TransitionHook } from '../../../entities'
import { refuseBarredCustomer, type HitDesk } from './blacklist/guard'
import { usageOf } from './usage'

type Place = Pick<RemoveHook | TransitionHook, 'tx' | 'entities' | 'context' | 'now'>

/**
 * A customer that was voided does not come back while it is on the blacklist (CRM rule 9.6). Answers the customer as which the same
 * company stands meanwhile (9.1), or null.
 */
export async function sameCompany(place: Place, record: EntityRecord, hitDesk: HitDesk): Promise<ToldDuplicate | null> {
  await refuseBarredCustomer(place, record, hitDesk)
  const hits = await place.entities.duplicates('crm.customer', record)
  // one that a leader let through beside another customer stands beside it again
  return hits.find((hit) => hit.decision === 'block' && hit.id !== record.duplicateOfId) ?? null
}

/** A customer that comes about without a form counts against the cap of its owner too (CRM rule 9.4). */
export async function refuseAboveCap({ tx, now, entities }: Place, record: EntityRecord): Promise<void> {
  const owner = record.holding === 'private' ? await entities.find('sys.staff', String(record.ownerId)) : null
  if (!owner || owner.status === 'left') return
  const { counted, cap } = await usageOf(tx, String(owner.id), now)
  if (counted + 1 > cap)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `负责人的客户保有量已达上限（${counted}/${cap}），须先退回一些客户。`,
        en: `The holding cap of its owner is full (${counted}/${cap}); the owner has to release some customers first.`,
      },
      data: { reason: 'capFull' },
    })
}

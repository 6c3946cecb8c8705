import type { EntityRecord, RemoveHook, ToldDuplicate, TransitionHook } from '../../../entities'
import { refuseBarredCustomer, type HitDesk } from './blacklist/guard'

type ComingBack = Pick<RemoveHook | TransitionHook, 'tx' | 'entities' | 'context' | 'now'>

/**
 * A customer that was voided does not come back while it is on the blacklist (CRM rule 9.6). Answers the customer as which the same
 * company stands meanwhile (9.1), or null.
 */
export async function sameCompany(hook: ComingBack, record: EntityRecord, hitDesk: HitDesk): Promise<ToldDuplicate | null> {
  await refuseBarredCustomer(hook, record, hitDesk)
  const hits = await hook.entities.duplicates('crm.customer', record)
  // one that a leader let through beside another customer stands beside it again
  return hits.find((hit) => hit.decision === 'block' && hit.id !== record.duplicateOfId) ?? null
}

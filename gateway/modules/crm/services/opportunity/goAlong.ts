import type { Entities } from '../../../../entities'
import { OPEN_STAGES } from '../../rules/opportunity'

/**
 * Open opportunities of a customer go to whoever has the customer now; what was won or lost stays with the person who did it.
 * Answers how many went. `reason` stands in their histories.
 */
export async function opportunitiesGoAlong(
  entities: Entities,
  customerId: string,
  staffId: string,
  reason: string | null,
): Promise<number> {
  const open = await entities.list('crm.opportunity', {
    where: [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'stage', operator: 'in', value: OPEN_STAGES },
      { field: 'ownerId', operator: 'ne', value: staffId },
    ],
  })
  for (const { id } of open) await entities.save('crm.opportunity', { id, ownerId: staffId }, reason ? { reason } : {})
  return open.length
}

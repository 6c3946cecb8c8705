import type { Entities } from '../../../entities'

/** Ends the running shares of a customer: it changes hands or goes to the sea. */
export async function endShares(
  entities: Entities,
  customerId: string,
  end: { now: Date; by: string | null; reason: string },
): Promise<void> {
  const shares = await entities.list('crm.share', {
    where: [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
    ],
  })
  for (const share of shares)
    await entities.save('crm.share', {
      id: share.id,
      status: 'ended',
      endedAt: end.now.toISOString(),
      endedById: end.by,
      endReason: end.reason,
    })
}

import type { Entities, EntityRecord, Verb } from '../../../../entities'
import type { Refusal } from './items'

/** Marks items as not come over. */
export async function refuseItems(
  entities: Entities,
  items: readonly EntityRecord[],
  refusal: Refusal,
  now: Date,
  note: string | null = null,
): Promise<void> {
  for (const item of items)
    await entities.save('crm.transferItem', {
      id: item.id,
      result: 'refused',
      refusedCode: refusal,
      refusedBecause: note,
      doneAt: now.toISOString(),
    })
}

/** State of a transfer whose items are `results`; `otherwise` = the state when nothing came over. Pure. */
export function settled(
  results: readonly string[],
  otherwise: 'rejected' | 'cancelled' | 'expired',
  now: Date,
): { status: string; finishedAt: string | null } {
  const accepted = results.filter((result) => result === 'done').length
  const open = results.includes('waiting')
  const status = open ? 'pending' : accepted === results.length ? 'accepted' : accepted > 0 ? 'partly' : otherwise
  return { status, finishedAt: open ? null : now.toISOString() }
}

export async function resultsOf(entities: Entities, transferId: string): Promise<string[]> {
  const items = await entities.list('crm.transferItem', {
    where: [{ field: 'transferId', operator: 'eq', value: transferId }],
  })
  return items.map((item) => String(item.result))
}

/** Takes customers out of every pending transfer, e.g. when they are frozen. */
export const dropCustomers: Verb = async ({ entities, now }, runs) => {
  for (const { subject, with: given } of runs)
    await dropFromTransfers(entities, String(subject.record.id), (given.refusal ?? 'frozen') as Refusal, now)
}

async function dropFromTransfers(entities: Entities, customerId: string, refusal: Refusal, now: Date): Promise<void> {
  const items = await entities.list('crm.transferItem', {
    where: [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  for (const item of items) {
    const transfer = await entities.find('crm.transfer', String(item.transferId), { lock: true })
    if (transfer?.status !== 'pending') continue
    await refuseItems(entities, [item], refusal, now)
    await entities.save('crm.transfer', {
      id: transfer.id,
      ...settled(await resultsOf(entities, String(transfer.id)), 'cancelled', now),
    })
  }
}

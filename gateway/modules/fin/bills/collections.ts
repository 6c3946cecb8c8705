import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { newId } from '../../../platform/database'
import type { FinContext, KnownAccount } from '../facts'

/** Money, or a credit note, that came for a customer's account and may settle its bills. */
export interface Collected {
  kind: 'collection' | 'creditNote'
  account: KnownAccount
  amount: string
  postingId: string
  /** The document that brought it: it is reversed, not the collection. */
  document: { rechargeId?: unknown; adjustmentId?: unknown; hedgeId?: unknown }
  day: string
  head?: EntityRecord
}

/** Notes what came in (`fin.billRefund`, money 2.5): what of it is on no bill yet is seen and allocated there. */
export async function collected(fin: FinContext, came: readonly Collected[]): Promise<void> {
  if (came.length === 0) return
  const codes = await fin.entities.numbers('fin.billRefund', 'code', came.length)
  await fin.entities.insertMany(
    'fin.billRefund',
    came.map(({ kind, account, amount, postingId, document, day, head }, index) => ({
      ...{ id: newId(), code: codes[index], kind, accountId: account.id, customerId: account.customerId },
      ...{ amount, allocatedAmount: '0', unallocated: amount, currency: account.currency, paidAt: day },
      ...{ postingId, ...document, ...head, status: 'posted' },
      ...{ createdAt: fin.now.toISOString(), createdBy: fin.context.user.staffId },
    })),
  )
}

/** What came in for an account and is on no bill, the oldest first, held. */
export const unallocatedOf = (fin: FinContext, accountId: string): Promise<EntityRecord[]> =>
  fin.entities.list('fin.billRefund', {
    where: [
      { field: 'accountId', operator: 'eq', value: accountId },
      { field: 'status', operator: 'eq', value: 'posted' },
      { field: 'unallocated', operator: 'ne', value: '0' },
    ],
    sort: [{ field: 'paidAt', order: 'asc' }],
    lock: true,
    limit: 1_000,
  })

/** An amount of a posting went onto a bill, or came off it again (below 0). */
export async function noteAllocated(
  fin: FinContext,
  { postingId, accountId, amount }: { postingId: string; accountId: string; amount: string },
): Promise<void> {
  const rows = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'postingId', operator: 'eq', value: postingId },
      { field: 'accountId', operator: 'eq', value: accountId },
      { field: 'kind', operator: 'ne', value: 'refund' },
    ],
    lock: true,
  })
  let left = new Exact(amount)
  const changes = new Map<string, EntityRecord>()
  for (const row of rows) {
    const [allocated, open] = [new Exact(String(row.allocatedAmount)), new Exact(String(row.unallocated))]
    const most = left.isNegative() ? new Exact(0).minus(allocated) : open
    const part = left.abs().gt(most.abs()) ? most : left
    if (part.isZero()) continue
    left = left.minus(part)
    changes.set(String(row.id), { allocatedAmount: exactText(allocated.plus(part)), unallocated: exactText(open.minus(part)) })
  }
  if (changes.size > 0) await fin.entities.changeMany('fin.billRefund', changes)
}

/** What a reversed document had brought is taken back with it. */
export async function collectionsFall({ entities }: FinContext, postingId: string): Promise<void> {
  const rows = await entities.list('fin.billRefund', {
    where: [
      { field: 'postingId', operator: 'eq', value: postingId },
      { field: 'kind', operator: 'ne', value: 'refund' },
      { field: 'status', operator: 'eq', value: 'posted' },
    ],
  })
  await entities.transitions('fin.billRefund', rows.map(({ id }) => String(id)), 'fall') // prettier-ignore
}

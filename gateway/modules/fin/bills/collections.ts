import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf, GivenOf } from '../../../entities'
import { newId } from '../../../platform/database'
import type { FinContext, CustomerAccount } from '../facts'
import type { LedgerAccount } from '../ledger/types'
import { agreeLast } from './agree'

/** What came in for an account, or belongs to it (dictionary `refundKind`). */
export type CollectionKind = 'collection' | 'creditNote' | 'writeOff' | 'gift' | 'balance' | 'billCredit'
/** What left it again. */
export type SpentKind = 'refund' | 'transfer' | 'badDebt' | 'toPrepaid'
export const SPENT: readonly SpentKind[] = ['refund', 'transfer', 'badDebt', 'toPrepaid']

/** The smallest amount that is stored. */
export const SMALLEST = '0.000001'

/** Documents behind a row of `fin.billRefund`: they are reversed, not the row. */
export interface Behind {
  rechargeId?: string | null
  adjustmentId?: string | null
  hedgeId?: string | null
  billId?: string | null
}

/** Money, or a credit note, that came for a customer's account and may settle its bills. */
export interface Collected {
  kind: CollectionKind
  account: CustomerAccount
  amount: string
  /** Null for what an account had before its bills, and for the credit of a bill below 0. */
  postingId: string | null
  document: Behind
  day: string
  head?: GivenOf<'fin.billRefund'>
}

/** Notes what came in (`fin.billRefund`, money 2.5): what of it is on no bill yet is seen and allocated there. Answers the ids, in their order. */
export async function collected(fin: FinContext, came: readonly Collected[]): Promise<string[]> {
  if (came.length === 0) return []
  const codes = await fin.entities.numbers('fin.billRefund', 'code', came.length)
  const ids = came.map(() => newId())
  const rows = came.map(({ kind, account, amount, postingId, document, day, head }, index) => ({
    ...{ id: ids[index], code: codes[index], kind, accountId: account.id, customerId: account.customerId },
    ...{ amount, allocatedAmount: '0', unallocated: amount, currency: account.currency, paidAt: day },
    ...{ postingId, ...document, ...head, status: 'posted' },
    ...{ createdAt: fin.now.toISOString(), createdBy: fin.context.user.staffId },
  }))
  await fin.entities.insertMany('fin.billRefund', rows)
  for (const { account } of came) agreeLast(fin.tx, account.id, fin.now)
  return ids
}

/** What came in for an account and is on no bill, the oldest first and gifts last (L10), held. */
export async function unallocatedOf(fin: FinContext, accountId: string): Promise<RecordOf<'fin.billRefund'>[]> {
  const rows = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'accountId', operator: 'eq', value: accountId },
      { field: 'status', operator: 'eq', value: 'posted' },
      { field: 'unallocated', operator: 'gte', value: SMALLEST },
    ],
    sort: [
      { field: 'paidAt', order: 'asc' },
      { field: 'id', order: 'asc' },
    ],
    lock: true,
    limit: 1_000,
  })
  const isGift = ({ kind }: RecordOf<'fin.billRefund'>): number => (kind === 'gift' ? 1 : 0)
  return rows.sort((a, b) => isGift(a) - isGift(b))
}

/** The row of money that pays bills: by its id, else by its posting; null for money that no row stands for. */
export async function collectionOf(
  fin: FinContext,
  { collectionId, postingId, account }: { collectionId?: string; postingId: string | null; account: LedgerAccount },
): Promise<RecordOf<'fin.billRefund'> | null> {
  const by =
    collectionId === undefined
      ? ([
          { field: 'postingId', operator: 'eq', value: postingId },
          { field: 'accountId', operator: 'eq', value: account.id },
          { field: 'kind', operator: 'notIn', value: [...SPENT] },
        ] as const)
      : ([{ field: 'id', operator: 'eq', value: collectionId }] as const)
  if (collectionId === undefined && postingId === null) return null
  const [row] = await fin.entities.list('fin.billRefund', { where: [...by], lock: true, limit: 1 })
  return row ?? null
}

/** An amount of a row went onto a bill or out of the account, or came back (below 0); of a row that left the account: it is covered, or not any more. */
export async function noteAllocated(fin: FinContext, collectionId: string, amount: string): Promise<void> {
  const [row] = await fin.entities.list('fin.billRefund', {
    where: [{ field: 'id', operator: 'eq', value: collectionId }],
    lock: true,
    limit: 1,
  })
  if (!row) return
  const [spent, open] = [(SPENT as readonly unknown[]).includes(row.kind), new Exact(row.unallocated ?? '0')]
  await fin.entities.changeMany(
    'fin.billRefund',
    new Map([
      [
        collectionId,
        {
          allocatedAmount: exactText(new Exact(row.allocatedAmount ?? '0').plus(amount)),
          unallocated: exactText(spent ? open.plus(amount) : open.minus(amount)),
        },
      ],
    ]),
  )
}

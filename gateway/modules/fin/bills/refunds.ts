import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf, GivenOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { customerAccount, todayOf, type FinContext, type CustomerAccount } from '../facts'
import { post, reverse } from '../ledger/post'
import { recovery } from '../ledger/rules'
import { agreeLast, positionOf } from './agree'
import {
  collected,
  noteAllocated,
  SMALLEST,
  SPENT,
  unallocatedOf,
  type Behind,
  type Collected,
  type SpentKind,
} from './collections'
import { payBills, takenOff } from './paying'

/** Money that left an account, and what it takes. */
export interface Spent {
  kind: SpentKind
  account: CustomerAccount
  amount: string
  postingId: string | null
  document?: Behind
  day: string
  head?: GivenOf<'fin.billRefund'>
  /** Rows of `fin.billRefund` that it takes first; without them the newest that are free. */
  named?: readonly string[]
}

/**
 * Notes what left a post-paid account (`fin.billRefund`), and takes it from what had come in: the receipts that are named, else the newest that are on no bill; where that
 * is not enough, bills that they had paid are open again. What nothing covers stands below 0 as unallocated, and the next money covers it.
 */
export async function spend(fin: FinContext, spent: Spent): Promise<RecordOf<'fin.billRefund'>> {
  const { kind, account, amount, postingId, document, day, head, named = [] } = spent
  const follows = account.record.payMode === 'postpaid' || kind === 'toPrepaid'
  const record = await fin.entities.save('fin.billRefund', {
    ...{ kind, accountId: account.id, customerId: account.customerId, amount, currency: account.currency },
    ...{ allocatedAmount: '0', unallocated: follows ? exactText(new Exact(0).minus(amount)) : '0' },
    ...{ paidAt: day, status: 'posted', postingId, ...document, ...head },
  })
  if (follows) await cover(fin, account, { row: record, named, reopen: true })
  agreeLast(fin.tx, account.id, fin.now)
  return record
}

/** Notes what came in and lets it cover first what had left the account with nothing behind it. Answers the ids of the rows. */
export async function received(fin: FinContext, came: readonly Collected[]): Promise<string[]> {
  const ids = await collected(fin, came)
  for (const { account } of came) await coverDebts(fin, account)
  return ids
}

/** What left an account with nothing behind it takes what is free now, the oldest first. */
export async function coverDebts(fin: FinContext, account: CustomerAccount): Promise<void> {
  const debts = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'status', operator: 'eq', value: 'posted' },
      { field: 'unallocated', operator: 'lte', value: `-${SMALLEST}` },
    ],
    sort: [{ field: 'paidAt', order: 'asc' }],
    lock: true,
    limit: 1_000,
  })
  for (const row of debts) await cover(fin, account, { row, named: [], reopen: false })
}

/** Kinds that a refund may take: neither gifts (L10) nor what was written off is paid out; what an account becomes prepaid with is all of it. */
const takeable = (kind: unknown): readonly string[] =>
  kind === 'toPrepaid'
    ? ['collection', 'creditNote', 'balance', 'billCredit', 'gift', 'writeOff']
    : ['collection', 'creditNote', 'balance', 'billCredit']

/** Lets a row that left the account take from those that came in. */
async function cover(
  fin: FinContext,
  account: CustomerAccount,
  { row, named, reopen }: { row: RecordOf<'fin.billRefund'>; named: readonly string[]; reopen: boolean },
): Promise<void> {
  const sources = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'status', operator: 'eq', value: 'posted' },
      { field: 'kind', operator: 'in', value: [...takeable(row.kind)] },
      ...(named.length === 0 ? [] : [{ field: 'id', operator: 'in' as const, value: [...named] }]),
    ],
    sort: [
      { field: 'paidAt', order: 'desc' },
      { field: 'id', order: 'desc' },
    ],
    lock: true,
    limit: 1_000,
  })
  let left = new Exact(0).minus(row.unallocated ?? '0')
  const take = async (source: string, free: Exact): Promise<void> => {
    const part = left.gt(free) ? free : left
    if (!part.gt(0)) return
    left = left.minus(part)
    await fin.entities.insertMany('fin.refundSource', [
      {
        ...{ id: newId(), refundId: row.id, collectionId: source, amount: exactText(part), currency: account.currency },
        ...{ at: fin.now.toISOString(), status: 'live', createdAt: fin.now.toISOString(), createdBy: fin.context.user.staffId },
      },
    ])
    await noteAllocated(fin, source, exactText(part))
    await noteAllocated(fin, row.id, exactText(part))
  }
  for (const source of sources) await take(source.id, new Exact(source.unallocated ?? '0'))
  if (!reopen || !left.gt(0)) return
  for (const { id } of sources) {
    if (!left.gt(0)) return
    await reopened(fin, account, { collectionId: id, wanted: left, take })
  }
}

/** Takes what is still wanted off the bills that a row had paid, the newest allocation first. */
async function reopened(
  fin: FinContext,
  account: CustomerAccount,
  { collectionId, wanted, take }: { collectionId: string; wanted: Exact; take: (source: string, free: Exact) => Promise<void> },
): Promise<void> {
  const allocations = await fin.entities.list('fin.allocation', {
    where: [
      { field: 'collectionId', operator: 'eq', value: collectionId },
      { field: 'status', operator: 'eq', value: 'live' },
    ],
    sort: [
      { field: 'at', order: 'desc' },
      { field: 'id', order: 'desc' },
    ],
  })
  await takenOff(fin, allocations, wanted, async ({ billId }, { part, rest }) => {
    await take(collectionId, part)
    if (rest.gt(0)) await payFrom(fin, account, { collectionId, amount: exactText(rest), named: [billId], only: true })
  })
}

/** Lets a row that came in pay open bills of its account, dated as it came. */
export async function payFrom(
  fin: FinContext,
  account: CustomerAccount,
  paying: { collectionId: string; amount?: string; named?: readonly string[]; only?: boolean },
): Promise<string> {
  const row = await fin.entities.find('fin.billRefund', paying.collectionId)
  const postingId = row?.postingId ? row.postingId : null
  const today = todayOf(fin, account.record)
  return payBills(fin, {
    ...{ account, postingId, bizDate: row?.paidAt ?? today, postedOn: today },
    ...paying,
    amount: paying.amount ?? row?.unallocated ?? '0',
  })
}

/**
 * What follows for receivables when a posting is reversed: money that it brought is gone from what it had paid out, and money that it took is free again and pays open
 * bills. What no row stands for changes the balance from before bills.
 */
export async function rowsFall(fin: FinContext, postingId: string, reason: string): Promise<void> {
  const rows = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'postingId', operator: 'eq', value: postingId },
      { field: 'status', operator: 'in', value: ['posted', 'reversed'] },
    ],
    lock: true,
  })
  for (const row of rows) {
    const account = await customerAccount(fin, row.accountId)
    if ((SPENT as readonly string[]).includes(row.kind)) await givenBack(fin, account, row)
    else await sourceLost(fin, account, row, reason)
    agreeLast(fin.tx, account.id, fin.now)
  }
  const falling = rows.filter(({ kind, status }) => kind !== 'refund' && status === 'posted').map(({ id }) => id)
  await fin.entities.transitions('fin.billRefund', falling, 'fall')
}

const sourcesOf = (fin: FinContext, field: 'refundId' | 'collectionId', id: unknown): Promise<RecordOf<'fin.refundSource'>[]> =>
  fin.entities.list('fin.refundSource', {
    where: [
      { field, operator: 'eq', value: id },
      { field: 'status', operator: 'eq', value: 'live' },
    ],
    lock: true,
  })

async function undone(fin: FinContext, source: RecordOf<'fin.refundSource'>): Promise<void> {
  await fin.entities.changeMany('fin.refundSource', new Map([[source.id, { status: 'undone' }]]))
  const back = exactText(new Exact(0).minus(source.amount))
  for (const id of [source.collectionId, source.refundId]) await noteAllocated(fin, id, back)
}

async function givenBack(fin: FinContext, account: CustomerAccount, row: RecordOf<'fin.billRefund'>): Promise<void> {
  const sources = await sourcesOf(fin, 'refundId', row.id)
  for (const source of sources) await undone(fin, source)
  await fin.entities.changeMany('fin.billRefund', new Map([[row.id, { allocatedAmount: '0', unallocated: '0' }]]))
  for (const { collectionId } of sources) await payFrom(fin, account, { collectionId: collectionId })
  if (account.record.payMode !== 'postpaid') await becomesPrepaid(fin, account)
}

async function sourceLost(
  fin: FinContext,
  account: CustomerAccount,
  row: RecordOf<'fin.billRefund'>,
  reason: string,
): Promise<void> {
  for (const source of await sourcesOf(fin, 'collectionId', row.id)) {
    await undone(fin, source)
    const taker = await fin.entities.find('fin.billRefund', source.refundId)
    if (taker?.kind === 'toPrepaid' && account.record.payMode !== 'postpaid')
      // the prepaid balance is less by it
      await fin.entities.changeMany(
        'fin.billRefund',
        new Map([[taker.id, { amount: exactText(new Exact(taker.amount).minus(source.amount)), unallocated: '0' }]]),
      )
    if (taker?.kind !== 'badDebt') continue
    // debt that this money alone had collected is bad again
    await fin.entities.changeMany('fin.billRefund', new Map([[taker.id, { allocatedAmount: '0', unallocated: '0' }]]))
    await fin.entities.transition('fin.billRefund', taker.id, 'fall', {})
    await reverse(fin, taker.postingId ?? '', reason)
  }
  await fin.entities.changeMany('fin.billRefund', new Map([[row.id, { allocatedAmount: '0', unallocated: '0' }]]))
  await coverDebts(fin, account)
}

/** What an account has from before its bills, by how much its balance differs from what is known of it: when it becomes post-paid, and when older money is taken back. */
export async function noteBalance(fin: FinContext, account: CustomerAccount, difference: string): Promise<void> {
  const amount = new Exact(difference)
  if (amount.isZero()) return
  const what = { account, amount: exactText(amount.abs()), postingId: null, day: todayOf(fin, account.record) }
  if (amount.isNegative()) await spend(fin, { ...what, kind: 'toPrepaid' })
  else await received(fin, [{ ...what, kind: 'balance', document: {} }])
}

/** An account that becomes post-paid keeps its balance, which is consumed first (money 8.4); its record says the new mode already. */
export async function becomesPostpaid(fin: FinContext, account: CustomerAccount): Promise<void> {
  const { balance, free, open, owed } = await positionOf(fin.tx, account.id)
  await noteBalance(fin, account, exactText(new Exact(balance).minus(free).plus(open).plus(owed)))
}

/** What is free of an account that becomes prepaid is its prepaid balance from now on. */
export async function becomesPrepaid(fin: FinContext, account: CustomerAccount): Promise<void> {
  await coverDebts(fin, account)
  const free = (await unallocatedOf(fin, account.id)).reduce((sum, row) => sum.plus(row.unallocated ?? '0'), new Exact(0))
  if (free.gt(0)) await noteBalance(fin, account, exactText(new Exact(0).minus(free)))
}

/** Money that came after a write-off pays the bad debt first (money 1.3): D customer · C BAD. */
export async function collectBadDebt(fin: FinContext, account: CustomerAccount, collectionId: string): Promise<void> {
  const [writtenOff, back] = await Promise.all([
    fin.entities.list('fin.adjustment', {
      where: [
        { field: 'accountId', operator: 'eq', value: account.id },
        { field: 'kind', operator: 'eq', value: 'writeOff' },
        { field: 'status', operator: 'eq', value: 'posted' },
      ],
    }),
    fin.entities.list('fin.billRefund', {
      where: [
        { field: 'accountId', operator: 'eq', value: account.id },
        { field: 'kind', operator: 'eq', value: 'badDebt' },
        { field: 'status', operator: 'eq', value: 'posted' },
      ],
    }),
  ])
  const sum = (rows: readonly { amount: string }[]): Exact => rows.reduce((all, { amount }) => all.plus(amount), new Exact(0))
  const row = await fin.entities.find('fin.billRefund', collectionId)
  const [bad, free] = [sum(writtenOff).minus(sum(back)), new Exact(row?.unallocated ?? '0')]
  const amount = bad.gt(free) ? free : bad
  if (!row || !amount.gt(0)) return
  const day = row.paidAt ?? todayOf(fin, account.record)
  const posted = await post(fin, {
    ...{ type: 'writeOff', bizDate: day, companyEntityId: account.companyEntityId },
    ...{ sourceType: 'recharge', sourceId: collectionId, sourceCode: row.code },
    idemKey: `recharge:${collectionId}:writeOff`,
    legs: recovery(account, exactText(amount)),
  })
  const document = { adjustmentId: writtenOff.at(-1)?.id, rechargeId: row.rechargeId }
  await spend(fin, {
    kind: 'badDebt',
    account,
    amount: exactText(amount),
    postingId: posted.postingId,
    document,
    day,
    named: [collectionId],
  })
}

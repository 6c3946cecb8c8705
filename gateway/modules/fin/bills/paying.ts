import { sql } from 'drizzle-orm'
import { Exact, exactText, toExact } from '../../../../src/schema/formats'
import type { EntityRecord, RecordOf, GivenOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import {
  customerAccount,
  supplierAccount,
  todayOf,
  type FinContext,
  type CustomerAccount,
  type KnownAccount,
  type SupplierAccount,
} from '../facts'
import { post } from '../ledger/post'
import { ratesOn } from '../ledger/rates'
import { realised } from '../ledger/rules'
import { agreeLast } from './agree'
import { collectionOf, noteAllocated } from './collections'
import { allocated, billStatus, realisedDifference } from './rules'

interface BillRow {
  id: string
  code: string
  dueDate: string
  openAmount: string
  paidAmount: string
  total: string
  baseTotal: string | null
  issuedAt: string | null
  currency: string
}

/** The open bills of an account, held, the oldest first. */
async function openBills({ tx }: FinContext, account: KnownAccount): Promise<BillRow[]> {
  const column = account.kind === 'supplier' ? 'supplier_account_id' : 'account_id'
  const { rows } = await tx.query<BillRow>(
    sql`select id, code, coalesce(deferred_to, due_date)::text as "dueDate", open_amount::text as "openAmount", paid_amount::text as "paidAmount", total::text, base_total::text as "baseTotal", issued_at::text as "issuedAt", currency
      from fin_bill where ${sql.raw(column)} = ${account.id} and status in ('issued', 'partPaid', 'disputed') and open_amount > 0 and deleted_at is null
      order by coalesce(deferred_to, due_date, period_to), id for update`,
  )
  return rows
}

/** Money that pays bills. */
export interface BillPayment {
  account: KnownAccount
  amount: string
  postingId: string | null
  /** The money's row of `fin.billRefund`; of a customer default that of its posting. */
  collectionId?: string
  /** Day of the money, for the exchange difference. */
  bizDate: string
  /** Bills that are paid first; with `only` no others. */
  named?: readonly string[]
  only?: boolean
  /** The day that the exchange difference is posted on; default the day of the money. */
  postedOn?: string
}

/**
 * Allocates money to bills, first those that are named, then by due day (money 2.4), and posts what the rate has changed since they
 * were used (`fxRealised`, L7). Answers what is left.
 * @throws ServiceError 10060059 when a named bill has nothing open any more
 */
export async function payBills(fin: FinContext, payment: BillPayment): Promise<string> {
  const { account, named = [], only = false } = payment
  const bills = await openBills(fin, account)
  const gone = named.find((id) => !bills.some((bill) => bill.id === id))
  if (gone !== undefined) {
    const bill = await fin.entities.find('fin.bill', gone)
    const code = bill?.code ?? gone
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${code} 已无未收金额，请重新选择账单后提交。`,
        en: `The bill ${code} has nothing open any more. Please choose the bills again and submit.`,
      },
      data: { field: 'billIds', id: gone },
    })
  }
  const collection = account.kind === 'customer' ? await collectionOf(fin, payment) : null
  const free = collection ? least(payment.amount, collection.unallocated ?? '0') : payment.amount
  const { paid, rest } = allocated(free, bills, { named, only })
  if (paid.length === 0) return rest
  const paidRates = await ratesOn(fin.tx, [account.currency], payment.bizDate)
  const paidRate = paidRates.get(account.currency)!
  const rows: EntityRecord[] = []
  const differences: Exact[] = []
  const [changes, totals] = [new Map<string, GivenOf<'fin.bill'>>(), new Map<string, EntityRecord>()]
  for (const { bill, amount } of paid) {
    const billRate = await billRateOf(fin, bill)
    // of a balance from before bills nobody knows when it came
    const loss = new Exact(payment.postingId === null ? 0 : realisedDifference(amount, billRate, paidRate))
    // what we owe a supplier and pay for less is a gain
    const difference = account.kind === 'supplier' ? new Exact(0).minus(loss) : loss
    differences.push(difference)
    rows.push({
      id: newId(),
      postingId: payment.postingId,
      collectionId: collection?.id ?? null,
      accountKind: account.kind,
      accountId: account.id,
      billId: bill.id,
      amount,
      currency: account.currency,
      rate: paidRate,
      fxDifference: exactText(difference),
      at: fin.now.toISOString(),
      staffId: fin.context.user.staffId,
      auto: !named.includes(bill.id),
      status: 'live',
      createdAt: fin.now.toISOString(),
      createdBy: fin.context.user.staffId,
    })
    const openAmount = exactText(new Exact(bill.openAmount).minus(amount))
    changes.set(bill.id, {
      openAmount,
      paidAmount: exactText(new Exact(bill.paidAmount).plus(amount)),
    })
    totals.set(bill.id, { total: bill.total, openAmount })
  }
  await fin.entities.insertMany('fin.allocation', rows)
  await fin.entities.changeMany('fin.bill', changes)
  if (collection)
    await noteAllocated(fin, collection.id, exactText(paid.reduce((sum, { amount }) => sum.plus(amount), new Exact(0))))
  await moveBills(fin, totals)
  await keepPlans(
    fin,
    account,
    [...totals].filter(([, { openAmount }]) => openAmount === '0').map(([id]) => id),
  )
  const difference = differences.reduce((sum, one) => sum.plus(one), new Exact(0))
  if (payment.postingId !== null && !difference.isZero())
    await post(fin, {
      type: 'fxRealised',
      bizDate: payment.postedOn ?? payment.bizDate,
      companyEntityId: account.companyEntityId,
      sourceType: 'fx',
      sourceId: payment.postingId,
      idemKey: `fx:${payment.postingId}:fxRealised:${String(rows[0]!.id)}`,
      legs: realised(account, exactText(difference)),
    })
  if (account.kind === 'customer') agreeLast(fin.tx, account.id, fin.now)
  return rest
}

const least = (one: string, other: string): string => (new Exact(one).gt(other) ? exactText(new Exact(other)) : one)

/**
 * Opens the bill of an allocation again by what it had paid, and takes its exchange difference back. The allocation itself is moved by
 * its transition. Answers the account.
 */
export async function unallocate(
  fin: FinContext,
  allocation: RecordOf<'fin.allocation'>,
): Promise<CustomerAccount | SupplierAccount> {
  const accountId = allocation.accountId ?? ''
  const account = await (allocation.accountKind === 'supplier'
    ? supplierAccount(fin, accountId)
    : customerAccount(fin, accountId))
  const [bill] = await fin.entities.list('fin.bill', {
    where: [{ field: 'id', operator: 'eq', value: allocation.billId }],
    lock: true,
  })
  const open = exactText(new Exact(bill!.openAmount).plus(allocation.amount))
  await fin.entities.changeMany(
    'fin.bill',
    new Map([
      [
        bill!.id,
        {
          openAmount: open,
          paidAmount: exactText(new Exact(bill!.paidAmount ?? '0').minus(allocation.amount)),
        },
      ],
    ]),
  )
  await moveBills(fin, new Map([[bill!.id, { total: bill!.total, openAmount: open }]]))
  if (allocation.collectionId) await noteAllocated(fin, allocation.collectionId, exactText(new Exact(0).minus(allocation.amount)))
  const difference = new Exact(allocation.fxDifference ?? '0')
  if (!difference.isZero() && allocation.postingId)
    await post(fin, {
      type: 'fxRealised',
      bizDate: todayOf(fin, account.record),
      companyEntityId: account.companyEntityId,
      sourceType: 'fx',
      sourceId: allocation.postingId,
      idemKey: `fx:${allocation.id}:undone`,
      legs: realised(account, exactText(new Exact(0).minus(difference))),
    })
  if (account.kind === 'customer') agreeLast(fin.tx, account.id, fin.now)
  return account
}

/**
 * Takes an amount off the bills that allocations had paid, in their order. `then` says what becomes of each: the part that is wanted, and
 * what its bill still gets (0 or below: nothing).
 */
export async function takenOff(
  fin: FinContext,
  allocations: readonly RecordOf<'fin.allocation'>[],
  wanted: Exact,
  then: (allocation: RecordOf<'fin.allocation'>, split: { part: Exact; rest: Exact }) => Promise<void>,
): Promise<void> {
  let open = wanted
  for (const allocation of allocations) {
    if (!open.gt(0)) return
    const amount = new Exact(allocation.amount)
    await fin.entities.transition('fin.allocation', allocation.id, 'reverse', {})
    await then(allocation, { part: open.gt(amount) ? amount : open, rest: amount.minus(open) })
    open = open.minus(amount)
  }
}

/** CNY for one unit of the bill when it was used. */
async function billRateOf({ tx }: FinContext, { total, baseTotal, issuedAt, dueDate, currency }: BillRow): Promise<string> {
  const [base, amount] = [toExact(baseTotal ?? ''), toExact(total)]
  if (base && amount && !amount.isZero() && !base.isZero()) return exactText(base.dividedBy(amount).toDecimalPlaces(8))
  return (await ratesOn(tx, [currency], issuedAt ?? dueDate)).get(currency)!
}

/** Plans of which every bill is paid are kept. */
async function keepPlans({ tx, entities }: FinContext, account: KnownAccount, paid: readonly string[]): Promise<void> {
  if (account.kind !== 'customer' || paid.length === 0) return
  const { rows } = await tx.query<{ id: string }>(
    sql`select p.id from fin_collection_plan p where p.account_id = ${account.id} and p.status = 'open' and p.deleted_at is null
      and not exists (select 1 from jsonb_array_elements_text(p.bill_ids) b(id) join fin_bill l on l.id = b.id where l.open_amount > 0 and l.status <> 'paid')`,
  )
  await entities.transitions(
    'fin.collectionPlan',
    rows.map(({ id }) => id),
    'keep',
  )
}

/** Takes bills into the state that what is open of them says, by id. */
export async function moveBills({ entities }: FinContext, bills: ReadonlyMap<string, EntityRecord>): Promise<void> {
  const by = { paid: 'paidUp', partPaid: 'paidPartly', issued: 'reopened' } as const
  for (const [state, transition] of Object.entries(by)) {
    const ids = [...bills].flatMap(([id, { total, openAmount }]) =>
      billStatus(String(total), String(openAmount)) === state ? [id] : [],
    )
    if (ids.length === 0) continue
    const there = await entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: ids }] })
    const moving = there.filter(({ status }) => status !== state).map(({ id }) => id)
    const refused = moving.length === 0 ? [] : [...(await entities.transitions('fin.bill', moving, transition)).values()]
    if (refused[0]) throw refused[0]
  }
}

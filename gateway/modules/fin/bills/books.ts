import { sql } from 'drizzle-orm'
import { Exact, exactText, toExact } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { newId } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { balanceOf, todayOf, type FinContext, type KnownAccount } from '../facts'
import { post, ratesOn } from '../ledger/post'
import { realised, rounding } from '../ledger/rules'
import { allocated, billStatus, billTotals, realisedDifference, type BilledEntry, type Period } from './rules'

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
  /** Day of the money, for the exchange difference. */
  bizDate: string
  /** Bills that are paid first; with `only` no others. */
  named?: readonly string[]
  only?: boolean
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
    const code = String(bill?.code ?? gone)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${code} 已无未收金额，请重新选择账单后提交。`,
        en: `The bill ${code} has nothing open any more. Please choose the bills again and submit.`,
      },
      data: { field: 'billIds', id: gone },
    })
  }
  const { paid, rest } = allocated(payment.amount, bills, { named, only })
  if (paid.length === 0) return rest
  const paidRates = await ratesOn(fin.tx, [account.currency], payment.bizDate)
  const paidRate = paidRates.get(account.currency)!
  const rows: EntityRecord[] = []
  const differences: Exact[] = []
  const changes = new Map<string, EntityRecord>()
  for (const { bill, amount } of paid) {
    const billRate = await billRateOf(fin, bill)
    const loss = new Exact(realisedDifference(amount, billRate, paidRate))
    // what we owe a supplier and pay for less is a gain
    const difference = account.kind === 'supplier' ? new Exact(0).minus(loss) : loss
    differences.push(difference)
    rows.push({
      id: newId(),
      postingId: payment.postingId,
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
      undone: false,
      createdAt: fin.now.toISOString(),
      createdBy: fin.context.user.staffId,
    })
    const openAmount = exactText(new Exact(bill.openAmount).minus(amount))
    changes.set(bill.id, {
      openAmount,
      paidAmount: exactText(new Exact(bill.paidAmount).plus(amount)),
      status: billStatus(bill.total, openAmount),
    })
  }
  await fin.entities.insertMany('fin.allocation', rows)
  await fin.entities.changeMany('fin.bill', changes)
  await keepPlans(
    fin,
    account,
    [...changes].filter(([, { status }]) => status === 'paid').map(([id]) => id),
  )
  const difference = differences.reduce((sum, one) => sum.plus(one), new Exact(0))
  if (payment.postingId !== null && !difference.isZero())
    await post(fin, {
      type: 'fxRealised',
      bizDate: payment.bizDate,
      companyEntityId: account.companyEntityId,
      sourceType: 'fx',
      sourceId: payment.postingId,
      idemKey: `fx:${payment.postingId}:${account.id}:fxRealised`,
      legs: realised(account, exactText(difference)),
    })
  return rest
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
  await entities.transitions('fin.collectionPlan', rows.map(({ id }) => id), 'keep') // prettier-ignore
}

/**
 * Closes a period of a post-paid account with its bill (money 2.4): collects what was posted and is on no bill, rounds the total,
 * and lets what the account had pay it first (money 8.4: an old balance is consumed first). The same period is billed once.
 * Answers the bill, or null where nothing was used.
 */
export async function closePeriod(
  fin: FinContext,
  account: KnownAccount,
  period: Period,
  { termDays, transition = false }: { termDays: number; transition?: boolean },
): Promise<EntityRecord | null> {
  const [known] = await fin.entities.list('fin.bill', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'periodFrom', operator: 'eq', value: period.from },
      { field: 'status', operator: 'notIn', value: ['void', 'corrected'] },
    ],
    limit: 1,
  })
  if (known) return known
  const { rows } = await fin.tx.query<BilledEntry & { id: string; base: string; direction: string }>(
    sql`select id, type, signed_amount::text as "signedAmount", base_amount::text as base, direction from fin_ledger_entry
      where account_kind = 'customer' and account_id = ${account.id} and bill_id is null and type in ('usage', 'fee', 'adjustment', 'deviceSale', 'deviceReturn')
        and biz_date between ${period.from}::date and ${period.to}::date and source_type <> 'bill' and deleted_at is null`,
  )
  if (rows.length === 0) return null
  const totals = billTotals(rows, account.currency)
  const base = rows.reduce((sum, { base, direction }) => (direction === 'debit' ? sum.plus(base) : sum.minus(base)), new Exact(0))
  const balance = await balanceOf(fin, account)
  const rate = (await ratesOn(fin.tx, [account.currency], period.to)).get(account.currency)!
  const today = todayOf(fin, account.record.timezone)
  const open = new Exact(totals.total)
  const bill = await fin.entities.save('fin.bill', {
    side: 'customer',
    accountId: account.id,
    customerId: account.customerId,
    companyEntityId: account.companyEntityId,
    cycleId: account.record.billCycleId ?? null,
    periodFrom: period.from,
    periodTo: period.to,
    transition,
    currency: account.currency,
    ...{ usageAmount: totals.usageAmount, feeAmount: totals.feeAmount, adjustAmount: totals.adjustAmount },
    roundingAmount: totals.difference,
    total: totals.total,
    baseTotal: exactText(base.plus(new Exact(totals.difference).times(rate).toDecimalPlaces(6))),
    openAmount: open.gt(0) ? totals.total : '0',
    issuedAt: today,
    dueDate: addDays(today, termDays),
    status: open.gt(0) ? 'issued' : 'paid',
  })
  const billId = String(bill.id)
  await fin.tx.query(
    sql`update fin_ledger_entry set bill_id = ${billId} where id = any(${sql.param(rows.map((row) => row.id))}::text[])`,
  )
  const legs = rounding(account, totals.difference)
  if (legs.length > 0)
    await post(fin, {
      type: 'rounding',
      bizDate: period.to,
      companyEntityId: account.companyEntityId,
      sourceType: 'bill',
      sourceId: billId,
      sourceCode: String(bill.code),
      idemKey: `bill:${account.id}:${period.from}:rounding`,
      legs,
    })
  const before = new Exact(balance).plus(totals.exact)
  if (before.gt(0) && open.gt(0))
    await payBills(fin, { account, amount: exactText(before), postingId: null, bizDate: period.to, named: [billId], only: true })
  return bill
}

import { sql } from 'drizzle-orm'
import { Exact, exactText, toExact } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { newId } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import {
  balanceOf,
  customerAccount,
  recordOf,
  supplierAccount,
  todayOf,
  type FinContext,
  type Given,
  type KnownAccount,
} from '../facts'
import { post, reverse } from '../ledger/post'
import { noteAllocated, unallocatedOf } from './collections'
import { ratesOn } from '../ledger/rates'
import { realised, rounding, tax } from '../ledger/rules'
import { settleLedger } from '../ledger/settle'
import {
  allocated,
  billStatus,
  billTotals,
  periodOf,
  periodsUpTo,
  realisedDifference,
  type BilledEntry,
  type Cycle,
  type Period,
} from './rules'

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
  /** The day that the exchange difference is posted on; default the day of the money. */
  postedOn?: string
  /** Money that the account had before its bill: no rate has changed since it was used. */
  had?: boolean
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
  const [changes, totals] = [new Map<string, EntityRecord>(), new Map<string, EntityRecord>()]
  for (const { bill, amount } of paid) {
    const billRate = await billRateOf(fin, bill)
    const loss = new Exact(payment.had ? 0 : realisedDifference(amount, billRate, paidRate))
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
  if (payment.postingId !== null && account.kind === 'customer')
    await noteAllocated(fin, {
      postingId: payment.postingId,
      accountId: account.id,
      amount: exactText(paid.reduce((sum, { amount }) => sum.plus(amount), new Exact(0))),
    })
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
  return rest
}

/**
 * Opens the bill of an allocation again by what it had paid, and takes its exchange difference back. The allocation itself is moved by
 * its transition. Answers the account.
 */
export async function unallocate(fin: FinContext, allocation: EntityRecord): Promise<KnownAccount> {
  const accountId = String(allocation.accountId)
  const account = await (allocation.accountKind === 'supplier'
    ? supplierAccount(fin, accountId)
    : customerAccount(fin, accountId))
  const [bill] = await fin.entities.list('fin.bill', {
    where: [{ field: 'id', operator: 'eq', value: allocation.billId }],
    lock: true,
  })
  const open = exactText(new Exact(String(bill!.openAmount)).plus(String(allocation.amount)))
  await fin.entities.changeMany(
    'fin.bill',
    new Map([
      [
        String(bill!.id),
        {
          openAmount: open,
          paidAmount: exactText(new Exact(String(bill!.paidAmount)).minus(String(allocation.amount))),
        },
      ],
    ]),
  )
  await moveBills(fin, new Map([[String(bill!.id), { total: bill!.total, openAmount: open }]]))
  if (allocation.postingId && account.kind === 'customer')
    await noteAllocated(fin, {
      postingId: String(allocation.postingId),
      accountId,
      amount: exactText(new Exact(0).minus(String(allocation.amount))),
    })
  const difference = new Exact(String(allocation.fxDifference ?? '0'))
  if (!difference.isZero() && allocation.postingId)
    await post(fin, {
      type: 'fxRealised',
      bizDate: todayOf(fin, account.record),
      companyEntityId: account.companyEntityId,
      sourceType: 'fx',
      sourceId: String(allocation.postingId),
      idemKey: `fx:${String(allocation.id)}:undone`,
      legs: realised(account, exactText(new Exact(0).minus(difference))),
    })
  if (account.kind === 'customer') fin.tx.beforeCommit(settleLedger, { refresh: account.id, now: fin.now })
  return account
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

/** A billing cycle as the rules of bills know it. `anchor`: first day of the first period of a cycle of days. */
export async function cycleOf(fin: FinContext, id: string, anchor?: unknown): Promise<Cycle> {
  const record = await recordOf(fin, 'fin.billCycle', id, { zh: '账期', en: 'billing cycle' })
  return {
    kind: record.kind as Cycle['kind'],
    startDay: Number(record.startDay ?? 1),
    lengthDays: record.lengthDays === null ? null : Number(record.lengthDays),
    anchor: typeof anchor === 'string' ? anchor : null,
  }
}

/**
 * Closes every period of a post-paid account that is over by a day and on no bill (money 2.4, I17): from the end of its last bill, or
 * from the beginning of its cycle. `cut`: the period that runs ends with that day. Answers the bills.
 */
export async function closePeriods(
  fin: FinContext,
  account: KnownAccount,
  cycle: Cycle,
  { through, cut = false, issue }: { through: string; cut?: boolean; issue: boolean },
): Promise<EntityRecord[]> {
  const { rows } = await fin.tx.query<{ since: string | null }>(
    sql`select greatest(a.cycle_from, (select max(l.period_to) + 1 from fin_bill l where l.account_id = a.id and l.status not in ('void', 'corrected') and l.deleted_at is null))::text as since
      from fin_customer_account a where a.id = ${account.id} for update`,
  )
  const since = rows[0]?.since
  if (!since) return []
  const bills: EntityRecord[] = []
  for (const period of periodsUpTo(cycle, { since, through, cut })) {
    const whole = periodOf(cycle, period.from)
    const transition = whole.from !== period.from || whole.to !== period.to
    bills.push(await closePeriod(fin, account, period, { transition, issue }))
  }
  return bills
}

/** What was posted in a period and is on no bill; notes that name a bill were allocated to it and are never collected again. */
async function unbilled({ tx }: FinContext, { id }: KnownAccount, { from, to }: Period): Promise<Unbilled[]> {
  const { rows } = await tx.query<Unbilled>(
    sql`select e.id, e.type, e.signed_amount::text as "signedAmount", e.base_amount::text as base, e.direction, e.product, u.country_code as "countryCode", u.prefix, u.sub_account as "subAccount", u.price::text as price, u.units
      from fin_ledger_entry e join fin_posting p on p.id = e.posting_id left join fin_usage u on u.posting_id = e.posting_id and u.deleted_at is null
      where e.account_kind = 'customer' and e.account_id = ${id} and e.bill_id is null and e.type in ('usage', 'fee', 'adjustment', 'deviceSale', 'deviceReturn')
        and e.biz_date between ${from}::date and ${to}::date and e.source_type <> 'bill' and e.deleted_at is null
        and not exists (select 1 from fin_adjustment n where n.posting_id in (p.id, p.reverses_id) and n.bill_id is not null and n.deleted_at is null)
      order by e.account_seq`,
  )
  return rows
}

/** An entry that is on no bill; what its usage was made of where that was entered (`fin.usage`). */
interface Unbilled extends BilledEntry {
  id: string
  base: string
  direction: string
  product: string | null
  countryCode: string | null
  prefix: string | null
  subAccount: string | null
  price: string | null
  units: number | null
}

/**
 * Closes a period of a post-paid account with its bill (money 2.4): collects what was posted and is on no bill, and rounds the total.
 * The bill is a draft; a cycle with `autoIssue`, and a period without usage, issue it at once. The same period is billed once; one
 * without usage has a bill of 0, so that periods have no gaps.
 */
export async function closePeriod(
  fin: FinContext,
  account: KnownAccount,
  period: Period,
  { transition = false, issue }: { transition?: boolean; issue: boolean },
): Promise<EntityRecord> {
  const [known] = await fin.entities.list('fin.bill', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'periodFrom', operator: 'eq', value: period.from },
      { field: 'status', operator: 'notIn', value: ['void', 'corrected'] },
    ],
    limit: 1,
  })
  if (known) return known
  const rows = await unbilled(fin, account, period)
  const totals = billTotals(rows, account.currency, String((account.record.taxRate as string | null) ?? '0'))
  const base = rows.reduce((sum, { base, direction }) => (direction === 'debit' ? sum.plus(base) : sum.minus(base)), new Exact(0))
  const rate = (await ratesOn(fin.tx, [account.currency], period.to)).get(account.currency)!
  const added = new Exact(totals.difference).plus(totals.taxAmount)
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
    ...{ roundingAmount: totals.difference, taxAmount: totals.taxAmount },
    total: totals.total,
    baseTotal: exactText(base.plus(added.times(rate).toDecimalPlaces(6))),
    openAmount: new Exact(totals.total).gt(0) ? totals.total : '0',
  })
  const billId = String(bill.id)
  if (rows.length > 0)
    await fin.tx.query(
      sql`update fin_ledger_entry set bill_id = ${billId} where id = any(${sql.param(rows.map((row) => row.id))}::text[])`,
    )
  await writeLines(fin, { billId, rows, account })
  return issue || !new Exact(totals.total).gt(0) ? fin.entities.transition('fin.bill', billId, 'issue') : bill
}

/** Days that a bill of the account is due after it was issued: its own, else its cycle's. */
async function termDaysOf(fin: FinContext, { record }: KnownAccount): Promise<number> {
  if (record.termDays !== null && record.termDays !== undefined) return Number(record.termDays)
  const cycle = record.billCycleId ? await fin.entities.find('fin.billCycle', String(record.billCycleId)) : null
  return Number(cycle?.termDays ?? 15)
}

/**
 * What follows when a bill is issued: rounding and tax are posted, it is dated, and what the account had pays it first (money 8.4: an
 * old balance is consumed first).
 */
export async function billIssued(fin: FinContext, bill: EntityRecord): Promise<void> {
  const billId = String(bill.id)
  const account = await customerAccount(fin, String(bill.accountId))
  const [total, change] = [new Exact(String(bill.total)), new Exact(String(bill.roundingAmount)).plus(String(bill.taxAmount))]
  const before = new Exact(await balanceOf(fin, account)).plus(total).minus(change)
  const ends = {
    rounding: rounding(account, String(bill.roundingAmount), billId),
    tax: tax(account, String(bill.taxAmount), billId),
  }
  for (const [type, legs] of Object.entries(ends))
    if (legs.length > 0)
      await post(fin, {
        ...{ type, legs, bizDate: String(bill.periodTo), companyEntityId: account.companyEntityId },
        ...{ sourceType: 'bill', sourceId: billId, sourceCode: String(bill.code) },
        idemKey: `bill:${billId}:${type}`,
      })
  const today = todayOf(fin, account.record)
  const dated = { issuedAt: today, dueDate: addDays(today, await termDaysOf(fin, account)) }
  await fin.entities.changeMany('fin.bill', new Map([[billId, dated]]))
  if (!total.gt(0)) await moveBills(fin, new Map([[billId, { total: bill.total, openAmount: '0' }]]))
  else if (before.gt(0)) await payFromBefore(fin, { account, bill, before })
}

/** What an account had before its bill settles it: what came in and is on no bill yet, the oldest first, then what is older than that. */
async function payFromBefore(
  fin: FinContext,
  { account, bill, before }: { account: KnownAccount; bill: EntityRecord; before: Exact },
): Promise<void> {
  let left = before.gt(String(bill.total)) ? new Exact(String(bill.total)) : before
  const parts = (await unallocatedOf(fin, account.id)).map((row) => [String(row.postingId), String(row.unallocated)] as const)
  for (const [postingId, free] of [...parts, [null, exactText(left)] as const]) {
    const amount = left.gt(free) ? free : exactText(left)
    if (!new Exact(amount).gt(0)) continue
    left = left.minus(amount)
    const money = { postingId, bizDate: String(bill.periodTo), had: true }
    await payBills(fin, { account, amount, named: [String(bill.id)], only: true, ...money })
  }
}

/** Takes bills into the state that what is open of them says, by id. */
async function moveBills({ entities }: FinContext, bills: ReadonlyMap<string, EntityRecord>): Promise<void> {
  const by = { paid: 'paidUp', partPaid: 'paidPartly', issued: 'reopened' } as const
  for (const [state, transition] of Object.entries(by)) {
    const ids = [...bills].flatMap(([id, { total, openAmount }]) =>
      billStatus(String(total), String(openAmount)) === state ? [id] : [],
    )
    if (ids.length === 0) continue
    const there = await entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: ids }] })
    const moving = there.filter(({ status }) => status !== state).map(({ id }) => String(id))
    const refused = moving.length === 0 ? [] : [...(await entities.transitions('fin.bill', moving, transition)).values()]
    if (refused[0]) throw refused[0]
  }
}

/**
 * `fin.voidBill`: takes a bill back that nobody has paid: rounding and tax are reversed, and what was on it waits for the next bill of
 * its period. @throws ServiceError 10060059 while money is allocated to it
 */
export async function voidBill(fin: FinContext, given: Given): Promise<EntityRecord> {
  const bill = await recordOf(fin, 'fin.bill', given.needed('billId'), { zh: '账单', en: 'bill' })
  const billId = String(bill.id)
  if (new Exact(String(bill.paidAmount)).gt(0))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${String(bill.code)} 已有核销，请先撤销核销再作废。`,
        en: `Money is allocated to the bill ${String(bill.code)}. Undo its allocations before it is made void.`,
      },
      data: { field: 'paidAmount', value: bill.paidAmount },
    })
  const { rows } = await fin.tx.query<{ id: string }>(
    sql`select p.id from fin_posting p where p.source_type = 'bill' and p.source_id = ${billId} and p.reverses_id is null and p.deleted_at is null
      and not exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null)`,
  )
  for (const { id } of rows) await reverse(fin, id, String(bill.code))
  await fin.tx.query(sql`update fin_ledger_entry set bill_id = null where bill_id = ${billId}`)
  return bill
}

/** One line for each product, country, prefix, price and sub-account: what its usage came to (Σ = usage of the bill). */
async function writeLines(
  { entities, now }: FinContext,
  { billId, rows, account }: { billId: string; rows: readonly Unbilled[]; account: KnownAccount },
): Promise<void> {
  const lines = new Map<string, EntityRecord & { amount: Exact; units: number }>()
  for (const { type, product, signedAmount, countryCode, prefix, subAccount, price, units } of rows) {
    if (type !== 'usage') continue
    const of = { kind: type, product: product ?? String(account.record.product), countryCode, prefix, subAccount, price }
    const key = JSON.stringify(of)
    const known = lines.get(key) ?? { ...of, amount: new Exact(0), units: 0 }
    lines.set(key, { ...known, amount: known.amount.minus(signedAmount), units: known.units + (units ?? 1) })
  }
  await entities.insertMany(
    'fin.billLine',
    [...lines.values()].map(({ amount, ...line }) => ({
      ...{ ...line, id: newId(), billId, amount: exactText(amount), currency: account.currency },
      ...{ createdAt: now.toISOString(), createdBy: null },
    })),
  )
}

import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { recordOf, type FinContext, type CustomerAccount } from '../facts'
import { openCharges, type OpenCharge } from '../charges/open'
import { ratesOn } from '../ledger/rates'
import { usedProduct } from '../ledger/rules'
import { agreeLast, ASKED, SERVICE_DAY } from './agree'
import { billTotals, periodOf, periodsUpTo, type BilledEntry, type BillTotals, type Cycle, type Period } from './rules'

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
  account: CustomerAccount,
  cycle: Cycle,
  { through, cut = false, issue }: { through: string; cut?: boolean; issue: boolean },
): Promise<RecordOf<'fin.bill'>[]> {
  const { rows } = await fin.tx.query<{ since: string | null }>(
    sql`select greatest(a.cycle_from, (select max(l.period_to) + 1 from fin_bill l where l.account_id = a.id and l.status not in ('void', 'corrected') and l.deleted_at is null))::text as since
      from fin_customer_account a where a.id = ${account.id} for update`,
  )
  const since = rows[0]?.since
  if (!since) return []
  const bills: RecordOf<'fin.bill'>[] = []
  for (const period of periodsUpTo(cycle, { since, through, cut })) {
    const whole = periodOf(cycle, period.from)
    const transition = whole.from !== period.from || whole.to !== period.to
    bills.push(await closePeriod(fin, account, period, { transition, issue }))
  }
  return bills
}

/**
 * What an account used up to a day and is on no bill, or on this draft, also of earlier periods: late usage and what stood on a bill that is void come with the next one.
 */
async function unbilled(
  { tx }: FinContext,
  { id }: CustomerAccount,
  { through, billId = '' }: { through: string; billId?: string },
): Promise<Unbilled[]> {
  const { rows } = await tx.query<Unbilled>(
    sql`select e.id, e.type, e.signed_amount::text as "signedAmount", e.base_amount::text as base, e.direction, e.product, e.bill_id is not null as billed, ${SERVICE_DAY}::text as day,
        u.country_code as "countryCode", u.prefix, u.sub_account as "subAccount", u.price::text as price, u.units
      from fin_ledger_entry e left join fin_usage u on u.posting_id = e.posting_id and u.deleted_at is null
      where e.account_id = ${id} and (e.bill_id is null or e.bill_id = ${billId}) and ${ASKED} and ${SERVICE_DAY} <= ${through}::date
      order by e.account_seq`,
  )
  return rows
}

/** An entry that is on no bill; what its usage was made of where that was entered (`fin.usage`). */
interface Unbilled extends BilledEntry {
  id: string
  base: string
  direction: string
  billed: boolean
  /** When it was used. */
  day: string
  product: string | null
  countryCode: string | null
  prefix: string | null
  subAccount: string | null
  price: string | null
  units: number | null
}

/**
 * Closes a period of a post-paid account with its bill (money 2.4): collects what was used until its end and is on no bill, and rounds the total. The bill is a draft; a
 * cycle with `autoIssue`, and a period without usage, issue it at once. The same period is billed once; one without usage has a bill of 0, so that periods have no gaps.
 */
export async function closePeriod(
  fin: FinContext,
  account: CustomerAccount,
  period: Period,
  { transition = false, issue }: { transition?: boolean; issue: boolean },
): Promise<RecordOf<'fin.bill'>> {
  const [known] = await fin.entities.list('fin.bill', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'periodFrom', operator: 'eq', value: period.from },
      { field: 'status', operator: 'notIn', value: ['void', 'corrected'] },
    ],
    limit: 1,
  })
  if (known) return known
  const { id } = await fin.entities.save('fin.bill', {
    side: 'customer',
    accountId: account.id,
    customerId: account.customerId,
    companyEntityId: account.companyEntityId,
    cycleId: account.record.billCycleId ?? null,
    periodFrom: period.from,
    periodTo: period.to,
    transition,
    currency: account.currency,
    ...{ total: '0', openAmount: '0' },
  })
  return filled(fin, account, { billId: id, period, issue })
}

/**
 * Takes onto a draft whatever is unbilled until the end of its period, and issues it where that is asked or nothing is on it. With traffic in it that is not posted or has no
 * price it says so and stays a draft.
 */
async function filled(
  fin: FinContext,
  account: CustomerAccount,
  { billId, period, issue }: { billId: string; period: Period; issue: boolean },
): Promise<RecordOf<'fin.bill'>> {
  const rows = await unbilled(fin, account, { through: period.to, billId })
  const totals = billTotals(rows, account.currency, (account.record.taxRate as string | null) ?? '0')
  const base = rows.reduce((sum, { base, direction }) => (direction === 'debit' ? sum.plus(base) : sum.minus(base)), new Exact(0))
  const rate = (await ratesOn(fin.tx, [account.currency], period.to)).get(account.currency)!
  const added = new Exact(totals.difference).plus(totals.taxAmount)
  const waitReason = waiting(await openCharges(fin.tx, { side: 'revenue', accountIds: [account.id], through: period.to }))
  await fin.entities.changeMany(
    'fin.bill',
    new Map([
      [
        billId,
        {
          ...{ usageAmount: totals.usageAmount, feeAmount: totals.feeAmount, adjustAmount: totals.adjustAmount },
          ...{ roundingAmount: totals.difference, taxAmount: totals.taxAmount, total: totals.total, waitReason },
          baseTotal: exactText(base.plus(added.times(rate).toDecimalPlaces(6))),
          openAmount: new Exact(totals.total).gt(0) ? totals.total : '0',
        },
      ],
    ]),
  )
  const fresh = rows.flatMap(({ id, billed }) => (billed ? [] : [id]))
  if (fresh.length > 0)
    await fin.tx.query(sql`update fin_ledger_entry set bill_id = ${billId} where id = any(${sql.param(fresh)}::text[])`)
  await writeLines(fin, { billId, rows, account, since: period.from, totals })
  agreeLast(fin.tx, account.id, fin.now)
  if (waitReason === null && (issue || !new Exact(totals.total).gt(0)))
    return fin.entities.transition('fin.bill', billId, 'issue')
  return (await fin.entities.find('fin.bill', billId))!
}

/** What of a bill's traffic is missing, in words; null when nothing is. */
function waiting(open: readonly OpenCharge[]): string | null {
  if (open.length === 0) return null
  const count = (of: (charge: OpenCharge) => number): number => open.reduce((sum, charge) => sum + of(charge), 0)
  const [records, unrated] = [count((charge) => charge.records), count((charge) => charge.unrated)]
  const first = open.map(({ day }) => day).sort()[0]!
  return `自 ${first} 起有 ${records} 条话单未入账（其中 ${unrated} 条无价格） / ${records} records since ${first} are not in the ledger, ${unrated} of them without a price`
}

/** Drafts of an account that waited for traffic, and have all of it now: they take it, and are issued where that is asked or they are an account's last. */
export async function waitingBills(
  fin: FinContext,
  account: CustomerAccount,
  { issue }: { issue: boolean },
): Promise<RecordOf<'fin.bill'>[]> {
  const drafts = await fin.entities.list('fin.bill', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'status', operator: 'in', value: ['draft', 'checking'] },
      { field: 'waitReason', operator: 'notEmpty' },
    ],
    sort: [{ field: 'periodFrom', order: 'asc' }],
    lock: true,
  })
  const done: RecordOf<'fin.bill'>[] = []
  for (const { id, periodFrom, periodTo, transition } of drafts) {
    const period = { from: periodFrom, to: periodTo }
    const bill = await filled(fin, account, { billId: id, period, issue: issue || transition === true })
    if (bill.waitReason === null) done.push(bill)
  }
  return done
}

/**
 * The last bill of an account that has no next one: whatever it used as a post-paid account until a day and is on no bill. Its period begins after the last bill; null when
 * nothing is unbilled, or while a bill reaches to that day already.
 */
export async function finalBill(
  fin: FinContext,
  account: CustomerAccount,
  through: string,
): Promise<RecordOf<'fin.bill'> | null> {
  const rows = await unbilled(fin, account, { through })
  if (rows.length === 0) return null
  const last = await fin.tx.query<{ next: string | null }>(
    sql`select (max(l.period_to) + 1)::text as next from fin_bill l where l.account_id = ${account.id} and l.status not in ('void', 'corrected') and l.deleted_at is null`,
  )
  const from = last.rows[0]?.next ?? rows.map(({ day }) => day).sort()[0]!
  if (from > through) return null
  return closePeriod(fin, account, { from, to: through }, { transition: true, issue: true })
}

/**
 * One line for each kind, product, country, prefix, price and sub-account, and one each for rounding and tax: together they are the total. What was used before the period
 * says its day.
 */
async function writeLines(
  { entities, tx, now }: FinContext,
  {
    billId,
    rows,
    account,
    since,
    totals,
  }: { billId: string; rows: readonly Unbilled[]; account: CustomerAccount; since: string; totals: BillTotals },
): Promise<void> {
  const own = usedProduct(account.record.product)
  const lines = new Map<string, EntityRecord & { amount: Exact; units: number }>()
  for (const { type, product, signedAmount, countryCode, prefix, subAccount, price, units, day } of rows) {
    const serviceDay = day < since ? day : null
    const of = { kind: type, product: product ?? own, countryCode, prefix, subAccount, price, serviceDay }
    const key = JSON.stringify(of)
    const known = lines.get(key) ?? { ...of, amount: new Exact(0), units: 0 }
    lines.set(key, { ...known, amount: known.amount.minus(signedAmount), units: known.units + (units ?? 1) })
  }
  for (const [kind, given] of [
    ['rounding', totals.difference],
    ['tax', totals.taxAmount],
  ] as const) {
    const amount = new Exact(given)
    if (!amount.isZero()) lines.set(kind, { kind, product: own, amount, units: 0 })
  }
  await tx.query(sql`delete from fin_bill_line where bill_id = ${billId}`)
  await entities.insertMany(
    'fin.billLine',
    [...lines.values()].map(({ amount, ...line }) => ({
      ...{ ...line, id: newId(), billId, amount: exactText(amount), currency: account.currency },
      ...{ createdAt: now.toISOString(), createdBy: null },
    })),
  )
}

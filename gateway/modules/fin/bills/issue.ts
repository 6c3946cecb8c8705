import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import { customerAccount, recordOf, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { firstOpenDay, post, reverse } from '../ledger/post'
import { rounding, tax } from '../ledger/rules'
import { agreeLast, positionOf } from './agree'
import { collected, unallocatedOf } from './collections'
import { moveBills } from './paying'
import { coverDebts, payFrom } from './refunds'

/** Days that a bill of the account is due after it was issued: its own, else its cycle's. */
async function termDaysOf(fin: FinContext, { record }: CustomerAccount): Promise<number> {
  if (record.termDays !== null && record.termDays !== undefined) return Number(record.termDays)
  const cycle = record.billCycleId ? await fin.entities.find('fin.billCycle', record.billCycleId) : null
  return Number(cycle?.termDays ?? 15)
}

/**
 * What follows when a bill is issued: rounding and tax are posted, it is dated, and what the account had pays it first (money 8.4: an
 * old balance is consumed first).
 */
export async function billIssued(fin: FinContext, bill: RecordOf<'fin.bill'>): Promise<void> {
  const billId = bill.id
  const account = await customerAccount(fin, bill.accountId ?? '')
  const [roundingAmount, taxAmount] = [bill.roundingAmount ?? '0', bill.taxAmount ?? '0']
  const [total, change] = [new Exact(bill.total), new Exact(roundingAmount).plus(taxAmount)]
  const ends = {
    rounding: rounding(account, roundingAmount, billId),
    tax: tax(account, taxAmount, billId),
  }
  const bizDate = await firstOpenDay(fin.tx, account.companyEntityId, bill.periodTo)
  for (const [type, legs] of Object.entries(ends))
    if (legs.length > 0)
      await post(fin, {
        ...{ type, legs, bizDate, companyEntityId: account.companyEntityId },
        ...(bizDate === bill.periodTo ? {} : { serviceDay: bill.periodTo }),
        ...{ sourceType: 'bill', sourceId: billId, sourceCode: bill.code },
        idemKey: `bill:${billId}:${type}`,
      })
  const today = todayOf(fin, account.record)
  const dated = { waitReason: null, issuedAt: today, dueDate: addDays(today, await termDaysOf(fin, account)) }
  await fin.entities.changeMany('fin.bill', new Map([[billId, dated]]))
  if (!total.gt(0)) await moveBills(fin, new Map([[billId, { total: bill.total, openAmount: '0' }]]))
  else await payFromBefore(fin, { account, bill, posted: change })
  if (total.isNegative())
    await collected(fin, [
      { kind: 'billCredit', account, amount: exactText(total.abs()), postingId: null, document: { billId }, day: today },
    ])
  agreeLast(fin.tx, account.id, fin.now)
}

/**
 * What an account had before its bill settles it: what came in and is on no bill yet, the oldest first. A prepaid account pays what it had used as a post-paid one from its
 * balance.
 */
async function payFromBefore(
  fin: FinContext,
  { account, bill, posted }: { account: CustomerAccount; bill: RecordOf<'fin.bill'>; posted: Exact },
): Promise<void> {
  await coverDebts(fin, account)
  if (account.record.payMode !== 'postpaid') {
    const { balance, free, open, owed } = await positionOf(fin.tx, account.id)
    // what this issue posts is not on the balance yet
    const had = new Exact(balance).minus(posted).plus(open).plus(owed).minus(free)
    const amount = had.gt(open) ? new Exact(open) : had
    if (amount.gt(0))
      await collected(fin, [
        { kind: 'balance', account, amount: exactText(amount), postingId: null, document: {}, day: bill.periodTo },
      ])
  }
  let open = new Exact(bill.total)
  for (const { id, unallocated } of await unallocatedOf(fin, account.id)) {
    if (!open.gt(0)) break
    const rest = await payFrom(fin, account, { collectionId: id, named: [bill.id], only: true })
    open = open.minus(unallocated ?? '0').plus(rest)
  }
}

/**
 * `fin.voidBill`: takes a bill back that nobody has paid: rounding and tax are reversed, and what was on it waits for the next bill of
 * its period. @throws ServiceError 10060059 while money is allocated to it
 */
export async function voidBill(fin: FinContext, given: Given): Promise<RecordOf<'fin.bill'>> {
  const bill = await recordOf(fin, 'fin.bill', given.needed('billId'), { zh: '账单', en: 'bill' })
  const billId = bill.id
  if (new Exact(bill.paidAmount ?? '0').gt(0))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${bill.code} 已有核销，请先撤销核销再作废。`,
        en: `Money is allocated to the bill ${bill.code}. Undo its allocations before it is made void.`,
      },
      data: { field: 'paidAmount', value: bill.paidAmount },
    })
  if (new Exact(bill.total).isNegative()) await creditFalls(fin, bill)
  const { rows } = await fin.tx.query<{ id: string }>(
    sql`select p.id from fin_posting p where p.source_type = 'bill' and p.source_id = ${billId} and p.reverses_id is null and p.deleted_at is null
      and not exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null)`,
  )
  for (const { id } of rows) await reverse(fin, id, bill.code)
  await fin.tx.query(sql`update fin_ledger_entry set bill_id = null where bill_id = ${billId}`)
  if (bill.accountId !== null) agreeLast(fin.tx, bill.accountId, fin.now)
  return bill
}

/** The credit of a bill below 0 goes with it. @throws ServiceError 10060059 while it settles another bill */
async function creditFalls(fin: FinContext, bill: RecordOf<'fin.bill'>): Promise<void> {
  const rows = await fin.entities.list('fin.billRefund', {
    where: [
      { field: 'billId', operator: 'eq', value: bill.id },
      { field: 'kind', operator: 'eq', value: 'billCredit' },
      { field: 'status', operator: 'eq', value: 'posted' },
    ],
    lock: true,
  })
  if (rows.some(({ allocatedAmount }) => new Exact(allocatedAmount ?? '0').gt(0)))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${bill.code} 的贷方余额已核销其他账单或已退出，请先撤销再作废。`,
        en: `The credit of the bill ${bill.code} settles another bill or was paid out. Undo that before it is made void.`,
      },
      data: { field: 'total', value: bill.total },
    })
  await fin.entities.transitions(
    'fin.billRefund',
    rows.map(({ id }) => id),
    'fall',
  )
}

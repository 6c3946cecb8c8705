import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays } from '../../../platform/calendar'
import { cycleId, entityId } from './base'
import { add, instant, issuedOn, monthsBack, type Books, type Side } from './books'
import { creditLine } from './credit'
import { collected, noted, recharged } from './paid'
import { productOf, used } from './usage'

/** A credit line, the bill of last month, and with every third customer the money for it. */
export function billed(
  books: Books,
  {
    row,
    account,
    entity,
    usual,
    index,
    before,
    unbilled,
  }: Side & { usual: Exact; index: number; before: { amount: string; volume: number } | undefined; unbilled: string },
): void {
  const { today, rates } = books
  const [from, next] = [monthsBack(today, 1), monthsBack(today, 0)]
  const to = addDays(next, -1)
  const total = before?.amount ?? exactText(usual.times(30).toDecimalPlaces(2))
  const volume = before?.volume ?? 0
  const { postings, lines } = used(books, { row, account, entity, day: to, amount: total, volume, batch: 'month' })
  const number = String(index + 1).padStart(4, '0')
  const issued = issuedOn(today)
  // two of three have paid; of the others one in five had a short term and is late
  const made = books.rows['fin.bill']?.length ?? 0
  const paid = made % 3 !== 1 && issued < addDays(today, -2)
  const billId = `bl-${row.id}`
  const stamp = { createdAt: instant(issued), createdBy: '' }
  add(books, 'fin.bill', {
    ...stamp,
    ...{
      id: billId,
      code: `ZD${issued.replaceAll('-', '')}${number}`,
      side: 'customer',
      accountId: row.id,
      customerId: row.customerId,
    },
    ...{
      companyEntityId: entityId(entity),
      cycleId: cycleId(index % 3 === 0 ? 'monthly30' : 'monthly15'),
      periodFrom: from,
      periodTo: to,
    },
    ...{
      transition: false,
      currency: account.currency,
      usageAmount: total,
      total,
      openAmount: paid ? '0' : total,
      paidAmount: paid ? total : '0',
    },
    baseTotal: exactText(new Exact(total).times(rates.get(account.currency)!).toDecimalPlaces(6)),
    ...{
      issuedAt: issued,
      dueDate: addDays(issued, made % 15 === 4 ? 9 : made % 15 === 7 ? 15 : 30),
      deferCount: 0,
      status: paid ? 'paid' : 'issued',
    },
    postings,
  })
  for (const [at, line] of lines.entries())
    add(books, 'fin.billLine', { ...stamp, ...line, id: `bn-${row.id}-${at + 1}`, billId })
  creditLine(books, { row, account, entity, usual, index, unbilled })
  const bill = books.rows['fin.bill']!.at(-1)!
  if (issued < addDays(today, -2) && (made === 0 || made % 6 === 1)) {
    const amount = exactText(new Exact(total).dividedBy(paid ? 50 : 20).toDecimalPlaces(2))
    if (new Exact(amount).gt(0)) noted(books, { account, entity, bill, product: productOf(row), amount })
  }
  if (!paid) return
  const day = addDays(today, -2)
  const money = recharged(books, { row, account, entity, amount: total, back: 2 })
  const { id: rechargeId, bankAccountId, bankRef } = books.rows['fin.recharge']!.at(-1)!
  const more = { rechargeId, bankAccountId, bankRef }
  collected(books, { kind: 'collection', account, amount: total, day, postingId: money, allocated: total, more })
  add(books, 'fin.allocation', {
    ...{
      id: `al-${row.id}`,
      postingId: money,
      collectionId: `cl-${money}`,
      accountKind: 'customer',
      accountId: row.id,
      billId,
      amount: total,
      currency: account.currency,
    },
    ...{ rate: rates.get(account.currency), fxDifference: '0', at: instant(day), staffId: null, auto: true, status: 'live' },
    ...{ createdAt: instant(day), createdBy: '' },
  })
}

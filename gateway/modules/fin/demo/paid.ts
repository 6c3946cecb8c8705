import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays, type Day } from '../../../platform/calendar'
import { adjustment, mirrored, payment, priced, receipt } from '../ledger/rules'
import type { EntityRecord } from '../../../entities'
import type { LedgerAccount } from '../ledger/types'
import { bankId, BANKS, entityId } from './base'
import { add, instant, put, type Books, type Head, type Side } from './books'

interface Paying {
  account: LedgerAccount
  entity: string
  index: number
}

/** A payment to a supplier; the first one was made twice, and the second is reversed. */
export function paidOut(books: Books, { account, entity, balance, index }: Paying & { balance: string }): void {
  const own = BANKS.find(([code, currency]) => code === entity && currency === account.currency)
  if (!own) return
  const bank: LedgerAccount = { kind: 'bank', id: bankId(own[0], own[1]), currency: own[1] }
  const amount = exactText(new Exact(balance).dividedBy(4).toDecimalPlaces(0).plus(100))
  const twice = (books.rows['fin.payment'] ?? []).length === 0
  for (const again of twice ? [false, true] : [false]) {
    const day = addDays(books.today, again ? -9 : -2 - (index % 18))
    const number = (books.rows['fin.payment'] ?? []).length + 1
    const [id, code] = [`py-${number}`, `FK${day.replaceAll('-', '')}${String(number).padStart(4, '0')}`]
    const head: Head = { type: 'payment', day, entity, source: ['payment', id, code] }
    const legs = payment({ to: account, amount, bank, bankAmount: amount, fee: '15' })
    const postingId = put(books, head, legs)
    add(books, 'fin.payment', {
      ...{ createdAt: instant(day), createdBy: '', id, code, paymentKind: 'prepayTraffic' },
      ...{ supplierId: account.supplierId, supplierAccountId: account.id, companyEntityId: entityId(entity) },
      ...{ bankAccountId: bank.id, currency: account.currency, bankCurrency: bank.currency, amount, actualFee: '15' },
      ...{ paidAt: day, bankRef: `TP${code.slice(2)}`, status: again ? 'reversed' : 'posted', postingId },
    })
    if (!again) continue
    put(books, { ...head, day: addDays(day, 1), source: ['payment', `${id}-rev`, code] }, mirrored(priced(legs, books.rates)))
    Object.assign(books.postings.at(-1)!, { reversesId: postingId, idemKey: `rev:${postingId}`, memo: '重复付款' })
  }
}

/** Money back to a customer who had more than he needed. */
export function refunded(books: Books, { account, entity, amount, index }: Paying & { amount: string }): void {
  const day = addDays(books.today, -3 - (index % 12))
  const number = (books.rows['fin.billRefund'] ?? []).length + 1
  const [id, code] = [`rf-${account.id}`, `TK${day.replaceAll('-', '')}${String(number).padStart(4, '0')}`]
  const bank: LedgerAccount = { kind: 'bank', id: bankId(entity, account.currency), currency: account.currency }
  const legs = payment({ to: account, amount, bank, bankAmount: amount, fee: '0' })
  const postingId = put(books, { type: 'refund', day, entity, source: ['refund', id, code] }, legs)
  add(books, 'fin.billRefund', {
    ...{ createdAt: instant(day), createdBy: '', id, code, kind: 'refund', accountId: account.id },
    ...{ customerId: account.customerId, amount, currency: account.currency, bankAccountId: bank.id },
    ...{ bankRef: `TR${code.slice(2)}`, paidAt: day, reason: '客户申请退回多余预付款', status: 'posted', postingId },
    ...{ allocatedAmount: '0', unallocated: '0' },
  })
}

interface Came {
  kind: 'collection' | 'creditNote'
  account: LedgerAccount
  amount: string
  day: Day
  postingId: string
  /** Of it on a bill. */
  allocated: string
  more: EntityRecord
}

/** What came in for a post-paid account, and how much of it is on bills. */
export function collected(books: Books, { kind, account, amount, day, postingId, allocated, more }: Came): void {
  const number = (books.rows['fin.billRefund'] ?? []).length + 1
  add(books, 'fin.billRefund', {
    ...{
      createdAt: instant(day),
      createdBy: '',
      id: `cl-${postingId}`,
      kind,
      accountId: account.id,
      customerId: account.customerId,
    },
    ...{
      code: `TK${day.replaceAll('-', '')}${String(number).padStart(4, '0')}`,
      amount,
      currency: account.currency,
      paidAt: day,
    },
    ...{ allocatedAmount: allocated, unallocated: exactText(new Exact(amount).minus(allocated)), status: 'posted', postingId },
    ...more,
  })
}

/** A price that was wrong is taken back by a credit note: on an open bill it settles a part of it, on a paid one it stays with the account. */
export function noted(
  books: Books,
  {
    account,
    entity,
    bill,
    product,
    amount,
  }: { account: LedgerAccount; entity: string; bill: EntityRecord; product: string; amount: string },
): void {
  const day = addDays(books.today, -1)
  const number = (books.rows['fin.adjustment'] ?? []).length + 1
  const [id, code] = [`tz-${number}`, `TZ${day.replaceAll('-', '')}${String(number).padStart(4, '0')}`]
  const head: Head = { type: 'adjustment', day, entity, source: ['creditNote', id, code] }
  const postingId = put(books, head, adjustment('creditNote', account, product, amount))
  const note = '部分国家单价录入错误，按报价单更正'
  const stamp = { createdAt: instant(day), createdBy: '' }
  add(books, 'fin.adjustment', {
    ...{
      ...stamp,
      id,
      code,
      kind: 'creditNote',
      accountId: account.id,
      customerId: account.customerId,
      billId: bill.id,
      product,
    },
    ...{ amount, currency: account.currency, reason: 'price', note, status: 'posted', postingId },
  })
  const open = bill.status === 'issued'
  const more = { adjustmentId: id, billId: bill.id, reason: note }
  collected(books, { kind: 'creditNote', account, amount, day, postingId, allocated: open ? amount : '0', more })
  if (!open) return
  add(books, 'fin.allocation', {
    ...{
      ...stamp,
      id: `al-${id}`,
      postingId,
      collectionId: `cl-${postingId}`,
      accountKind: 'customer',
      accountId: account.id,
      billId: bill.id,
      amount,
    },
    ...{
      currency: account.currency,
      rate: books.rates.get(account.currency),
      fxDifference: '0',
      at: instant(day),
      staffId: null,
    },
    ...{ auto: false, status: 'live' },
  })
  const rest = exactText(new Exact(String(bill.total)).minus(amount))
  Object.assign(bill, { paidAmount: amount, openAmount: rest, status: 'partPaid' })
}

/** Money that came into our bank account, with its document. Answers the posting. */
export function recharged(books: Books, { row, account, entity, amount, back }: Side & { amount: string; back: number }): string {
  const day = addDays(books.today, -back)
  const id = `rc-${row.id}`
  const code = `CZ${day.replaceAll('-', '')}${String((books.rows['fin.recharge']?.length ?? 0) + 1).padStart(4, '0')}`
  const bank = bankId(entity, account.currency)
  const posting = put(
    books,
    { type: 'recharge', day, entity, source: ['recharge', id, code] },
    receipt({
      bank: { kind: 'bank', id: bank, currency: account.currency },
      payAmount: amount,
      bankFee: '0',
      feeBearer: 'us',
      credited: [{ account, amount, takes: amount }],
    }),
  )
  const stamp = { createdAt: instant(day), createdBy: '' }
  add(books, 'fin.recharge', {
    ...stamp,
    ...{ id, code, kind: 'receipt', customerId: row.customerId, companyEntityId: entityId(entity), bankAccountId: bank },
    ...{
      payCurrency: account.currency,
      payAmount: amount,
      bankFee: '0',
      feeBearer: 'us',
      payDate: day,
      bankRef: `TT${code.slice(2)}`,
    },
    ...{ status: 'posted', postingId: posting },
  })
  add(books, 'fin.rechargeLine', {
    ...stamp,
    ...{ id: `rl-${row.id}`, rechargeId: id, position: 1, accountId: row.id, currency: account.currency, amount },
  })
  return posting
}

import type { EntityRecord } from '../../../entities'
import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays } from '../../../platform/calendar'
import { receipt, system } from '../ledger/rules'
import type { LedgerAccount, Leg } from '../ledger/types'
import { bankId, entityId } from './base'
import { add, instant, put, type Books, type Head } from './books'

/** Days ago, payer, amount, bank fee, status: one has waited for two weeks (money 15), one waits for the second person. */
const UNCLAIMED = [
  [14, 'GLOBAL TRADE LINK LTD', '4860.00', '15', 'posted'],
  [6, 'M. OKAFOR', '320.50', '0', 'posted'],
  [1, 'NORTHWIND MOBILE PTE', '12500.00', '25', 'toCheck'],
] as const

interface Came {
  entity: string
  id: string
  code: string
  back: number
  payAmount: string
  bankFee: string
  status: string
}

/** A line of a bank statement: what its document says of it, and its posting where a second person has seen it. */
function cameIn(
  books: Books,
  { back, id, code, entity, payAmount, bankFee, status }: Came,
  of: { bank: LedgerAccount; account: LedgerAccount; amount: string } & Pick<Head, 'type' | 'source'>,
): EntityRecord {
  const day = addDays(books.today, -back)
  const { bank, account, amount, type, source } = of
  const legs: Leg[] = receipt({ bank, payAmount, bankFee, feeBearer: 'us', credited: [{ account, amount, takes: payAmount }] })
  const finance = books.world.staff.filter(({ jobNumber }) => jobNumber === 'S0052' || jobNumber === 'S0053').map((one) => one.id)
  return {
    ...{ createdAt: instant(day), createdBy: '', id, code, bankAccountId: bank.id, companyEntityId: entityId(entity) },
    ...{ bankCurrency: bank.currency, payAmount, bankFee, payDate: day, bankRef: `IN${code.slice(2)}`, status },
    enteredById: finance[0] ?? null,
    ...(status === 'posted'
      ? { checkedById: finance[1] ?? null, postingId: put(books, { type, day, entity, source }, legs) }
      : {}),
  }
}

const numberOf = (books: Books, letters: string, back: number, index: number): string =>
  `${letters}${addDays(books.today, -back).replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`

/** Money of payers whom nobody knows yet. */
export function unclaimedMoney(books: Books): void {
  const bank: LedgerAccount = { kind: 'bank', id: bankId('hk', 'USD'), currency: 'USD' }
  for (const [index, [back, payer, payAmount, bankFee, status]] of UNCLAIMED.entries()) {
    const came = {
      back,
      payAmount,
      bankFee,
      status,
      entity: 'hk',
      id: `ur-${index + 1}`,
      code: numberOf(books, 'DR', back, index),
    }
    const line = cameIn(books, came, {
      ...{ bank, account: system('SUS', bank.currency), amount: payAmount, type: 'suspense' },
      source: ['manual', came.id, came.code],
    })
    const openAmount = status === 'posted' ? payAmount : '0'
    add(books, 'fin.unclaimedReceipt', { ...line, payer, claimedAmount: '0', openAmount })
  }
}

/** What came back of the last payment that was made: the bank of the supplier refused a part of it. */
export function returnedMoney(books: Books): void {
  const paid = (books.rows['fin.payment'] ?? []).filter(({ status }) => status === 'posted').at(-1)
  if (!paid) return
  const [currency, entity] = [String(paid.currency), String(paid.companyEntityId).slice('ce-'.length)]
  const amount = exactText(new Exact(String(paid.amount)).dividedBy(4).toDecimalPlaces(2))
  const account: LedgerAccount = {
    kind: 'supplier',
    id: String(paid.supplierAccountId),
    currency,
    supplierId: String(paid.supplierId),
  }
  const came = {
    back: 1,
    payAmount: amount,
    bankFee: '0',
    status: 'posted',
    entity,
    id: 'pr-1',
    code: numberOf(books, 'FT', 1, 0),
  }
  const line = cameIn(books, came, {
    ...{ bank: { kind: 'bank', id: String(paid.bankAccountId), currency }, account, amount, type: 'paymentRefund' },
    source: ['payment', came.id, came.code],
  })
  const { supplierAccountId, supplierId, id: paymentId } = paid
  add(books, 'fin.paymentRefund', { ...line, supplierAccountId, supplierId, paymentId, currency, amount, note: '收款行退汇' })
  paid.returnedAmount = amount
}

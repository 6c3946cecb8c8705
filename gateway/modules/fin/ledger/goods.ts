import { Exact } from '../../../../src/schema/formats'
import { credit, debit, system } from './rules'
import type { LedgerAccount, Leg } from './types'

/** Stock is kept in CNY (customers-suppliers 10). */
const STOCK = system('STK', 'CNY')
const COST = system('COS:device', 'CNY')
const device = { product: 'device' }

/** What moves between two accounts; what differs in one currency is a difference of cost, across currencies the clearing takes it. */
interface Goods {
  /** In CNY. */
  cost: string
  /** What is owed for it, in the currency of the account. */
  owed: string
  supplier: LedgerAccount
}

const positive = (amount: string): boolean => new Exact(amount).gt(0)

/** Goods that were bought: D STK · C supplier (money 1.3 `purchaseReceipt`). */
export function received({ cost, owed, supplier }: Goods): Leg[] {
  if (supplier.currency === 'CNY') return [debit(STOCK, cost), credit(supplier, owed), ...difference(new Exact(owed).minus(cost))]
  return [
    debit(STOCK, cost),
    credit(system('FXC', 'CNY'), cost),
    debit(system('FXC', supplier.currency), owed),
    credit(supplier, owed),
  ]
}

/** Goods that go back to whom they were bought from: D supplier · C STK (`purchaseReturn`). */
export function sentBack({ cost, owed, supplier }: Goods): Leg[] {
  if (supplier.currency === 'CNY') return [debit(supplier, owed), credit(STOCK, cost), ...difference(new Exact(cost).minus(owed))]
  return [
    debit(supplier, owed),
    credit(system('FXC', supplier.currency), owed),
    debit(system('FXC', 'CNY'), cost),
    credit(STOCK, cost),
  ]
}

/** Positive: a cost that stock does not bear. */
const difference = (rest: Exact): Leg[] =>
  rest.isZero() ? [] : [rest.isNegative() ? credit(COST, rest.abs(), device) : debit(COST, rest, device)]

/** What a customer owes for equipment: D customer · C REV:device (`deviceSale`); nothing for a gift. */
export const sold = (account: LedgerAccount, amount: string): Leg[] =>
  positive(amount) ? [debit(account, amount, device), credit(system('REV:device', account.currency), amount, device)] : []

/** What is not owed any more for equipment that came back: D REV:device · C customer (`deviceReturn`). */
export const takenBack = (account: LedgerAccount, amount: string): Leg[] =>
  positive(amount) ? [debit(system('REV:device', account.currency), amount, device), credit(account, amount, device)] : []

/** Stock that becomes cost: sold, used, lost or scrapped: D COS:device · C STK; negative comes back into stock. */
export function spent(cost: string): Leg[] {
  const amount = new Exact(cost)
  if (amount.isZero()) return []
  return amount.isNegative()
    ? [debit(STOCK, amount.abs()), credit(COST, amount.abs(), device)]
    : [debit(COST, amount, device), credit(STOCK, amount)]
}

/** Stock that was there before the books: D STK · C OPN. */
export const openingStock = (cost: string): Leg[] =>
  positive(cost) ? [debit(STOCK, cost), credit(system('OPN', 'CNY'), cost)] : []

import { currencyDigits, Exact, exactText, roundedText } from '../../../../src/schema/formats'
import type { Direction, LedgerAccount, Leg, PricedLeg, SystemAccount } from './types'

/** Decimals of stored amounts: decimal(18,6). */
const STORED = 6

/** An amount as the ledger stores it: six decimals, half up. */
export const stored = (amount: Exact | string): string => exactText(new Exact(String(amount)).toDecimalPlaces(STORED))
/** Rounded half up to the decimals of a currency. */
export const inCurrency = (amount: Exact | string, currency: string): string =>
  roundedText(new Exact(String(amount)), currencyDigits(currency))

/** The system account of a code in a currency. */
export const system = (id: SystemAccount, currency: string): LedgerAccount => ({ kind: 'system', id, currency })

const leg = (direction: Direction, account: LedgerAccount, amount: Exact | string, more: Partial<Leg> = {}): Leg => ({
  ...more,
  account,
  direction,
  amount: stored(amount),
})
export const debit = (account: LedgerAccount, amount: Exact | string, more?: Partial<Leg>): Leg =>
  leg('debit', account, amount, more)
export const credit = (account: LedgerAccount, amount: Exact | string, more?: Partial<Leg>): Leg =>
  leg('credit', account, amount, more)

const positive = (amount: Exact | string): boolean => new Exact(String(amount)).gt(0)

/** What both sides of a move say: an amount of one currency and, across currencies, that of the other. */
export interface Move {
  from: LedgerAccount
  fromAmount: string
  to: LedgerAccount
  toAmount: string
  atLeast?: string
}

/**
 * D `from` · C `to`; of two currencies through the clearing of conversions, which keeps our position in each: D from X · C FXC X ·
 * D FXC Y · C to Y (money 1.3).
 */
export function moved({ from, fromAmount, to, toAmount, atLeast }: Move): Leg[] {
  const first = debit(from, fromAmount, atLeast === undefined ? {} : { atLeast })
  if (from.currency === to.currency) return [first, credit(to, fromAmount)]
  return [
    first,
    credit(system('FXC', from.currency), fromAmount),
    debit(system('FXC', to.currency), toAmount),
    credit(to, toAmount),
  ]
}

/** Money that came into a bank account, and whom it is credited to (money 1.3 `recharge`, examples L1 and L2). */
export interface ReceiptFacts {
  bank: LedgerAccount
  /** What the payer sent. */
  payAmount: string
  bankFee: string
  /** us: the whole payment is credited and the fee is ours; otherwise what arrived is credited. */
  feeBearer: string
  /** Each with the amount in its own currency, and what it takes of the payment. */
  credited: readonly { account: LedgerAccount; amount: string; takes: string }[]
}

/** What is there to be credited of a payment, in its currency. */
export const creditable = ({
  payAmount,
  bankFee,
  feeBearer,
}: Pick<ReceiptFacts, 'payAmount' | 'bankFee' | 'feeBearer'>): string =>
  feeBearer === 'us' ? payAmount : exactText(new Exact(payAmount).minus(bankFee))

export function receipt(facts: ReceiptFacts): Leg[] {
  const { bank, payAmount, bankFee, feeBearer, credited } = facts
  const ours = feeBearer === 'us' && positive(bankFee)
  const legs = [debit(bank, new Exact(payAmount).minus(bankFee)), ...(ours ? [debit(system('FEE', bank.currency), bankFee)] : [])]
  for (const { account, amount, takes } of credited)
    if (account.currency === bank.currency) legs.push(credit(account, amount))
    else
      legs.push(
        credit(system('FXC', bank.currency), takes),
        debit(system('FXC', account.currency), amount),
        credit(account, amount),
      )
  return legs
}

/** Gift or compensation: D GFT · C account. */
export const gift = (account: LedgerAccount, amount: string): Leg[] => [
  debit(system('GFT', account.currency), amount),
  credit(account, amount),
]

/** A batch of traffic on a customer's account: D account · C REV:{product}. */
export const usage = (account: LedgerAccount, product: string, amount: string): Leg[] => [
  debit(account, amount, { product }),
  credit(system(`REV:${product}`, account.currency), amount, { product }),
]

/** The same batch on the side of the supplier: D COS:{product} · C account. */
export const cost = (account: LedgerAccount, product: string, amount: string): Leg[] => [
  debit(system(`COS:${product}`, account.currency), amount, { product }),
  credit(account, amount, { product }),
]

/** A fee (money 1.3 `fee`): D account · C REV:{product}; an amount below 0 goes back, the other way round. */
export const fee = (account: LedgerAccount, product: string, amount: string): Leg[] =>
  turned(usage(account, product, exactText(new Exact(amount).abs())), amount)

/** What accounts at suppliers of a kind are charged for, as a product of the ledger. */
export const costProduct = (supplierAccountKind: string): string => COST_OF[supplierAccountKind] ?? 'sms'

const COST_OF: Readonly<Record<string, string>> = {
  vos: 'voice',
  number: 'number',
  otp: 'otpSms',
  email: 'mail',
  social: 'whatsapp',
}

/** What a supplier charged otherwise than we counted (money 1.3 `costAdjust`): D COS · C account; an amount below 0 the other way round. */
export function costAdjust(account: LedgerAccount, product: string, amount: string): Leg[] {
  return turned(cost(account, product, exactText(new Exact(amount).abs())), amount)
}

const turned = (legs: Leg[], amount: string): Leg[] =>
  new Exact(amount).isNegative() ? legs.map((one) => ({ ...one, direction: opposite(one.direction) })) : legs

/** Both books of a settlement between two of our entities (money 1.3 `entitySettle`). */
export interface EntitySettleFacts {
  /** Id of the settlement account, whose two sides mirror each other. */
  accountId: string
  currency: string
  product: string
  /** Codes of the entities. */
  seller: string
  buyer: string
  /** What the buyer owes for it; below 0 the seller gives something back. */
  amount: string
}

/** The id by which the ledger knows a side of a settlement account. */
export const entitySideId = (accountId: string, side: 'seller' | 'buyer'): string => `${accountId}:${side}`

/** In the seller's books D entity · C ICS:{buyer}, in the buyer's the mirror: D ICS:{seller} · C entity. */
export function entitySettle(facts: EntitySettleFacts): { seller: Leg[]; buyer: Leg[] } {
  const { accountId, currency, product, seller, buyer } = facts
  const amount = new Exact(facts.amount)
  const side = (which: 'seller' | 'buyer'): LedgerAccount => ({ kind: 'entity', id: entitySideId(accountId, which), currency })
  const move = (from: LedgerAccount, to: LedgerAccount): Leg[] =>
    amount.isNegative()
      ? [debit(to, amount.abs(), { product }), credit(from, amount.abs(), { product })]
      : [debit(from, amount, { product }), credit(to, amount, { product })]
  return {
    seller: move(side('seller'), system(`ICS:${buyer}`, currency)),
    buyer: move(system(`ICS:${seller}`, currency), side('buyer')),
  }
}

/** A payment out of a bank account: to a supplier, back to a customer, or for what a system account collects. */
export interface PaymentFacts {
  /** Who or what is paid. */
  to: LedgerAccount
  amount: string
  bank: LedgerAccount
  /** What the bank took for it, in its currency. */
  bankAmount: string
  /** Fee of the bank on top, in its currency. */
  fee: string
  atLeast?: string
}

/** D payee · C bank ; D FEE · C bank (money 1.3 `payment` and `refund`, example L4). */
export function payment({ to, amount, bank, bankAmount, fee, atLeast }: PaymentFacts): Leg[] {
  return [
    ...moved({ from: to, fromAmount: amount, to: bank, toAmount: bankAmount, ...(atLeast === undefined ? {} : { atLeast }) }),
    ...(positive(fee) ? [debit(system('FEE', bank.currency), fee), credit(bank, fee)] : []),
  ]
}

/** A withdrawal of a terminal vendor (money 1.3 `tvsPayout`): D supplier · C bank of what he gets; D supplier · C FEEI of the fee. */
export function tvsPayout({ to, net, fee, bank, bankAmount }: Omit<PaymentFacts, 'amount'> & { net: string }): Leg[] {
  return [
    ...moved({ from: to, fromAmount: net, to: bank, toAmount: bankAmount }),
    ...(positive(fee) ? [debit(to, fee), credit(system('FEEI', to.currency), fee)] : []),
  ]
}

/** Credit note: D REV · C account; a debit note the other way round. */
export function adjustment(kind: 'creditNote' | 'debitNote', account: LedgerAccount, product: string, amount: string): Leg[] {
  const revenue = system(`REV:${product}`, account.currency)
  return kind === 'creditNote'
    ? [debit(revenue, amount, { product }), credit(account, amount, { product })]
    : [debit(account, amount, { product }), credit(revenue, amount, { product })]
}

/** The balance of an account at a supplier goes to one at another: D new · C old, mirrored when it is negative (money 1.3 `supplierMove`). */
export function supplierMove(from: LedgerAccount, to: LedgerAccount, balance: string): Leg[] {
  const amount = new Exact(balance)
  const [up, down] = amount.isNegative() ? [from, to] : [to, from]
  return [debit(up, amount.abs()), credit(down, amount.abs())]
}

/** Bad debt: D BAD · C account. */
export const writeOff = (account: LedgerAccount, amount: string): Leg[] => [
  debit(system('BAD', account.currency), amount),
  credit(account, amount),
]

/** Cash for a debt that was written off: D account · C BAD. */
export const recovery = (account: LedgerAccount, amount: string): Leg[] => [
  debit(account, amount),
  credit(system('BAD', account.currency), amount),
]

/** What accounts of a customer are used for, as a product of the ledger (dictionary `product`). */
export const usedProduct = (accountProduct: unknown): string =>
  accountProduct === 'otp' ? 'otpSms' : typeof accountProduct === 'string' && accountProduct !== '' ? accountProduct : 'sms'

/** Opening balance at go-live; a negative one is owed to us by a customer, or by us to a supplier. */
export function opening(account: LedgerAccount, balance: string): Leg[] {
  const amount = new Exact(balance)
  const other = system('OPN', account.currency)
  const raises = normalSide(account) === (amount.isNegative() ? 'debit' : 'credit')
  return raises
    ? [debit(other, amount.abs()), credit(account, amount.abs())]
    : [debit(account, amount.abs()), credit(other, amount.abs())]
}

/** What rounding the total of a bill leaves on the account (money 2.4): positive is owed more than used. */
export function rounding(account: LedgerAccount, difference: string, billId: string): Leg[] {
  const amount = new Exact(difference)
  const rest = system('RND', account.currency)
  if (amount.isZero()) return []
  return amount.isNegative()
    ? [debit(rest, amount.abs()), credit(account, amount.abs(), { billId })]
    : [debit(account, amount, { billId }), credit(rest, amount)]
}

/** Output tax of a bill: D account · C TAX. */
export const tax = (account: LedgerAccount, amount: string, billId: string): Leg[] =>
  positive(amount) ? [debit(account, amount, { billId }), credit(system('TAX', account.currency), amount)] : []

/** Both sides of a hedge (money 3): leg 2 is debited in its currency, leg 1 credited in its own, both against the hedge's clearing. */
export interface HedgeFacts {
  code: string
  leg1: LedgerAccount
  leg1Amount: string
  leg2: LedgerAccount
  leg2Amount: string
  /** Borne by side 1, in its currency. */
  fee?: string
}

export function hedge({ code, leg1, leg1Amount, leg2, leg2Amount, fee = '0' }: HedgeFacts): Leg[] {
  const clearing = (currency: string): LedgerAccount => system(`HDG:${code}`, currency)
  return [
    debit(leg2, leg2Amount),
    credit(clearing(leg2.currency), leg2Amount),
    debit(clearing(leg1.currency), leg1Amount),
    credit(leg1, leg1Amount),
    ...(positive(fee) ? [debit(leg1, fee, { type: 'fee' }), credit(system('FEEI', leg1.currency), fee, { type: 'fee' })] : []),
  ]
}

/**
 * The exchange difference that is realised when money meets a bill: only base amounts move. Positive is a loss (money 1.3
 * `fxRealised`, example L7).
 */
export function realised(account: LedgerAccount, difference: string): Leg[] {
  const amount = new Exact(difference)
  if (amount.isZero()) return []
  const base = stored(amount.abs())
  const loss = !amount.isNegative()
  return [
    { account, direction: loss ? 'credit' : 'debit', amount: '0', base },
    { account: system('FXD', 'CNY'), direction: loss ? 'debit' : 'credit', amount: '0', base },
  ]
}

/** The day's value of a balance in the base currency, brought there at the end of a month and back on the next day (L7). */
export function revalued(account: LedgerAccount, balance: string, base: string, rate: string): Leg[] {
  const target = new Exact(balance).times(rate).toDecimalPlaces(STORED)
  const rise = target.minus(base)
  if (rise.isZero()) return []
  const raising = normalSide(account)
  const direction = rise.isNegative() ? opposite(raising) : raising
  const amount = stored(rise.abs())
  return [
    { account, direction, amount: '0', base: amount },
    { account: system('FXD', 'CNY'), direction: opposite(direction), amount: '0', base: amount },
  ]
}

/** Every leg the other way round, with the base amounts of then. */
export const mirrored = (legs: readonly PricedLeg[]): PricedLeg[] =>
  legs.map(({ atLeast: _, ...one }) => ({ ...one, direction: opposite(one.direction) }))

export const opposite = (direction: Direction): Direction => (direction === 'debit' ? 'credit' : 'debit')

const CREDIT_SYSTEM = ['REV', 'FEEI', 'TAX', 'SUS', 'OPN', 'RND']

/** The side on which an account grows (money 1.1): customers and main accounts on the credit side, suppliers, banks and entities on the debit side. */
export function normalSide({ kind, id }: Pick<LedgerAccount, 'kind' | 'id'>): Direction {
  if (kind === 'customer' || kind === 'main') return 'credit'
  if (kind === 'system') return CREDIT_SYSTEM.includes(id.split(':', 1)[0]!) ? 'credit' : 'debit'
  return 'debit'
}

/** By how much a leg changes its account: positive on the normal side. */
export const signed = (side: Pick<Leg, 'account' | 'direction'>, amount: string): Exact =>
  side.direction === normalSide(side.account) ? new Exact(amount) : new Exact(0).minus(amount)

/**
 * Gives every leg its base amount, and closes what conversions leave: the clearing accounts (FXC, HDG) end at base 0, the rest is an
 * exchange difference (I2, I5). In one currency the last leg takes what rounding leaves.
 * @param rates CNY for one unit, by currency
 * @throws Error for legs that do not balance in a currency (I1): no posting may be written of them
 */
export function priced(legs: readonly Leg[], rates: ReadonlyMap<string, string>): PricedLeg[] {
  checkBalance(legs)
  const found = legs.map((one): PricedLeg => {
    const rate = rates.get(one.account.currency)
    if (rate === undefined) throw new Error(`There is no rate for ${one.account.currency}.`)
    return { ...one, rate, base: one.base ?? stored(new Exact(one.amount).times(rate)) }
  })
  for (const currency of new Set(found.map(({ account }) => account.currency))) evenOut(found, currency)
  return [...found, ...clearingRests(found, rates)]
}

function checkBalance(legs: readonly Leg[]): void {
  const sums = new Map<string, Exact>()
  for (const { account, direction, amount } of legs) {
    const sum = sums.get(account.currency) ?? new Exact(0)
    sums.set(account.currency, direction === 'debit' ? sum.plus(amount) : sum.minus(amount))
  }
  for (const [currency, sum] of sums) if (!sum.isZero()) throw new Error(`The legs in ${currency} differ by ${exactText(sum)}.`)
}

/** In one currency the same amounts have the same base amounts; what rounding each leg leaves goes to the last one that moves money. */
function evenOut(legs: PricedLeg[], currency: string): void {
  const own = legs.filter(({ account, amount, base }) => account.currency === currency && !(amount === '0' && base !== '0'))
  const rest = own.reduce((sum, { direction, base }) => (direction === 'debit' ? sum.plus(base) : sum.minus(base)), new Exact(0))
  const last = own.at(-1)
  if (rest.isZero() || !last) return
  last.base = stored(last.direction === 'debit' ? new Exact(last.base).minus(rest) : new Exact(last.base).plus(rest))
}

/** One leg on each clearing account and one on the exchange differences: both move the base amount alone. */
function clearingRests(legs: readonly PricedLeg[], rates: ReadonlyMap<string, string>): PricedLeg[] {
  const rests = new Map<string, { sum: Exact; account: LedgerAccount }>()
  for (const { account, direction, base } of legs) {
    if (account.kind !== 'system' || !/^(?:FXC$|HDG:)/.test(account.id)) continue
    const sum = rests.get(account.id)?.sum ?? new Exact(0)
    rests.set(account.id, { sum: direction === 'debit' ? sum.plus(base) : sum.minus(base), account })
  }
  return [...rests.values()].flatMap(({ sum, account }): PricedLeg[] => {
    if (sum.isZero()) return []
    const direction: Direction = sum.isNegative() ? 'debit' : 'credit'
    const base = stored(sum.abs())
    const type = 'fxRounding'
    return [
      { account, direction, amount: '0', base, rate: rates.get(account.currency) ?? '0', type },
      { account: system('FXD', 'CNY'), direction: opposite(direction), amount: '0', base, rate: '1', type },
    ]
  })
}

/** What may be paid back: neither gifts nor what is frozen, rounded down to the currency (L5, L10). */
export function refundable(
  { balance, gift, frozen }: { balance: string; gift: string; frozen: string },
  currency: string,
): string {
  const free = new Exact(balance).minus(gift).minus(frozen)
  if (!free.gt(0)) return '0'
  return exactText(free.toDecimalPlaces(currencyDigits(currency), 'floor'))
}

/** Gifts are used up last: no more of one is left than the balance (L10). */
export function giftLeft(gift: string, balance: string): string {
  const [left, owned] = [new Exact(gift), new Exact(balance)]
  if (!owned.gt(0)) return '0'
  return exactText(left.gt(owned) ? owned : left)
}

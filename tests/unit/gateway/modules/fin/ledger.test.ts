import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adjustment,
  cost,
  creditable,
  gift,
  giftLeft,
  hedge,
  mirrored,
  moved,
  opening,
  payment,
  priced,
  realised,
  receipt,
  refundable,
  revalued,
  rounding,
  signed,
  usage,
  writeOff,
} from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount, Leg, PricedLeg } from '../../../../../gateway/modules/fin/ledger/types'
import { Exact, exactText } from '../../../../../src/schema/formats'

const account = (kind: LedgerAccount['kind'], id: string, currency: string): LedgerAccount => ({ kind, id, currency })
const A01 = account('customer', 'A01', 'USD')
const A02 = account('customer', 'A02', 'EUR')
const A03 = account('customer', 'A03', 'USD')
const S01 = account('supplier', 'S01', 'EUR')
const USD_BANK = account('bank', 'usd', 'USD')
const EUR_BANK = account('bank', 'eur', 'EUR')
const RATES = new Map([
  ['CNY', '1'],
  ['USD', '7.1'],
  ['EUR', '7.7035'],
])

/** Accounts as the ledger would keep them. */
class Books {
  private readonly amounts = new Map<string, Exact>()
  private readonly bases = new Map<string, Exact>()

  post(legs: readonly Leg[], rates: ReadonlyMap<string, string> = RATES): PricedLeg[] {
    const written = priced(legs, rates)
    for (const leg of written) {
      const key = `${leg.account.kind} ${leg.account.id} ${leg.account.currency}`
      this.amounts.set(key, (this.amounts.get(key) ?? new Exact(0)).plus(signed(leg, leg.amount)))
      this.bases.set(key, (this.bases.get(key) ?? new Exact(0)).plus(signed(leg, leg.base)))
    }
    return written
  }

  balance = ({ kind, id, currency }: LedgerAccount): string =>
    exactText(this.amounts.get(`${kind} ${id} ${currency}`) ?? new Exact(0))
  base = ({ kind, id, currency }: LedgerAccount): string => exactText(this.bases.get(`${kind} ${id} ${currency}`) ?? new Exact(0))
  system = (code: string, currency: string): string => this.balance(account('system', code, currency))
  /** Of an account over all its currencies. */
  baseOf = (code: string): string =>
    exactText(
      [...this.bases].filter(([key]) => key.startsWith(`system ${code} `)).reduce((sum, [, one]) => sum.plus(one), new Exact(0)),
    )
}

const books = (): Books => new Books()
const balanced = (legs: readonly PricedLeg[]): void => {
  const sides = (pick: (leg: PricedLeg) => string, currency?: string): string =>
    exactText(
      legs
        .filter((leg) => currency === undefined || leg.account.currency === currency)
        .reduce((sum, leg) => (leg.direction === 'debit' ? sum.plus(pick(leg)) : sum.minus(pick(leg))), new Exact(0)),
    )
  for (const currency of new Set(legs.map((leg) => leg.account.currency))) expect(sides((leg) => leg.amount, currency)).toBe('0')
  expect(sides((leg) => leg.base)).toBe('0')
}
const received = {
  bank: USD_BANK,
  payAmount: '10000',
  bankFee: '25',
  feeBearer: 'us',
  credited: [{ account: A01, amount: '10000', takes: '10000' }],
}

describe('the posting rules with their worked examples (money 1.6)', () => {
  it('L1: a recharge of 10,000.00 USD with a fee of ours', () => {
    const own = books()
    balanced(own.post(receipt(received)))
    expect([own.balance(A01), own.balance(USD_BANK), own.system('FEE', 'USD')]).toEqual(['10000', '9975', '25'])
  })

  it('a fee that the payer bears is not credited', () => {
    const payer = { payAmount: '10000', bankFee: '25', feeBearer: 'payer' }
    expect(creditable(payer)).toBe('9975')
    const own = books()
    balanced(own.post(receipt({ ...received, ...payer, credited: [{ account: A01, amount: '9975', takes: '9975' }] })))
    expect([own.balance(A01), own.balance(USD_BANK), own.system('FEE', 'USD')]).toEqual(['9975', '9975', '0'])
  })

  it('L2: across currencies the clearing account ends at base 0, and the rest is an exchange difference', () => {
    const own = books()
    const credited = [{ account: A02, amount: '9216.59', takes: '10000' }]
    const legs = own.post(receipt({ bank: USD_BANK, payAmount: '10000', bankFee: '0', feeBearer: 'us', credited }))
    balanced(legs)
    expect(legs.map(({ account: { id, currency }, direction, amount, base }) => [direction, id, currency, amount, base])).toEqual(
      [
        ['debit', 'usd', 'USD', '10000', '71000'],
        ['credit', 'FXC', 'USD', '10000', '71000'],
        ['debit', 'FXC', 'EUR', '9216.59', '71000.001065'],
        ['credit', 'A02', 'EUR', '9216.59', '71000.001065'],
        ['credit', 'FXC', 'EUR', '0', '0.001065'],
        ['debit', 'FXD', 'CNY', '0', '0.001065'],
      ],
    )
    expect([own.balance(A02), own.baseOf('FXC')]).toEqual(['9216.59', '0'])
  })

  it('L3: a batch of 1,234 segments on both sides, and its profit', () => {
    const own = books()
    own.post(opening(A01, '10000'))
    own.post(opening(S01, '500'))
    const sold = exactText(new Exact('1234').times('0.0345'))
    const bought = exactText(new Exact('1234').times('0.021'))
    expect([sold, bought]).toEqual(['42.573', '25.914'])
    balanced(own.post(usage(A01, 'sms', sold)))
    balanced(own.post(cost(S01, 'sms', bought)))
    expect([own.balance(A01), own.balance(S01)]).toEqual(['9957.427', '474.086'])
    const profit = new Exact(own.base(account('system', 'REV:sms', 'USD'))).minus(own.base(account('system', 'COS:sms', 'EUR')))
    expect(exactText(profit)).toBe('102.639801')
  })

  it('L4: a payment of 5,000.00 EUR to a supplier, with a fee on top', () => {
    const own = books()
    own.post(opening(S01, '474.086'))
    balanced(own.post(payment({ to: S01, amount: '5000', bank: EUR_BANK, bankAmount: '5000', fee: '15' })))
    expect([own.balance(S01), own.balance(EUR_BANK), own.system('FEE', 'EUR')]).toEqual(['5474.086', '-5015', '15'])
  })

  it('L5: of 957.427 only 957.42 is paid back, and the rest stays', () => {
    const own = books()
    own.post(opening(A01, '9957.427'))
    expect(refundable({ balance: '957.427', gift: '0', frozen: '0' }, 'USD')).toBe('957.42')
    balanced(own.post(payment({ to: A01, amount: '957.42', bank: USD_BANK, bankAmount: '957.42', fee: '0' })))
    expect(own.balance(A01)).toBe('9000.007')
  })

  it('L6: what rounding a bill leaves goes to the rounding account', () => {
    const own = books()
    own.post(usage(A03, 'otp', '10000.004321'))
    balanced(own.post(rounding(A03, '-0.004321', 'b1')))
    expect([own.balance(A03), own.system('RND', 'USD')]).toEqual(['-10000', '-0.004321'])
  })

  it('L7: revaluation and its reversal, and the loss that is realised when the bill is paid', () => {
    const own = books()
    own.post(usage(A03, 'otp', '10000'))
    const up = own.post(revalued(A03, '-10000', own.base(A03), '7.12'))
    expect(own.base(A03)).toBe('-71200')
    own.post(mirrored(up))
    expect(own.base(A03)).toBe('-71000')
    const april = new Map([...RATES, ['USD', '7.05'] as const])
    own.post(receipt({ ...received, bankFee: '0', credited: [{ account: A03, amount: '10000', takes: '10000' }] }), april)
    balanced(own.post(realised(A03, '500')))
    expect([own.balance(A03), own.base(A03), own.base(account('system', 'FXD', 'CNY'))]).toEqual(['0', '0', '500'])
  })

  it('L8: a credit note on a paid bill is a prepayment', () => {
    const own = books()
    balanced(own.post(adjustment('creditNote', A03, 'otp', '120.50')))
    expect(own.balance(A03)).toBe('120.5')
    balanced(own.post(adjustment('debitNote', A03, 'otp', '120.50')))
    expect(own.balance(A03)).toBe('0')
  })

  it('L9: a reversal mirrors every leg of L1', () => {
    const own = books()
    const legs = own.post(receipt(received))
    own.post(usage(A01, 'sms', '999.993'))
    balanced(own.post(mirrored(legs)))
    expect([own.balance(A01), own.balance(USD_BANK), own.system('FEE', 'USD')]).toEqual(['-999.993', '0', '0'])
  })

  it('L10: a gift is used up last and never paid back', () => {
    const own = books()
    own.post(opening(A01, '100'))
    balanced(own.post(gift(A01, '50')))
    own.post(usage(A01, 'sms', '30'))
    expect(giftLeft('50', own.balance(A01))).toBe('50')
    expect(refundable({ balance: own.balance(A01), gift: '50', frozen: '10' }, 'USD')).toBe('60')
    own.post(usage(A01, 'sms', '90'))
    expect(giftLeft('50', own.balance(A01))).toBe('30')
    expect(refundable({ balance: own.balance(A01), gift: '30', frozen: '0' }, 'USD')).toBe('0')
  })

  it('a write-off takes what a customer owes off him', () => {
    const own = books()
    own.post(usage(A03, 'otp', '88.8'))
    balanced(own.post(writeOff(A03, '88.8')))
    expect([own.balance(A03), own.system('BAD', 'USD')]).toEqual(['0', '88.8'])
  })
})

describe('the three-party hedge with its worked examples (money 3)', () => {
  const C = account('customer', 'C', 'USD')
  const S = account('supplier', 'S', 'EUR')

  it('H1: both debts, the clearing at base 0, the gain and the fee', () => {
    const own = books()
    own.post(opening(C, '-12000'))
    own.post(opening(S, '-10000'))
    const legs = own.post(hedge({ code: 'DC1', leg1: C, leg1Amount: '10800', leg2: S, leg2Amount: '10000', fee: '54' }))
    balanced(legs)
    expect([own.balance(S), own.balance(C)]).toEqual(['0', '-1254'])
    expect([own.system('HDG:DC1', 'EUR'), own.system('HDG:DC1', 'USD'), own.baseOf('HDG:DC1')]).toEqual(['-10000', '10800', '0'])
    expect(own.base(account('system', 'FXD', 'CNY'))).toBe('-355')
    expect(own.base(account('system', 'FEEI', 'USD'))).toBe('383.4')
  })

  it('H2: netting with one party in one currency, and H3: one customer pays for another', () => {
    const [own, X, sameX] = [books(), account('customer', 'X', 'USD'), account('supplier', 'X', 'USD')]
    own.post(opening(X, '-8300'))
    own.post(opening(sameX, '-5000'))
    balanced(own.post(hedge({ code: 'DC2', leg1: X, leg1Amount: '5000', leg2: sameX, leg2Amount: '5000' })))
    expect([own.balance(X), own.balance(sameX), own.system('HDG:DC2', 'USD')]).toEqual(['-3300', '0', '0'])
    const [a, b] = [account('customer', 'a', 'EUR'), account('customer', 'b', 'EUR')]
    own.post(opening(a, '4000'))
    balanced(own.post(hedge({ code: 'DC3', leg1: b, leg1Amount: '2500', leg2: a, leg2Amount: '2500' })))
    expect([own.balance(a), own.balance(b)]).toEqual(['1500', '2500'])
  })

  it('H4: the reversal opens both debts again', () => {
    const own = books()
    own.post(opening(C, '-12000'))
    own.post(opening(S, '-10000'))
    const legs = own.post(hedge({ code: 'DC4', leg1: C, leg1Amount: '10800', leg2: S, leg2Amount: '10000', fee: '54' }))
    balanced(own.post(mirrored(legs)))
    expect([own.balance(S), own.balance(C), own.baseOf('HDG:DC4')]).toEqual(['-10000', '-12000', '0'])
  })
})

describe('every posting', () => {
  it('I1, I2, I5: balances by currency and in the base currency, whatever the amounts and rates', () => {
    const amount = fc
      .bigInt({ min: 1n, max: 10n ** 15n })
      .map((cents) => exactText(new Exact(String(cents)).dividedBy(1_000_000)))
    const rate = fc.integer({ min: 1, max: 2_000_000_000 }).map((number) => exactText(new Exact(number).dividedBy(100_000_000)))
    fc.assert(
      fc.property(amount, amount, amount, rate, rate, (first, second, fee, usd, eur) => {
        const own = books()
        const rates = new Map([
          ['CNY', '1'],
          ['USD', usd],
          ['EUR', eur],
        ])
        balanced(own.post(moved({ from: A01, fromAmount: first, to: A02, toAmount: second }), rates))
        balanced(own.post(payment({ to: S01, amount: first, bank: USD_BANK, bankAmount: second, fee }), rates))
        balanced(own.post(hedge({ code: 'P', leg1: A01, leg1Amount: first, leg2: S01, leg2Amount: second, fee }), rates))
        expect([own.baseOf('FXC'), own.baseOf('HDG:P')]).toEqual(['0', '0'])
      }),
      { numRuns: 300 },
    )
  })

  it('is not written when a currency differs', () => {
    expect(() => priced([{ account: A01, direction: 'debit', amount: '1' }], RATES)).toThrow('The legs in USD differ by 1.')
  })
})

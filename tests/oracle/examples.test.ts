import Decimal from 'decimal.js'
import { describe, expect, it } from 'vitest'
import { creditOf, type CreditFacts } from './credit'
import { billedSeconds, callAmount, firstMonthFee, rateOf, releaseRefund, segments } from './rating'
import { play, type Books } from './reckon'
import type { Account, Act, Company, Rate } from './model'

/** The worked examples of the guides, out of the functions that reckon the play. */

const DAY = '2026-03-02T12:00:00.000Z'

function account(
  code: string,
  currency: Account['currency'],
  mode: Account['mode'] = 'prepaid',
  more: Partial<Account> = {},
): Account {
  const cycle = mode === 'postpaid' ? 'monthly' : undefined
  return { code, customer: 'X', entity: 'E', product: 'sms', currency, zone: 'Asia/Shanghai', mode, cycle, ...more }
}

function company(more: Partial<Company> = {}): Company {
  return {
    entities: ['E'],
    decimals: { USD: 2, EUR: 2, CNY: 2, JPY: 0 },
    cycles: {
      weekly: { termDays: 7, waitHours: 72 },
      halfMonth: { termDays: 15, waitHours: 72 },
      monthly: { termDays: 30, waitHours: 72 },
    },
    exchange: { USD: [['2026-01-01', '7.1000']], EUR: [['2026-01-01', '7.7035']], JPY: [['2026-01-01', '0.0480']] },
    customers: ['X'],
    mains: [],
    accounts: [account('A01', 'USD'), account('A02', 'EUR'), account('A03', 'USD', 'postpaid'), account('A04', 'USD')],
    suppliers: [{ code: 'S01', entity: 'E', kind: 'sms', currency: 'EUR', zone: 'Asia/Shanghai' }],
    routes: [],
    banks: [
      { code: 'USD', entity: 'E', currency: 'USD', opening: '0' },
      { code: 'EUR', entity: 'E', currency: 'EUR', opening: '0' },
    ],
    rates: [],
    ...more,
  }
}

const balance = (books: Books, code: string, what: 'amount' | 'base' = 'amount'): string => {
  const supplier = books.company.suppliers.some((one) => one.code === code)
  const sum = books.ledger.net((entry) => entry.account === code, what)
  return (supplier ? sum : sum.neg()).toFixed()
}
const system = (books: Books, code: string, what: 'amount' | 'base' = 'amount'): string =>
  books.ledger.net((entry) => entry.kind === 'system' && entry.account === code, what).toFixed()
const run = (acts: Act[], where = company()): Books => play(where, acts, '2026-03-01')

const L1: Act = { act: 'receipt', at: DAY, id: 'L1', to: 'A01', bank: 'USD', paid: '10000.00', fee: '25.00', bearer: 'us' }

describe('ledger, money 1.6', () => {
  it('L1: a receipt whose fee is ours', () => {
    const books = run([L1])
    expect([balance(books, 'A01'), balance(books, 'USD'), system(books, 'FEE')]).toEqual(['10000', '-9975', '25'])
  })

  it('L2: a receipt in another currency leaves the conversion at base 0', () => {
    const books = run([{ act: 'receipt', at: DAY, id: 'L2', to: 'A02', bank: 'USD', paid: '10000.00', rate: '0.921659' }])
    expect(balance(books, 'A02')).toBe('9216.59')
    expect([system(books, 'FXC', 'base'), system(books, 'FXD', 'base')]).toEqual(['0', '0.001065'])
  })

  it('L3: a batch of usage and its cost', () => {
    const rates: Rate[] = [
      { party: 'A01', product: 'sms', country: 'US', price: '0.0345', mode: 'submit', from: '2026-01-01T00:00:00Z' },
      { party: 'S01', product: 'sms', country: 'US', price: '0.021', mode: 'sent', from: '2026-01-01T00:00:00Z' },
    ]
    const books = run(
      [
        L1,
        {
          act: 'sms',
          at: DAY,
          id: 'm',
          account: 'A01',
          first: DAY,
          every: 1,
          count: 1234,
          country: 'US',
          to: '+1',
          text: 'a',
          state: 'delivered',
          tries: [['c', 'delivered', 0]],
        },
        { act: 'jobs', at: DAY, run: ['usage'] },
      ],
      company({ rates, routes: [{ code: 'c', supplier: 'S01', kind: 'channel' }] }),
    )
    expect([balance(books, 'A01'), balance(books, 'S01')]).toEqual(['9957.427', '-25.914'])
    const profit = books.ledger.net((entry) => /^(REV|COS):sms$/.test(entry.account), 'base').neg()
    expect(profit.toFixed()).toBe('102.639801')
  })

  it('L4: a payment to a supplier with its fee', () => {
    const books = run([{ act: 'payment', at: DAY, id: 'L4', supplier: 'S01', bank: 'EUR', amount: '5000.00', fee: '15.00' }])
    expect([balance(books, 'S01'), balance(books, 'EUR'), system(books, 'FEE')]).toEqual(['5000', '5015', '15'])
  })

  it('L5: a refund', () => {
    const books = run([L1, { act: 'refund', at: DAY, id: 'L5', from: 'A01', bank: 'USD', amount: '957.42' }])
    expect(balance(books, 'A01')).toBe('9042.58')
  })

  it('L6, L7: a bill is rounded; what the rates did is realised when it is paid', () => {
    const exchange: Company['exchange'] = {
      ...company().exchange,
      USD: [
        ['2026-03-01', '7.1000'],
        ['2026-03-31', '7.1200'],
        ['2026-04-01', '7.1000'],
        ['2026-04-08', '7.0500'],
      ],
    }
    const acts = (price: string): Act[] => [
      { act: 'usage', at: DAY, id: 'u', account: 'A03', day: '2026-03-02', product: 'sms', country: 'US', units: 1, price },
      { act: 'jobs', at: '2026-04-01T12:00:00.000Z', run: ['revalue'] },
      { act: 'jobs', at: '2026-04-04T12:00:00.000Z', run: ['bills'] },
    ]
    const issued = run(acts('10000.004321'), company({ exchange }))
    expect(issued.bills.live('A03:2026-03-01').total.toFixed()).toBe('10000')
    expect([balance(issued, 'A03'), system(issued, 'RND')]).toEqual(['-10000', '0.004321'])
    expect(issued.revaluations['2026-03']?.A03?.toDecimalPlaces(2).toFixed()).toBe('200')
    const receipt: Act = { act: 'receipt', at: '2026-04-08T12:00:00.000Z', id: 'r', to: 'A03', bank: 'USD', paid: '10000.00' }
    const paid = run([...acts('10000'), receipt], company({ exchange }))
    expect([balance(paid, 'A03'), balance(paid, 'A03', 'base'), system(paid, 'FXD', 'base')]).toEqual(['0', '0', '500'])
    expect(paid.bills.status(paid.bills.live('A03:2026-03-01'))).toBe('paid')

    // L8: a credit note on the paid bill is a prepayment of the next.
    const note: Act = {
      act: 'creditNote',
      at: '2026-04-09T12:00:00.000Z',
      id: 'n',
      account: 'A03',
      product: 'sms',
      amount: '120.50',
      bill: 'A03:2026-03-01',
    }
    const noted = run([...acts('10000'), receipt, note], company({ exchange }))
    expect(balance(noted, 'A03')).toBe('120.5')
    expect(noted.bills.credits.at(-1)?.left.toFixed()).toBe('120.5')
    expect(noted.bills.unbilled('A03')).toEqual([])
  })

  it('L9: a reversal mirrors every leg', () => {
    const usage: Act = {
      act: 'usage',
      at: DAY,
      id: 'u',
      account: 'A01',
      day: '2026-03-02',
      product: 'sms',
      country: 'US',
      units: 1,
      price: '999.993',
    }
    const books = run([L1, usage, { act: 'reverse', at: DAY, of: 'L1' }, { ...L1, id: 'L9', to: 'A04' }])
    expect([balance(books, 'A01'), balance(books, 'A04'), system(books, 'FEE')]).toEqual(['-999.993', '10000', '25'])
  })

  it('L10: a gift is consumed last and is not given back', () => {
    const facts: CreditFacts = {
      balance: new Decimal(20),
      unposted: new Decimal(0),
      frozen: new Decimal(0),
      limit: new Decimal(0),
      gift: new Decimal(50),
      bills: [],
      today: '2026-03-02',
      graceDays: 7,
      decimals: 2,
    }
    expect(creditOf(facts).refundable.toFixed()).toBe('0')
    expect(creditOf({ ...facts, balance: new Decimal(80), frozen: new Decimal(5) }).refundable.toFixed()).toBe('25')
  })
})

describe('credit and bills, money 2', () => {
  it('C2: usage of the limit, and a bill that is too late', () => {
    const facts: CreditFacts = {
      balance: new Decimal(-44_100),
      unposted: new Decimal(1050),
      frozen: new Decimal(0),
      limit: new Decimal(50_000),
      gift: new Decimal(0),
      bills: [{ open: new Decimal(20_000), due: '2026-11-05' }],
      today: '2026-11-04',
      graceDays: 7,
      decimals: 2,
    }
    const before = creditOf(facts)
    expect([before.used.toFixed(), before.usagePct?.toFixed(1), before.available.toFixed()]).toEqual(['45150', '90.3', '4850'])
    expect([before.stage, creditOf({ ...facts, today: '2026-11-13' }).stage]).toEqual(['urgent', 'stop'])
    const bills = facts.bills.map((bill) => ({ ...bill, deferredTo: '2026-11-20' }))
    expect(creditOf({ ...facts, bills, today: '2026-11-13' }).stage).toBe('urgent')
    expect(creditOf({ ...facts, bills, today: '2026-11-28' }).stage).toBe('stop')
  })

  it('B1: usage, fees and a note on one bill, partly paid', () => {
    const where = company({
      accounts: [account('A03', 'USD', 'postpaid', { cycle: 'halfMonth', zone: 'Asia/Kolkata', product: 'number' })],
      suppliers: [{ code: 'S01', entity: 'E', kind: 'number', currency: 'EUR', zone: 'Asia/Kolkata' }],
    })
    const books = run(
      [
        {
          act: 'usage',
          at: DAY,
          id: 'u',
          account: 'A03',
          day: '2026-03-02',
          product: 'sms',
          country: 'US',
          units: 1,
          price: '4812.3377',
        },
        {
          act: 'number',
          at: DAY,
          id: 'n',
          account: 'A03',
          supplier: 'S01',
          country: 'DE',
          nrc: '35',
          mrc: '0',
          costNrc: '0',
          costMrc: '0',
        },
        { act: 'creditNote', at: DAY, id: 'c', account: 'A03', product: 'sms', amount: '12.00' },
        { act: 'jobs', at: '2026-03-18T18:00:00.000Z', run: ['fees', 'bills'] },
        { act: 'jobs', at: '2026-03-19T12:00:00.000Z', run: ['fees', 'bills'] },
        { act: 'receipt', at: '2026-04-01T12:00:00.000Z', id: 'r', to: 'A03', bank: 'USD', paid: '3000.00' },
      ],
      where,
    )
    const bill = books.bills.live('A03:2026-03-01')
    expect([bill.to, bill.issued, bill.due]).toEqual(['2026-03-15', '2026-03-19', '2026-04-03'])
    expect([bill.usage, bill.fee, bill.adjustment, bill.total].map((amount) => amount.toFixed())).toEqual([
      '4812.3377',
      '35',
      '-12',
      '4835.34',
    ])
    expect(bill.rounding.toFixed()).toBe('0.0023')
    expect([books.bills.status(bill), books.bills.open(bill).toFixed()]).toEqual(['partPaid', '1835.34'])
  })
})

describe('rating, quotes-traffic 5', () => {
  it('5.2: network, then country; the longest prefix', () => {
    const row = (price: string, more: Partial<Rate>): Rate => ({
      party: 'A',
      product: 'sms',
      price,
      from: '2026-01-01T00:00:00Z',
      ...more,
    })
    const rates = [
      row('0.0080', { country: 'US' }),
      row('0.0095', { country: 'US', network: '310260' }),
      row('0.0100', { country: 'US', network: '310260', from: '2026-12-01T00:00:00.000Z' }),
      row('0.0032', { country: 'IN', network: '40410' }),
      row('0.0110', { product: 'voice', prefix: '44' }),
      row('0.0260', { product: 'voice', prefix: '447' }),
      row('0.0900', { product: 'voice', prefix: '4470' }),
    ]
    const sms = (network: string, country: string, at = '2026-11-30T23:59:59.999Z'): string | undefined =>
      rateOf(rates, { party: 'A', product: 'sms', country, network, at: Date.parse(at) })?.price
    const voice = (callee: string): string | undefined =>
      rateOf(rates, { party: 'A', product: 'voice', callee, at: Date.parse(DAY) })?.price
    expect([sms('310260', 'US'), sms('310410', 'US'), sms('40445', 'IN')]).toEqual(['0.0095', '0.0080', undefined])
    expect(sms('310260', 'US', '2026-12-01T00:00:00.000Z')).toBe('0.0100')
    expect([voice('442079460000'), voice('447400123456'), voice('447012345678')]).toEqual(['0.0110', '0.0260', '0.0900'])
  })

  it('2.4: the row of the channel, then a row without one, never that of another channel', () => {
    const row = (price: string, route?: string): Rate => ({
      party: 'S',
      route,
      product: 'sms',
      country: 'US',
      price,
      from: '2026-01-01T00:00:00Z',
    })
    const at = Date.parse(DAY)
    const cost = (rates: Rate[], route: string): string | undefined =>
      rateOf(rates, { party: 'S', route, product: 'sms', country: 'US', at })?.price
    expect(cost([row('1', 'a'), row('2', 'b'), row('3')], 'b')).toBe('2')
    expect(cost([row('1', 'a'), row('3')], 'b')).toBe('3')
    expect(cost([row('1', 'a')], 'b')).toBeUndefined()
  })

  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    [`${'a'.repeat(158)}€`, 1],
    [`${'a'.repeat(159)}€`, 2],
    ['{'.repeat(80), 1],
    ['{'.repeat(81), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['验'.repeat(70), 1],
    ['验'.repeat(71), 2],
    ['验'.repeat(134), 2],
    ['验'.repeat(135), 3],
    [`${'验'.repeat(68)}😀`, 1],
    [`${'验'.repeat(69)}😀`, 2],
    [`${'验'.repeat(66)}😀${'验'.repeat(66)}`, 3],
    ['Your code is 482913’', 1],
  ])('5.3: segments of a text (%#)', (text, parts) => {
    expect(segments(text)).toBe(parts)
  })

  it.each([
    ['submit', 'sent', '90', '70.56'],
    ['sent', 'sent', '88.2', '70.56'],
    ['delivered', 'sent', '81', '70.56'],
    ['deliveredUnknown', 'delivered', '83.7', '64.8'],
  ] as const)('E1: price by %s, cost by %s', (mode, costMode, revenue, cost) => {
    const rates: Rate[] = [
      { party: 'A01', product: 'sms', country: 'US', price: '0.0450', mode, from: '2026-01-01T00:00:00Z' },
      { party: 'S01', product: 'sms', country: 'US', price: '0.0360', mode: costMode, from: '2026-01-01T00:00:00Z' },
    ]
    const batch = (
      id: string,
      count: number,
      state: 'delivered' | 'failed' | 'unknown' | 'expired' | 'rejected',
      sent = true,
    ): Act => ({
      act: 'sms',
      at: DAY,
      id,
      account: 'A01',
      first: DAY,
      every: 1,
      count,
      country: 'US',
      to: '+1',
      text: 'a'.repeat(161),
      state,
      tries: sent ? [['c', state, 0]] : [],
    })
    const books = run(
      [
        batch('d', 900, 'delivered'),
        batch('f', 50, 'failed'),
        batch('u', 30, 'unknown'),
        batch('e', 20, 'expired', false),
        batch('r', 20, 'rejected', false),
      ],
      company({ rates, routes: [{ code: 'c', supplier: 'S01', kind: 'channel' }] }),
    )
    const all = [...books.records.all.values()]
    const sum = (amounts: (Decimal | null)[]): string =>
      amounts.reduce<Decimal>((total, one) => total.plus(one ?? 0), new Decimal(0)).toFixed()
    expect(sum(all.map((record) => record.revenue))).toBe(revenue)
    expect(sum(all.flatMap((record) => record.tries.map((one) => one.cost)))).toBe(cost)
  })

  it.each([
    ['0.0125', 61_000, 60, 60, 120, '0.025'],
    ['0.0125', 61_000, 6, 6, 66, '0.01375'],
    ['0.0125', 61_000, 1, 1, 61, '0.012708'],
    ['0.0125', 30_000, 30, 6, 30, '0.00625'],
    ['0.0125', 31_000, 30, 6, 36, '0.0075'],
    ['0.0260', 125_000, 60, 1, 125, '0.054167'],
    ['0.0260', 125_000, 60, 60, 180, '0.078'],
    ['0.012345', 30_000, 1, 1, 30, '0.006173'],
    ['0.0115', 37_000, 1, 1, 37, '0.007092'],
    ['0.0125', 0, 60, 60, 0, '0'],
    ['0.0125', 60_001, 60, 60, 120, '0.025'],
  ] as const)('5.5: %s a minute, %i ms by %i/%i', (price, ms, first, next, seconds, amount) => {
    expect(billedSeconds(ms, [first, next, 0])).toBe(seconds)
    expect(callAmount(price, seconds).toFixed()).toBe(amount)
  })

  it('5.6: the first month of a number, and its release', () => {
    const first = [
      ['5.00', '2026-04-11', '3.3333'],
      ['1.20', '2027-02-15', '0.6'],
      ['5.00', '2026-01-31', '0.1613'],
      ['5.00', '2026-03-15', '2.7419'],
    ] as const
    for (const [mrc, day, fee] of first) expect(firstMonthFee(mrc, day).toFixed()).toBe(fee)
    expect(releaseRefund('5.00', '2026-04-20').toFixed()).toBe('1.6667')
  })

  it('E2: WhatsApp by category and window', () => {
    const row = (category: string, price: string): Rate => ({
      party: 'A01',
      product: 'whatsapp',
      country: 'IN',
      category,
      price,
      from: '2026-01-01T00:00:00Z',
    })
    const rates = [
      row('marketing', '0.0120'),
      row('utility', '0.0020'),
      row('authentication', '0.0020'),
      row('authenticationInternational', '0.0300'),
    ]
    const batch = (
      id: string,
      count: number,
      category: string,
      state: 'delivered' | 'failed',
      more: { window?: boolean; business?: string } = {},
    ): Act => ({
      act: 'whatsapp',
      at: DAY,
      id,
      account: 'A01',
      first: DAY,
      every: 1,
      count,
      country: 'IN',
      to: '+91',
      category,
      state,
      supplier: 'S01',
      ...more,
    })
    const acts = [
      batch('m', 940, 'marketing', 'delivered'),
      batch('f', 60, 'marketing', 'failed'),
      batch('u', 180, 'utility', 'delivered'),
      batch('w', 120, 'utility', 'delivered', { window: true }),
      batch('a', 200, 'authentication', 'delivered', { business: 'SG' }),
      batch('s', 500, 'service', 'delivered'),
    ]
    const books = run([L1, ...acts, { act: 'jobs', at: DAY, run: ['usage'] }], company({ rates }))
    expect(balance(books, 'A01')).toBe('9982.36')
  })
})

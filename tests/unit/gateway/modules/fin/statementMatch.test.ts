import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharesOf } from '../../../../../gateway/modules/fin/acts/billPayment'
import { matchLine, type OpenBill } from '../../../../../gateway/modules/fin/statement/match'
import { Exact } from '../../../../../src/schema/formats'

const bill = (code: string, customerId: string, openAmount: string, dueDate: string, more: Partial<OpenBill> = {}): OpenBill => ({
  ...{ id: `b-${code}`, code, customerId, currency: 'USD', openAmount, dueDate, names: [] },
  ...more,
})
const nova = { names: ['诺瓦零售有限公司', 'Nova Retail Co., Ltd.'] }
const open = [
  bill('ZD202611010001', 'nova', '100', '2026-11-15', nova),
  bill('ZD202612010001', 'nova', '250', '2026-12-15', nova),
  bill('ZD202611010002', 'kite', '75.5', '2026-11-20', { names: ['Kite Pay'] }),
  bill('ZD202611010003', 'lumen', '75.5', '2026-11-21', { names: ['Lumen GmbH'], currency: 'EUR' }),
]
const line = (amount: string, more: object = {}) => ({ amount, currency: 'USD', payer: '', text: '', ...more })

describe('a line of a bank statement', () => {
  it('pays the bills that its text names, whatever their currency', () => {
    expect(matchLine(line('350', { text: 'inv zd202611010001/ZD202612010001 thanks' }), open)).toEqual({
      customerId: 'nova',
      billIds: ['b-ZD202611010001', 'b-ZD202612010001'],
      by: 'reference',
    })
    expect(matchLine(line('80', { text: 'ZD202611010003' }), open)).toMatchObject({ customerId: 'lumen', by: 'reference' })
    expect(matchLine(line('80', { text: 'XZD2026110100031' }), open)).toBeNull()
  })

  it('pays by payer and amount, one bill or the first ones together; by the payer alone the earliest due', () => {
    expect(matchLine(line('250', { payer: 'NOVA RETAIL' }), open)).toMatchObject({
      billIds: ['b-ZD202612010001'],
      by: 'nameAmount',
    })
    expect(matchLine(line('350', { payer: '诺瓦零售' }), open)?.billIds).toHaveLength(2)
    expect(matchLine(line('60', { payer: 'Nova Retail Co' }), open)).toMatchObject({ billIds: ['b-ZD202611010001'], by: 'name' })
  })

  it('pays by an amount that one bill alone has, and is left for a person where nobody can tell', () => {
    expect(matchLine(line('75.50', { payer: 'Somebody else' }), open)).toMatchObject({ customerId: 'kite', by: 'amount' })
    expect(matchLine(line('12', { payer: 'Somebody else' }), open)).toBeNull()
    expect(matchLine(line('100', { text: 'ZD202611010001 and ZD202611010002' }), open)).toMatchObject({ by: 'amount' })
  })
})

describe('what a payment gives to each account', () => {
  it('adds up to the payment; no account but the last gets more than is open on its bills', () => {
    const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => new Exact(cents).dividedBy(100).toString())
    const bills = fc.array(
      fc.record({ accountId: fc.constantFrom('a', 'b', 'c'), openAmount: fc.oneof(amount, fc.constant('0')) }),
      {
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(bills, amount, (chosen, total) => {
        const shares = sharesOf(chosen, total)
        const sum = shares.reduce((all, share) => all.plus(share.amount), new Exact(0))
        expect(sum.eq(total)).toBe(true)
        for (const { accountId, amount: share } of shares.slice(0, -1)) {
          const wanted = chosen
            .filter((one) => one.accountId === accountId)
            .reduce((all, { openAmount }) => all.plus(openAmount), new Exact(0))
          expect(wanted.lt(share)).toBe(false)
        }
      }),
    )
  })
})

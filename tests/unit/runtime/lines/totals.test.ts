import { describe, expect, it } from 'vitest'
import { totalsOf } from '../../../../src/runtime/lines/totals'
import { addsUp } from '../../../../src/schema/formats'
import { field } from '../../../support/models'

describe('the sums of lines', () => {
  it('add up amounts and pieces, never what one of them costs, rates, or a place in an order', () => {
    const adds = (name: string, kind: 'money' | 'decimal' | 'integer', sum?: boolean) =>
      addsUp({ name, kind, ...(sum === undefined ? {} : { sum }) })
    expect([adds('amount', 'money'), adds('qty', 'decimal'), adds('quantity', 'decimal'), adds('units', 'integer')]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([
      adds('price', 'money'),
      adds('estPrice', 'money'),
      adds('rate', 'decimal'),
      adds('marketRate', 'decimal'),
      adds('unitCost', 'decimal'),
      adds('position', 'integer'),
    ]).toEqual([false, false, false, false, false, false])
    expect([adds('price', 'money', true), adds('amount', 'money', false)]).toEqual([true, false])
  })

  it('tell money one a currency, the amount before its currency, and pieces without idle zeros', () => {
    const columns = [
      field('qty', 'decimal', { scale: 4 }),
      field('rate', 'decimal'),
      field('amount', 'money', { money: 'currency' }),
    ]
    const rows = [
      { qty: '1.0000', rate: '7.1', amount: '3000', currency: 'CNY' },
      { qty: '2.0000', rate: '7.2', amount: '5', currency: 'USD' },
    ]
    expect(totalsOf(columns, rows, 'zh')).toEqual([['3'], [], ['3,000.00 CNY', '5.00 USD']])
  })
})

import { describe, expect, it } from 'vitest'
import { monthsLater, returnCost } from '../../../../../gateway/modules/srm/sale/deliver'
import { saleAction } from '../../../../../gateway/modules/srm/sale/orders'
import { moveIn, moveOut, type Movement, type OnHand } from '../../../../../gateway/modules/srm/stock/cost'

describe('sale of equipment (customers-suppliers 10)', () => {
  it('the worked example: two receipts, four sold, one back, a count, a move', () => {
    let there: OnHand = { qty: '0', value: '0' }
    const step = (movement: Movement | null): [string, string, string] => {
      there = movement!.after
      return [movement!.amount, there.qty, there.value]
    }
    expect(step(moveIn(there, '10', '596.40'))).toEqual(['5964', '10', '5964'])
    expect(step(moveIn(there, '5', '630.00'))).toEqual(['3150', '15', '9114'])
    expect(step(moveOut(there, '4'))).toEqual(['-2430.4', '11', '6683.6'])
    const cost = returnCost({ cost: '2430.4', out: '4', qty: '1' })
    expect(cost).toBe('607.6')
    expect(step(moveIn(there, '1', '607.6', cost))).toEqual(['607.6', '12', '7291.2'])
    expect(step(moveOut(there, '2', '630'))).toEqual(['-1260', '10', '6031.2'])
    expect(step(moveOut(there, '1'))).toEqual(['-603.12', '9', '5428.08'])
    expect(step(moveOut(there, '3'))).toEqual(['-1809.36', '6', '3618.72'])
    expect(moveOut(there, '7')).toBeNull()
  })

  it('what comes back piece by piece costs in the end what went out', () => {
    const first = returnCost({ cost: '10', out: '3', qty: '1' })
    const second = returnCost({ cost: '6.666667', out: '2', qty: '1' })
    expect([first, second]).toEqual(['3.333333', '3.333334'])
    expect(returnCost({ cost: '3.333333', out: '1', qty: '1' })).toBe('3.333333')
  })

  it('a warranty ends on the same day, or on the last one of a shorter month', () => {
    expect(monthsLater('2026-11-24', 12)).toBe('2027-11-24')
    expect(monthsLater('2026-08-31', 6)).toBe('2027-02-28')
    expect(monthsLater('2027-12-31', 2)).toBe('2028-02-29')
  })

  it('the log tells a confirmation, an approval and a reversal apart', () => {
    expect([saleAction(null, 'draft'), saleAction('draft', 'approved'), saleAction('pending', 'approved')]).toEqual([
      'create',
      'confirm',
      'approve',
    ])
    expect([saleAction('shipped', 'approved'), saleAction('draft', 'draft'), saleAction('approved', 'cancelled')]).toEqual([
      'reverse',
      'edit',
      'void',
    ])
  })
})

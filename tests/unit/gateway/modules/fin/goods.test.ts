import { describe, expect, it } from 'vitest'
import { openingStock, received, sentBack, sold, spent, takenBack } from '../../../../../gateway/modules/fin/ledger/goods'
import { priced } from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount, Leg } from '../../../../../gateway/modules/fin/ledger/types'

const RATES = new Map([
  ['CNY', '1'],
  ['USD', '7.1'],
])
const supplier = (currency: string): LedgerAccount => ({ kind: 'supplier', id: 's1', currency })
const customer: LedgerAccount = { kind: 'customer', id: 'c1', currency: 'USD', customerId: 'k1' }
const told = (legs: readonly Leg[]): string[] =>
  priced(legs, RATES).map(
    ({ account, direction, amount, base }) =>
      `${direction === 'debit' ? 'D' : 'C'} ${account.id} ${amount} ${account.currency} = ${base}`,
  )

describe('stock in the ledger (money 1.3)', () => {
  it('a receipt is owed in the currency of the supplier, and stock stands in CNY', () => {
    expect(told(received({ cost: '5964', owed: '5964', supplier: supplier('CNY') }))).toEqual([
      'D STK 5964 CNY = 5964',
      'C s1 5964 CNY = 5964',
    ])
    const abroad = told(received({ cost: '5964', owed: '840', supplier: supplier('USD') }))
    expect(abroad.slice(0, 4)).toEqual([
      'D STK 5964 CNY = 5964',
      'C FXC 5964 CNY = 5964',
      'D FXC 840 USD = 5964',
      'C s1 840 USD = 5964',
    ])
  })

  it('what a return brings less than it cost is a cost', () => {
    expect(told(sentBack({ cost: '1215.2', owed: '1260', supplier: supplier('CNY') }))).toEqual([
      'D s1 1260 CNY = 1260',
      'C STK 1215.2 CNY = 1215.2',
      'C COS:device 44.8 CNY = 44.8',
    ])
  })

  it('a sale is revenue and cost, a gift only cost, and what comes back is neither', () => {
    expect(told(sold(customer, '500'))).toEqual(['D c1 500 USD = 3550', 'C REV:device 500 USD = 3550'])
    expect(told(takenBack(customer, '125'))).toEqual(['D REV:device 125 USD = 887.5', 'C c1 125 USD = 887.5'])
    expect(sold(customer, '0')).toEqual([])
    expect(told(spent('2430.4'))).toEqual(['D COS:device 2430.4 CNY = 2430.4', 'C STK 2430.4 CNY = 2430.4'])
    expect(told(spent('-607.6'))).toEqual(['D STK 607.6 CNY = 607.6', 'C COS:device 607.6 CNY = 607.6'])
    expect(told(openingStock('100'))).toEqual(['D STK 100 CNY = 100', 'C OPN 100 CNY = 100'])
  })
})

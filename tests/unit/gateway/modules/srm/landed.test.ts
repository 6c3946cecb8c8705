import { describe, expect, it } from 'vitest'
import { landedPrices, ordersOf, stillToCome, unitCostInCny } from '../../../../../gateway/modules/srm/purchase/landed'
import { actionOf } from '../../../../../gateway/modules/srm/purchase/log'

const order = { currency: 'USD', taxIncluded: false, freight: '50', otherFee: '0', discount: '0' }
const costs = (prices: ReturnType<typeof landedPrices>, rate: string): Record<string, string> =>
  Object.fromEntries([...prices].map(([id, price]) => [id, unitCostInCny(price, rate)]))

describe('The landed cost of a purchase (10)', () => {
  it('shares the freight by amount: 10 GoIP-32 at USD 80 and 20 antennas at USD 10 with USD 50 freight at 7.10', () => {
    const prices = landedPrices(order, [
      { id: 'goip', qty: '10', amount: '800.00', tax: '0' },
      { id: 'antenna', qty: '20', amount: '200.00', tax: '0' },
    ])
    expect([prices.get('goip')?.toString(), prices.get('antenna')?.toString()]).toEqual(['84', '10.5'])
    expect(costs(prices, '7.10')).toEqual({ goip: '596.4', antenna: '74.55' })
  })

  it('gives the rounding rest to the last line, and takes a discount off', () => {
    const lines = ['a', 'b', 'c'].map((id) => ({ id, qty: '1', amount: '10.00', tax: '0' }))
    const shared = landedPrices({ ...order, freight: '10' }, lines)
    expect([...shared.values()].map(String)).toEqual(['13.33', '13.33', '13.34'])
    const cheaper = landedPrices({ ...order, freight: '0', discount: '3' }, lines)
    expect([...cheaper.values()].map(String)).toEqual(['9', '9', '9'])
  })

  it('leaves recoverable tax out when prices include it', () => {
    const prices = landedPrices({ ...order, currency: 'CNY', taxIncluded: true, freight: '0' }, [
      { id: 'a', qty: '10', amount: '1130.00', tax: '130.00' },
    ])
    expect(costs(prices, '1')).toEqual({ a: '100' })
  })

  it('each part of a receipt has its own rate', () => {
    const prices = landedPrices(order, [
      { id: 'goip', qty: '10', amount: '800.00', tax: '0' },
      { id: 'antenna', qty: '20', amount: '200.00', tax: '0' },
    ])
    expect([costs(prices, '7.10').goip, costs(prices, '7.125').goip]).toEqual(['596.4', '598.5'])
  })

  it('says what is still to come', () => {
    expect(stillToCome({ qty: '10', receivedQty: '4', closedQty: '0' })).toBe('6')
    expect(stillToCome({ qty: '10', receivedQty: '8', closedQty: '2' })).toBe('0')
    expect(stillToCome({ qty: '10', receivedQty: '11', closedQty: '0' })).toBe('0')
  })
})

describe('Orders of plans (6)', () => {
  it('are one for each supplier and currency, over several plans', () => {
    const line = (supplierId: string, currency: string, id: string) => ({ supplierId, currency, id })
    const orders = ordersOf([line('a', 'USD', '1'), line('b', 'CNY', '2'), line('a', 'USD', '3'), line('a', 'CNY', '4')])
    expect(orders.map(({ supplierId, currency, lines }) => [supplierId, currency, lines.map(({ id }) => id)])).toEqual([
      ['a', 'USD', ['1', '3']],
      ['b', 'CNY', ['2']],
      ['a', 'CNY', ['4']],
    ])
  })
})

describe('The purchase log', () => {
  it('names what was done by the states before and after', () => {
    expect(actionOf(null, 'draft')).toBe('create')
    expect(actionOf('draft', 'draft')).toBe('edit')
    expect(actionOf('draft', 'pending')).toBe('submit')
    expect(actionOf('pending', 'approved')).toBe('approve')
    expect(actionOf('confirmed', 'draft')).toBe('revise')
    expect(actionOf('approved', 'confirmed')).toBe('confirm')
    expect(actionOf('partReceived', 'confirmed')).toBe('receive')
    expect(actionOf('posted', 'reversed')).toBe('reverse')
  })
})

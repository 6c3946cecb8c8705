import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountsOf, daysInStage, STAGE_WIN_RATE, staleAfter } from '../../../../../../gateway/modules/crm/rules/opportunity'
import boStage from '../../../../../../schemas/dictionaries/boStage.json'

const ZONE = 'Asia/Shanghai'

describe('amounts of an opportunity', () => {
  it('are volume x price and its weighted part, rounded half up to the currency', () => {
    const of = (monthlyVolume: number, expectedPrice: string, winRate: string, currency = 'USD') =>
      amountsOf({ monthlyVolume, expectedPrice, winRate, currency })
    expect(of(100_001, '0.012345', '25')).toEqual({ amount: '1234.51', weighted: '308.63' })
    expect(of(1, '0.125', '50')).toEqual({ amount: '0.13', weighted: '0.07' })
    expect(of(1, '0.5', '50', 'JPY')).toEqual({ amount: '1', weighted: '1' })
    expect(of(1, '1.23456', '100', 'KWD')).toEqual({ amount: '1.235', weighted: '1.235' })
    expect(amountsOf({ monthlyVolume: null, expectedPrice: '1', winRate: '10', currency: 'USD' })).toEqual({
      amount: null,
      weighted: null,
    })
  })

  it('never weigh more than the amount, whatever the volume, price and rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 100 }),
        (volume, price, rate) => {
          const { amount, weighted } = amountsOf({
            monthlyVolume: volume,
            expectedPrice: (price / 1e6).toFixed(6),
            winRate: String(rate),
            currency: 'USD',
          })
          return Number(weighted) <= Number(amount) && Number(weighted) >= 0
        },
      ),
    )
  })
})

describe('stages of an opportunity', () => {
  it('have the win rates that the dictionary tells', () => {
    const told = Object.fromEntries(boStage.items.map((item) => [item.code, item.attributes.winRate]))
    expect(STAGE_WIN_RATE).toEqual(told)
  })

  it('count calendar days of the company, and fourteen of them until an opportunity is stale', () => {
    expect(daysInStage('2026-03-01T15:30:00Z', '2026-03-01T16:30:00Z', ZONE)).toBe(1)
    expect(daysInStage('2026-03-01T16:30:00Z', '2026-03-02T15:30:00Z', ZONE)).toBe(0)
    expect(staleAfter('2026-03-01T02:00:00Z', ZONE)).toBe('2026-03-15')
  })
})

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileEntity, entityScope, readValue } from '../../../../../../src/schema/entity'
import type { EntityDocument } from '../../../../../../src/schema/generated/entity'
import boStage from '../../../../../../schemas/dictionaries/boStage.json'

const opportunity = compileEntity(
  JSON.parse(readFileSync('schemas/crm/entities/opportunity.json', 'utf8')) as EntityDocument,
  () => undefined,
)
const environment = { locale: 'en', timeZone: 'Asia/Shanghai' } as const

/** A derived field of an opportunity, as it is stored. */
function derived(name: string, record: Record<string, unknown>): string | null {
  const field = opportunity.fields.get(name)!
  const found = field.derivation?.value?.(entityScope(opportunity, record), environment)
  const read = readValue(field, found === null || found === undefined ? null : String(found))
  return 'problem' in read ? null : (read.value as string | null)
}
const amountsOf = (given: Record<string, unknown>) => {
  const amount = derived('amount', given)
  return { amount, weighted: derived('weighted', { ...given, amount }) }
}

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
    for (const { code, attributes } of boStage.items)
      expect(Number(derived('stageRate', { stage: code })), code).toBe(attributes.winRate)
  })
})

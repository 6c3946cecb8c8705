import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computedValue, Exact, formatOf, type FormatField } from '../../../../src/schema/formats'
import type { FieldKind } from '../../../../src/schema/model'

const kept = (kind: FieldKind, value: unknown, field: FormatField = {}, currency?: string): unknown =>
  computedValue({ kind, field }, value, currency)

Decimal.set({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

describe('numbers that were worked out', () => {
  it('have the decimals of their field, half up', () => {
    const third = new Exact(1).dividedBy(3)
    expect(kept('decimal', third, { 'x-scale': 8 })).toBe('0.33333333')
    expect(kept('decimal', '7.123456785000000000000000000000000000001', { 'x-scale': 8 })).toBe('7.12345679')
    expect(kept('decimal', '0.000000005', { 'x-scale': 8 })).toBe('0.00000001')
    expect(kept('decimal', '-0.000000005', { 'x-scale': 8 })).toBe('-0.00000001')
    expect([kept('decimal', third), kept('money', third), kept('percent', third)]).toEqual(['0.333333', '0.333333', '0.3333'])
    expect(kept('decimal', 0.1 + 0.2, { 'x-scale': 2 })).toBe('0.3')
  })

  it('have the digits of the currency where the amount is stated in one', () => {
    const amount = '1234.56789'
    expect(['USD', 'JPY', 'KWD'].map((currency) => kept('money', amount, {}, currency))).toEqual(['1234.57', '1235', '1234.568'])
    expect(kept('money', amount, { 'x-scale': 4 }, 'JPY')).toBe('1234.5679')
  })

  it('stay as they are where they fit, and where they are no number', () => {
    expect([kept('decimal', '1.50', { 'x-scale': 8 }), kept('decimal', null), kept('decimal', '')]).toEqual(['1.50', null, ''])
    expect([kept('decimal', 'abc'), kept('string', '1.123456789'), kept('integer', 5)]).toEqual(['abc', '1.123456789', 5])
  })

  it('are never refused by their field for their decimals, and lie within half a unit of the last one', () => {
    const numbers = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 20, max: 39 }))
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 8 }), ([digits, places], scale) => {
        const exact = new Decimal(digits.toString()).div(new Decimal(10).pow(places))
        const field = { type: 'string', 'x-scale': scale }
        const value = kept('decimal', exact.toFixed(), field)
        expect(value).toBe(exact.toDecimalPlaces(scale).toFixed().replace(/^-0$/, '0'))
        expect(formatOf('decimal').validate(value, field, { locale: 'zh', timeZone: 'UTC' })).toBeNull()
      }),
    )
  })
})

describe('numbers that people type', () => {
  it('are refused with too many decimals, not rounded', () => {
    const wrong = formatOf('decimal').validate('7.123456789', { 'x-scale': 8 }, { locale: 'zh', timeZone: 'UTC' })
    expect(wrong?.en).toBe('At most 8 decimals.')
  })
})

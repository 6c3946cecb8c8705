import { describe, expect, it } from 'vitest'
import { marginOf, markupOf, neededPrice, type Basis } from '../../../../../gateway/modules/qm/margins'
import { countryKey } from '../../../../../gateway/modules/qm/costs'
import { Exact } from '../../../../../src/schema/formats'

describe('margins and mark-ups (quotes 5.8)', () => {
  it.each([
    ['0.0450', '0.0360', '20', '25'],
    ['0.0450', '0.035805', '20.4333', '25.6808'],
    ['0.0450', '0.036960', '17.8667', '21.7532'],
    ['0', '0.0360', null, '-100'],
    ['0.0360', '0', '100', null],
  ])('of %s over %s are %s and %s', (price, cost, margin, markup) => {
    expect(marginOf(new Exact(price), new Exact(cost))).toBe(margin)
    expect(markupOf(new Exact(price), new Exact(cost))).toBe(markup)
  })

  it.each<[Basis, string, string, number, string | null]>([
    ['margin', '20', '0.0360', 5, '0.045'],
    ['markup', '20', '0.0360', 5, '0.0432'],
    // one hundred-thousandth less would be 7.998 %
    ['margin', '8', '0.0329', 5, '0.03577'],
    ['fixed', '0.002', '0.0329', 4, '0.0349'],
    ['margin', '100', '0.0329', 5, null],
  ])('need for a %s of %s over %s, in %i decimals, %s', (basis, value, cost, decimals, price) => {
    expect(neededPrice(new Exact(cost), basis, new Exact(value), decimals)).toBe(price)
  })

  it.each([
    ['sms|IN|40410|direct', 'sms|IN|*|direct'],
    ['otpSms|IN|40410', 'otpSms|IN|*'],
    ['voice|4470|cli', 'voice|4470|cli'],
    ['whatsapp|IN|marketing', 'whatsapp|IN|marketing'],
  ])('of %s fall back to %s', (network, country) => {
    expect(countryKey(network)).toBe(country)
  })
})

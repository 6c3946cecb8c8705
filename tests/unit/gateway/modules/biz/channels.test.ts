import { describe, expect, it } from 'vitest'
import { Exact, exactText } from '../../../../../src/schema/formats'
import { nextAlias } from '../../../../../gateway/modules/biz/applications'
import { blended, differenceOf, marginOf, scoresOf } from '../../../../../gateway/modules/biz/rating/channels'
import { firstMonthFee, releaseRefund } from '../../../../../gateway/modules/biz/rating/numbers'

describe('fees of numbers (quotes-traffic 5.6)', () => {
  it.each([
    ['5.00', '2026-04-11', '3.3333'],
    ['1.20', '2027-02-15', '0.6000'],
    ['5.00', '2026-01-31', '0.1613'],
    ['5.00', '2026-03-15', '2.7419'],
    ['5.00', '2026-03-01', '5.0000'],
  ])('%s a month, activated on %s, costs %s in that month', (mrc, day, fee) => {
    expect(firstMonthFee(mrc, day)).toBe(fee)
  })

  it('gives nothing back at release unless that is agreed', () => {
    expect(releaseRefund('5.00', '2026-04-20', true)).toBe('1.6667')
    expect(releaseRefund('5.00', '2026-04-20', false)).toBe('0.0000')
    expect(releaseRefund('5.00', '2026-04-30', true)).toBe('0.0000')
  })
})

describe('mix of channels (quotes-traffic 2.2, 5.8)', () => {
  it('costs what its channels cost by their weight, exactly', () => {
    const euro = exactText(new Exact('0.0330').times('1.0850'))
    expect(
      blended([
        { weight: 60, value: '0.0360' },
        { weight: 40, value: euro },
      ]),
    ).toBe('0.035922')
  })

  it('has no cost where a channel that is used has none, and does not ask about one that is not', () => {
    expect(
      blended([
        { weight: 60, value: '0.0360' },
        { weight: 40, value: null },
      ]),
    ).toBeNull()
    expect(
      blended([
        { weight: 100, value: '0.0360' },
        { weight: 0, value: null },
      ]),
    ).toBe('0.036')
    expect(blended([])).toBeNull()
  })

  it('tells margin and difference in per cent', () => {
    expect(marginOf('0.0450', '0.0360')).toBe('20.00')
    expect(marginOf('0', '0.0360')).toBeNull()
    expect(differenceOf('0.0432', '0.0360')).toBe('20.00')
  })
})

describe('scores of channels (quotes-traffic 2.2)', () => {
  it.each([
    [{ delivery: '90', cost: '0.04', lowestCost: '0.03', faults: 1 }, ['90.00', '75.00', '90.00', '85.50']],
    [{ delivery: '97.5', cost: '0.03', lowestCost: '0.03', faults: 0 }, ['97.50', '100.00', '100.00', '98.75']],
    [{ delivery: '0', cost: '0', lowestCost: '0', faults: 12 }, ['0.00', '100.00', '0.00', '30.00']],
  ])('%j', (evidence, [qualityScore, priceScore, stabilityScore, score]) => {
    expect(scoresOf(evidence)).toEqual({ qualityScore, priceScore, stabilityScore, score })
  })
})

describe('aliases of applications', () => {
  it('number the applications of a customer by the kind of their account', () => {
    expect(nextAlias('CNAB23', 'sms', new Set())).toBe('CNAB23-S01')
    expect(nextAlias('CNAB23', 'otp', new Set(['CNAB23-O01', 'CNAB23-S02']))).toBe('CNAB23-O02')
    expect(
      nextAlias('CNAB23', 'sms', new Set(Array.from({ length: 99 }, (_, i) => `CNAB23-S${String(i + 1).padStart(2, '0')}`))),
    ).toBeNull()
  })
})

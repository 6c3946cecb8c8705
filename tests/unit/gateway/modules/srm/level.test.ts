import { describe, expect, it } from 'vitest'
import { levelOf, termsPart } from '../../../../../gateway/modules/srm'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

const rule = RULE_DEFAULTS['srm.level']
const parts = { quality: '92', price: '80', terms: '60', service: '80', stability: '70' }

describe('the level of a supplier (9.9)', () => {
  it('is the weighted sum of its parts, exactly: 92/80/60/80/70 is 80.80 and B', () => {
    expect(levelOf(parts, 10_000, rule)).toEqual({ level: 'b', score: '80.80' })
  })

  it.each([
    ['85', 'a'],
    ['84.99', 'b'],
    ['70', 'b'],
    ['69.99', 'c'],
    ['55', 'c'],
    ['54.99', 'd'],
  ])('%s points are level %s', (points, level) => {
    const all = { quality: points, price: points, terms: points, service: points, stability: points }
    expect(levelOf(all, 10_000, rule).level).toBe(level)
  })

  it('is not rated below the least traffic, nor while a part is not measured', () => {
    expect(levelOf(parts, 9_999, rule)).toEqual({ level: 'n', score: null })
    expect(levelOf(parts, null, rule).level).toBe('n')
    expect(levelOf({ ...parts, price: null }, 50_000, rule).level).toBe('n')
  })

  it('gives more for longer terms', () => {
    expect([termsPart('prepaid', 30), termsPart('postpaid', 7), termsPart('postpaid', 15), termsPart('postpaid', 30)]).toEqual([
      '40',
      '60',
      '80',
      '100',
    ])
    expect(termsPart('none', null)).toBeNull()
  })
})

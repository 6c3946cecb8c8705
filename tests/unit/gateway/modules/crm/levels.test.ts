import { describe, expect, it } from 'vitest'
import { bandOf, decideLevel, levelPoints, type LevelState } from '../../../../../gateway/modules/crm/rules/levels'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

const rule = RULE_DEFAULTS['crm.level']
const state = (given: Partial<LevelState> = {}): LevelState => ({
  level: 'b',
  classA: false,
  locked: false,
  before: [],
  pointsBefore: null,
  ...given,
})
const points = (revenue: string, margin: string | null, overdueDays: number): number =>
  levelPoints({ revenue, margin, overdueDays }, rule).total

describe('customer levels (CRM rule 9.9)', () => {
  it('gives 12,400 USD a month, 8.4 % margin and no overdue 75 points: B', () => {
    expect(levelPoints({ revenue: '12400', margin: '8.4', overdueDays: 0 }, rule)).toEqual({
      revenue: 35,
      margin: 20,
      overdue: 20,
      total: 75,
    })
    expect(bandOf(75, rule)).toBe('b')
  })

  it('keeps B when a margin of 2.1 % computes C once, and goes down at the second 55 in a row', () => {
    // the worked example says 2.1 % margin: 55, which is 35 + 0 + 20
    expect(points('12400', '2.1', 0)).toBe(55)
    expect(decideLevel(55, state({ before: ['b'] }), rule)).toMatchObject({ computed: 'c', to: 'b' })
    expect(decideLevel(55, state({ before: ['c', 'b'] }), rule)).toMatchObject({ computed: 'c', to: 'c' })
  })

  it('goes up at once, but to A only by approval: a candidate becomes B with a hint', () => {
    expect(decideLevel(75, state({ level: 'd' }), rule).to).toBe('b')
    expect(decideLevel(100, state({ level: 'c' }), rule)).toEqual({ computed: 'a', to: 'b', hint: true, watch: false })
  })

  it('keeps a granted class A, and puts it under watch after two months below 70', () => {
    expect(decideLevel(60, state({ level: 'a', classA: true, pointsBefore: 75 }), rule)).toMatchObject({ to: 'a', watch: false })
    expect(decideLevel(60, state({ level: 'a', classA: true, pointsBefore: 65 }), rule)).toMatchObject({ to: 'a', watch: true })
    expect(decideLevel(60, state({ level: 'a', classA: false }), rule).to).toBe('c')
  })

  it('leaves a level alone that a manager fixed', () => {
    expect(decideLevel(0, state({ locked: true, before: ['d', 'd'] }), rule).to).toBe('b')
  })

  it.each([
    ['50000', '15', 0, 100],
    ['49999.99', '14.99', 10, 65],
    ['2000', '8', 11, 40],
    ['0.01', '3', 1, 30],
    ['0', null, 0, 0],
  ])('gives %s USD, %s %% and %s days overdue %s points', (revenue, margin, overdue, total) => {
    expect(points(revenue, margin, overdue)).toBe(total)
  })
})

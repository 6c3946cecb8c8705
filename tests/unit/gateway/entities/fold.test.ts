import { describe, expect, it } from 'vitest'
import { folded } from '../../../../gateway/entities/merge/fold'

describe('values of several records that become one', () => {
  it('are the furthest stage, the first deal, the last contact, the sum of follow-ups and amounts', () => {
    const furthest = ['potential', 'following', 'testing', 'quoted', 'churned', 'silent', 'dealt']
    expect(folded({ furthest }, ['following', 'silent'])).toBe('silent')
    expect(folded({ least: ['earning', 'paid'] }, ['paid', 'earning'])).toBe('earning')
    expect(folded({ furthest }, ['strange', null])).toBe('strange')
    expect(folded('sum', [2, 3])).toBe(5)
    expect(folded('sum', ['10.10', '0.20'])).toBe('10.30')
    expect(folded('sum', [null, undefined])).toBeNull()
    expect(folded('max', ['2026-02-01', '2026-01-01'])).toBe('2026-02-01')
    expect(folded('max', [9, 10])).toBe(10)
    expect(folded('min', [undefined, '2025-05-05'])).toBe('2025-05-05')
    expect(folded('first', [null, 'SGA3CD'])).toBe('SGA3CD')
  })

  it('are all entries of a list, each once, and files by their id', () => {
    expect(folded('all', [['one', 'two'], ['two', 'three'], null])).toEqual(['one', 'two', 'three'])
    expect(folded('all', [[{ id: 'a', name: 'x' }], [{ id: 'a', name: 'y' }]])).toEqual([{ id: 'a', name: 'y' }])
  })
})

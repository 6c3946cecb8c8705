import { describe, expect, it } from 'vitest'
import { changeOf, trackOf, type AccountFacts } from '../../../../../../gateway/modules/crm/rules/accountTrack'

const TODAY = '2026-11-20'
const facts = (more: Partial<AccountFacts>): AccountFacts => ({
  firstTest: null,
  firstTraffic: null,
  lastTraffic: null,
  volume30: 0,
  volumeBefore30: 0,
  ...more,
})

describe('the life of an account', () => {
  it('goes from opened and tested to started, growing or falling, and silent', () => {
    const old = { firstTraffic: '2026-01-05', lastTraffic: '2026-11-19' }
    expect(trackOf(facts({}), TODAY)).toBe('opened')
    expect(trackOf(facts({ firstTest: '2026-11-01' }), TODAY)).toBe('tested')
    expect(trackOf(facts({ firstTraffic: '2026-09-21', lastTraffic: '2026-11-19' }), TODAY)).toBe('started')
    expect(trackOf(facts({ ...old, volume30: 100, volumeBefore30: 100 }), TODAY)).toBe('growing')
    expect(trackOf(facts({ ...old, volume30: 99, volumeBefore30: 100 }), TODAY)).toBe('falling')
    expect(trackOf(facts({ ...old, lastTraffic: '2026-10-21' }), TODAY)).toBe('growing')
    expect(trackOf(facts({ ...old, lastTraffic: '2026-10-20' }), TODAY)).toBe('silent')
  })

  it('tells no change where there is nothing to compare with', () => {
    expect([changeOf(5, 0), changeOf(150, 100), changeOf(0, 3)]).toEqual([null, '50.00', '-100.00'])
  })
})

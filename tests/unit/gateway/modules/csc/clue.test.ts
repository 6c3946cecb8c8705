import { describe, expect, it } from 'vitest'
import { qualityOf, respondBy, scoreOf } from '../../../../../gateway/modules/csc/rules/clue'

const ZONE = 'Asia/Shanghai'

describe('clues', () => {
  it('score what makes business likely, and fall into three bands', () => {
    const nothing = { companyMail: false, phone: false, company: false, volume: 'v0', countryCode: 'XX', source: 'chat' }
    expect(scoreOf(nothing)).toBe(0)
    expect(scoreOf({ companyMail: true, phone: true, company: true, volume: 'v3', countryCode: 'HK', source: 'referral' })).toBe(
      100,
    )
    expect(scoreOf({ ...nothing, companyMail: true, volume: 'v2' })).toBe(40)
    expect([39, 40, 69, 70].map(qualityOf)).toEqual(['low', 'medium', 'medium', 'high'])
  })

  it('are to be answered within working time: over night and the weekend the clock stands', () => {
    const by = (at: string, quality: 'high' | 'medium' | 'low'): string => respondBy(new Date(at), quality, ZONE).toISOString()
    expect(by('2026-11-20T02:00:00Z', 'high')).toBe('2026-11-20T02:30:00.000Z')
    // Friday 17:00: one hour today, three on Monday
    expect(by('2026-11-20T09:00:00Z', 'medium')).toBe('2026-11-23T04:00:00.000Z')
    // Saturday: the clock starts on Monday 09:00
    expect(by('2026-11-21T02:00:00Z', 'high')).toBe('2026-11-23T01:30:00.000Z')
    // 24 working hours are two and two thirds days
    expect(by('2026-11-16T01:00:00Z', 'low')).toBe('2026-11-18T07:00:00.000Z')
  })
})

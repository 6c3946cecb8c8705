import { describe, expect, it } from 'vitest'
import { lockedThrough } from '../../../../../gateway/modules/biz/lock/lock'

describe('a day locks 72 hours after its end in the zone of the account (quotes 7.1)', () => {
  const before = (moment: string): Date => new Date(Date.parse(moment) - 1)
  it.each([
    // midnight of Shanghai is 16:00 UTC of the day before
    ['Asia/Shanghai', '2026-11-20', '2026-11-23T16:00:00.000Z'],
    ['UTC', '2026-11-20', '2026-11-24T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-20', '2026-11-23T18:30:00.000Z'],
    ['America/New_York', '2026-11-20', '2026-11-24T05:00:00.000Z'],
    // summer time ends on 1 November: that day has 25 hours, the 72 hours after it stay 72
    ['America/New_York', '2026-10-31', '2026-11-04T04:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-05T05:00:00.000Z'],
    // and begins on 8 March, a day of 23 hours
    ['America/New_York', '2026-03-07', '2026-03-11T05:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-12T04:00:00.000Z'],
  ])('%s, %s: at %s', (zone, day, moment) => {
    expect(lockedThrough(new Date(moment), zone, 72)).toBe(day)
    expect(lockedThrough(before(moment), zone, 72) < day).toBe(true)
  })

  it('and after the hours that the settings or the cycle of the account say', () => {
    expect(lockedThrough(new Date('2026-11-21T00:00:00.000Z'), 'UTC', 0)).toBe('2026-11-20')
    expect(lockedThrough(new Date('2026-11-25T00:00:00.000Z'), 'UTC', 96)).toBe('2026-11-20')
  })
})

import { describe, expect, it } from 'vitest'
import { afterWorkingHours, limitOf } from '../../../../gateway/workflow/flow/hours'

const SHANGHAI = 'Asia/Shanghai'
const at = (moment: string): Date => new Date(`${moment}:00+08:00`)

describe('a limit in working hours, 09:00 to 18:00 (money 7.5)', () => {
  it.each([
    ['within a day', '2026-11-18T10:00', 4, '2026-11-18T14:00'],
    ['from the evening to the next morning', '2026-11-18T20:00', 1, '2026-11-19T10:00'],
    ['from before the day begins', '2026-11-18T06:00', 9, '2026-11-18T18:00'],
    ['over a weekend', '2026-11-20T17:00', 5, '2026-11-23T13:00'],
    ['that begins on a Sunday', '2026-11-22T12:00', 2, '2026-11-23T11:00'],
    ['over the seven days of the National Day', '2026-09-30T16:00', 5, '2026-10-08T12:00'],
    ['on a Saturday that makes up for a holiday', '2026-10-09T17:00', 9, '2026-10-10T17:00'],
    ['past the Sunday after it', '2026-10-10T17:30', 1, '2026-10-12T09:30'],
    ['of several days', '2026-11-20T09:00', 45, '2026-11-26T18:00'],
  ])('%s', (_what, from, hours, due) => {
    expect(afterWorkingHours(at(from), hours, SHANGHAI)).toEqual(at(due))
  })

  it('reminds at half of it in working hours too, and counts every hour where the step says so', () => {
    const from = at('2026-09-30T16:00')
    const working = limitOf(from, 5, { working: true, timeZone: SHANGHAI })
    expect([working(50), working(100)]).toEqual([at('2026-10-08T09:30'), at('2026-10-08T12:00')])
    expect(limitOf(from, 48, { working: false, timeZone: SHANGHAI })(100)).toEqual(at('2026-10-02T16:00'))
  })
})

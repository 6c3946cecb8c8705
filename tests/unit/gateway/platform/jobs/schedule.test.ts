import { describe, expect, it } from 'vitest'
import { lastDue, nextDue } from '../../../../../gateway/platform/jobs'

const ZONE = 'Asia/Shanghai'
const iso = (text: string): Date => new Date(text)

describe('when a job is due', () => {
  it('runs daily at a time of the company zone', () => {
    const schedule = { every: 'day', at: '02:00' } as const
    expect(lastDue(schedule, iso('2026-11-20T01:59:59+08:00'), ZONE)).toEqual({
      at: iso('2026-11-19T02:00:00+08:00'),
      day: '2026-11-19',
    })
    expect(lastDue(schedule, iso('2026-11-20T02:00:00+08:00'), ZONE).day).toBe('2026-11-20')
    expect(nextDue(schedule, iso('2026-11-20T02:00:00+08:00'), ZONE)).toEqual(iso('2026-11-21T02:00:00+08:00'))
  })

  it('runs weekly on Monday and monthly on the first', () => {
    expect(lastDue({ every: 'week', weekday: 1, at: '03:00' }, iso('2026-11-20T12:00:00+08:00'), ZONE).day).toBe('2026-11-16')
    const monthly = { every: 'month', monthDay: 1, at: '03:00' } as const
    expect(lastDue(monthly, iso('2026-11-01T02:00:00+08:00'), ZONE).day).toBe('2026-10-01')
    expect(nextDue(monthly, iso('2026-11-20T12:00:00+08:00'), ZONE)).toEqual(iso('2026-12-01T03:00:00+08:00'))
  })

  it('keeps its hour across a change to summer time', () => {
    const schedule = { every: 'day', at: '04:00' } as const
    expect(nextDue(schedule, iso('2026-03-28T12:00:00+01:00'), 'Europe/Berlin')).toEqual(iso('2026-03-29T04:00:00+02:00'))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relativeTime } from '../../../../src/runtime/cell/time'
import { dayClock, dayOf, fromWallClock } from '../../../../src/schema/formats'

const at = (wall: string, timeZone: string): number =>
  fromWallClock(dayClock(wall.slice(0, 10)).add(Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16)), 'minute'), timeZone)
const said = (instant: string, now: string, locale: 'zh' | 'en', timeZone = 'Asia/Shanghai'): string | null =>
  relativeTime(at(instant, timeZone), at(now, timeZone), locale, timeZone)

describe('how a moment is said relative to now', () => {
  it('counts calendar days, not 24 hours', () => {
    const now = '2026-03-10 17:00'
    expect(said('2026-03-13 09:00', now, 'zh')).toBe('3天后')
    expect(said('2026-03-12 09:00', now, 'zh')).toBe('后天')
    expect(said('2026-03-11 18:30', now, 'zh')).toBe('明天')
    expect(said('2026-03-11 09:00', now, 'en')).toBe('tomorrow')
    expect(said('2026-03-09 23:00', '2026-03-10 22:00', 'en')).toBe('yesterday')
    expect(said('2026-03-10 08:00', '2026-03-10 22:30', 'en')).toBe('14 hours ago')
    expect(said('2026-03-10 23:50', '2026-03-11 00:10', 'en')).toBe('20 minutes ago')
  })

  it('is the day of whoever reads: the same moment may be today here and tomorrow there', () => {
    const [moment, now] = [Date.parse('2026-03-11T02:00:00Z'), Date.parse('2026-03-10T15:00:00Z')]
    expect(relativeTime(moment, now, 'en', 'Asia/Shanghai')).toBe('tomorrow')
    expect(relativeTime(moment, now, 'en', 'Pacific/Honolulu')).toBe('in 11 hours')
  })

  it('says the day that the calendar says, around midnight and over changes of the clock', () => {
    const words = { '-1': 'yesterday', 1: 'tomorrow' } as Readonly<Record<string, string>>
    const zones = [
      'Asia/Shanghai',
      'Europe/Berlin',
      'Pacific/Honolulu',
      'America/Santiago',
      'America/Havana',
      'Australia/Lord_Howe',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) }),
        fc.integer({ min: -40 * 86_400, max: 40 * 86_400 }),
        (timeZone, now, seconds) => {
          const instant = now + seconds * 1000
          const day = (moment: number): number => dayClock(dayOf(moment, timeZone)!).valueOf() / 86_400_000
          const days = day(instant) - day(now)
          const text = relativeTime(instant, now, 'en', timeZone)
          if (Math.abs(days) > 30) expect(text).toBeNull()
          else if (days !== 0 && Math.abs(seconds) >= 3600)
            expect(text).toBe(words[days] ?? (days > 0 ? `in ${days} days` : `${-days} days ago`))
          else expect(text).not.toMatch(/day|tomorrow/)
        },
      ),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dayOf, daysBetween, instantAt, startOfDay } from '../../../../gateway/platform/calendar'
import { dayOf as shownDay } from '../../../../src/schema/formats'

// zones whose clock changes at midnight, by half an hour, or never
const ZONES = [
  'Asia/Shanghai',
  'Europe/Berlin',
  'Pacific/Honolulu',
  'America/Santiago',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]
const zone = fc.constantFrom(...ZONES)
const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days))

describe('the days of the company', () => {
  it('begin with the first instant that bears their date, also where the clock skips or repeats midnight', () => {
    const begins = (one: string, timeZone: string): void => {
      const start = Date.parse(startOfDay(one, timeZone))
      expect(dayOf(new Date(start), timeZone)).toBe(one)
      expect(dayOf(new Date(start - 1), timeZone)).toBe(addDays(one, -1))
    }
    begins('2024-09-08', 'America/Santiago')
    begins('2024-11-03', 'America/Havana')
    begins('2024-03-31', 'Asia/Beirut')
    fc.assert(fc.property(day, zone, begins))
  })

  it('are the same days that the portal shows', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2045-01-01'), noInvalidDate: true }),
        zone,
        (moment, timeZone) => {
          expect(dayOf(moment, timeZone)).toBe(shownDay(moment, timeZone))
        },
      ),
    )
  })

  it('are counted as days, whatever the clock does between them', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -800, max: 800 }), zone, (one, days, timeZone) => {
        const other = addDays(one, days)
        expect(daysBetween(one, other)).toBe(days)
        expect(dayOf(instantAt(other, '12:00', timeZone), timeZone)).toBe(other)
      }),
    )
  })
})

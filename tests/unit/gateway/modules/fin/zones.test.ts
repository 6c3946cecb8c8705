import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountDay, accountDayBegins, zoneAt, zoneChange, type Zoned } from '../../../../../gateway/modules/fin/zones'
import { addDays, dayOf, daysBetween } from '../../../../../gateway/platform/calendar'

const COMPANY = 'Asia/Shanghai'
const HOUR = 3_600_000

/** An account whose zones were changed at the given moments, as saving it does. */
function changed(first: string, changes: readonly (readonly [at: number, zone: string])[]): Zoned | null {
  let account: { timezone: string; zoneFrom: string | null; zonesBefore: { timezone: string; from: string | null }[] } = {
    ...{ timezone: first, zoneFrom: null, zonesBefore: [] },
  }
  for (const [at, zone] of changes) {
    const cut = zoneChange(zoneAt(account, new Date(at), COMPANY), zone, new Date(at))
    if (!cut) return null
    const before = [...account.zonesBefore, { timezone: account.timezone, from: account.zoneFrom }]
    account = { timezone: zone, zoneFrom: cut.toISOString(), zonesBefore: before }
  }
  return account
}

describe('the day of an account whose zone changes (quotes-traffic 7.1: days in the zone of the account)', () => {
  it.each([
    // the 10th of Shanghai ends at 16:00Z; New York's next day begins at 05:00Z: the 11th is 13 hours longer
    ['west', 'Asia/Shanghai', 'America/New_York', '2026-12-10T03:00:00Z', '2026-12-11T05:00:00.000Z', '2026-12-11', '2026-12-11'],
    // the 9th of New York ends at 05:00Z on the 10th; Shanghai's next day begins at 16:00Z: the 10th is 13 hours shorter
    ['east', 'America/New_York', 'Asia/Shanghai', '2026-12-10T03:00:00Z', '2026-12-10T16:00:00.000Z', '2026-12-10', '2026-12-11'],
    // the day that the clocks of Berlin go forward, and back
    [
      'into summer time',
      'Asia/Shanghai',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29',
      '2026-03-29',
    ],
    [
      'out of summer time',
      'Europe/Berlin',
      'Asia/Shanghai',
      '2026-10-25T12:00:00Z',
      '2026-10-26T16:00:00.000Z',
      '2026-10-26',
      '2026-10-27',
    ],
  ])('%s: from the first day in the new zone when the running one is over', (_, before, after, now, cut, last, first) => {
    const account = changed(before, [[Date.parse(now), after]])!
    const at = Date.parse(cut)
    expect(account.zoneFrom).toBe(cut)
    expect([accountDay(account, new Date(at - 1), COMPANY), accountDay(account, new Date(at), COMPANY)]).toEqual([last, first])
    expect(accountDay(account, new Date(Date.parse(now) - 900 * HOUR), COMPANY)).toBe(
      dayOf(new Date(Date.parse(now) - 900 * HOUR), before),
    )
  })

  it('is refused between zones more than a day apart', () => {
    const now = new Date('2026-06-10T03:00:00Z')
    expect([
      zoneChange('Pacific/Kiritimati', 'Pacific/Midway', now),
      zoneChange('Pacific/Midway', 'Pacific/Kiritimati', now),
    ]).toEqual([null, null])
  })

  const zones = fc.constantFrom(
    ...['Asia/Shanghai', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo'],
    ...['Pacific/Auckland', 'Pacific/Honolulu', 'Africa/Cairo', 'America/St_Johns', 'Asia/Tokyo', ''],
  )
  const instants = fc.integer({ min: Date.UTC(2025, 0, 1) / HOUR, max: Date.UTC(2028, 0, 1) / HOUR }).map((hours) => hours * HOUR)

  it('over any changes each instant lies in one day, days follow each other, and none is lost or comes again', () => {
    fc.assert(
      fc.property(zones, fc.array(fc.tuple(instants, zones), { minLength: 1, maxLength: 3 }), (first, changes) => {
        const sorted = [...changes].sort(([a], [b]) => a - b)
        // a change is made when the one of before applies
        if (sorted.some(([at], index) => index > 0 && at - sorted[index - 1]![0] < 72 * HOUR)) return
        const account = changed(
          first,
          sorted.map(([at, zone]) => [at, zone || COMPANY] as const),
        )
        if (!account) return
        for (const [at] of sorted) {
          let day = accountDay(account, new Date(at - 60 * HOUR), COMPANY)
          for (let step = at - 60 * HOUR; step < at + 72 * HOUR; step += HOUR / 2) {
            const next = accountDay(account, new Date(step), COMPANY)
            const passed = daysBetween(day, next)
            expect(passed === 0 || passed === 1).toBe(true)
            if (passed === 1) {
              const begins = new Date(accountDayBegins(account, next, COMPANY))
              expect([
                accountDay(account, begins, COMPANY),
                accountDay(account, new Date(begins.getTime() - 1), COMPANY),
              ]).toEqual([next, addDays(next, -1)])
            }
            day = next
          }
          // what was before the change keeps its day
          expect(accountDay(account, new Date(at - HOUR), COMPANY)).toBe(
            accountDay(
              changed(
                first,
                sorted.filter(([other]) => other < at).map(([other, zone]) => [other, zone || COMPANY] as const),
              )!,
              new Date(at - HOUR),
              COMPANY,
            ),
          )
        }
      }),
      { numRuns: 60 },
    )
  })
})

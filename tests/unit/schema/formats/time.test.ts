import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayOf,
  formatOf,
  fromWallClock,
  isDay,
  timeRoots,
  toInstant,
  wallClock,
  zoneOffset,
  type FormatContext,
  type ImportCell,
} from '../../../../src/schema/formats'

const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'America/New_York',
  'Europe/Berlin',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
]
const zone = fc.constantFrom(...ZONES)
/** 1971 to 2100, whole seconds. */
const instants = fc.integer({ min: 365 * 86_400, max: 4_102_444_800 }).map((seconds) => seconds * 1000)
const context = (timeZone: string): FormatContext => ({ locale: 'zh', timeZone })

const parse = (kind: 'date' | 'dateTime', cell: ImportCell, timeZone = 'Asia/Shanghai'): unknown => {
  const parsed = formatOf(kind).parse(cell, {}, context(timeZone))
  return 'value' in parsed ? parsed.value : parsed.message.en
}

describe('instants in zones', () => {
  it('show what the clock of the zone shows', () => {
    fc.assert(
      fc.property(instants, zone, (instant, timeZone) => {
        const expected = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(instant)
        const shown = formatOf('dateTime').show(new Date(instant).toISOString(), {}, context(timeZone))
        expect(shown).toBe(expected)
        expect(dayOf(new Date(instant).toISOString(), timeZone)).toBe(expected.slice(0, 10))
      }),
    )
  })

  it('come back from the wall clock, except in the hour that happens twice', () => {
    fc.assert(
      fc.property(instants, zone, (instant, timeZone) => {
        const wall = wallClock(instant, timeZone)
        const back = fromWallClock(wall, timeZone)
        expect(wallClock(back, timeZone).valueOf()).toBe(wall.valueOf())
        if (back !== instant) expect(zoneOffset(back, timeZone)).not.toBe(zoneOffset(instant, timeZone))
      }),
    )
  })

  it('what is exported is read back as the same instant', () => {
    fc.assert(
      fc.property(instants, zone, (instant, timeZone) => {
        const cell = formatOf('dateTime').export(new Date(instant).toISOString(), {}, context(timeZone))
        if (cell.type !== 'date') throw new Error('a date cell is expected')
        const back = parse('dateTime', cell.value.replace('T', ' '), timeZone)
        const spreadsheet = parse('dateTime', new Date(`${cell.value}Z`), timeZone)
        expect(spreadsheet).toBe(back)
        expect(wallClock(Date.parse(String(back)), timeZone).format('YYYY-MM-DDTHH:mm:ss')).toBe(cell.value)
      }),
    )
  })

  it('a wall time that summer time skips moves forward', () => {
    expect(parse('dateTime', '2025-03-30 02:30', 'Europe/Berlin')).toBe('2025-03-30T01:30:00.000Z')
    expect(parse('dateTime', '2025-10-26 02:30', 'Europe/Berlin')).toBe('2025-10-26T00:30:00.000Z')
    expect(parse('dateTime', '2025-03-30 03:30', 'Europe/Berlin')).toBe('2025-03-30T01:30:00.000Z')
  })

  it.each(['2025-02-30T00:00:00Z', '2025-01-01T25:00:00Z', '2025-01-01', '2025-01-01T00:00:00', 'now', '', null, {}, Number.NaN])(
    '%j is no instant',
    (value) => {
      expect(toInstant(value)).toBeUndefined()
    },
  )

  it('today turns at midnight of the viewer', () => {
    const at = Date.parse('2025-03-01T16:00:00.000Z')
    expect(timeRoots('Asia/Shanghai', at)).toEqual({ today: '2025-03-02', now: '2025-03-01T16:00:00.000Z' })
    expect(timeRoots('America/New_York', at).today).toBe('2025-03-01')
  })
})

describe('days', () => {
  it('exist or not', () => {
    for (const day of ['2024-02-29', '2025-12-31', '0100-01-01']) expect(isDay(day)).toBe(true)
    for (const day of [
      '2025-02-29',
      '2025-13-01',
      '2025-00-10',
      '2025-1-1',
      '0000-01-01',
      '0001-01-01',
      '20250101',
      '',
      null,
      20250101,
    ])
      expect(isDay(day)).toBe(false)
  })

  it('are the same in every zone', () => {
    for (const timeZone of ZONES) expect(formatOf('date').show('2025-03-01', {}, context(timeZone))).toBe('2025-03-01')
    expect(formatOf('date').show('2025-03-01', { 'x-precision': 'month' }, context('UTC'))).toBe('2025-03')
  })

  it('are read in the ways of people and spreadsheets', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1900-03-01'), max: new Date('2199-12-31'), noInvalidDate: true }), (date) => {
        const day = date.toISOString().slice(0, 10)
        const [year, month, dayOfMonth] = day.split('-').map(Number)
        const serial = Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569
        const english = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' }).format(date)
        for (const cell of [
          `${year}/${month}/${dayOfMonth}`,
          `${year}年${month}月${dayOfMonth}日`,
          `${year}.${month}.${dayOfMonth}`,
          english,
          serial,
          new Date(`${day}T00:00:00Z`),
        ]) {
          expect(parse('date', cell)).toBe(day)
        }
      }),
    )
  })

  it.each(['1/2/2025', '2025-2-30', '25-01-01', 'yesterday', '2025', '1 Foo 2025', '12', '-5', '99999999'])(
    '%s is not guessed',
    (typed) => {
      expect(parse('date', typed)).toContain('is not a date')
    },
  )

  it.each([
    ['2025-3-1 9:05', '2025-03-01T01:05:00.000Z'],
    ['2025年3月1日 21时05分', '2025-03-01T13:05:00.000Z'],
    ['2025年3月1日21:05', '2025-03-01T13:05:00.000Z'],
    ['2025-03-01', '2025-02-28T16:00:00.000Z'],
    ['1 Mar 2025 12:00 AM', '2025-02-28T16:00:00.000Z'],
    ['2025-03-01T09:05:30+02:00', '2025-03-01T07:05:30.000Z'],
    [45717.5, '2025-03-01T04:00:00.000Z'],
  ])('the time %s is %s', (typed, value) => {
    expect(parse('dateTime', typed)).toBe(value)
  })

  it.each(['2025-03-01 24:30', '2025-03-01 9:60', '2025-03-01 13:00 PM', '2025-03-01 x'])('%s is no time', (typed) => {
    expect(parse('dateTime', typed)).toContain('is not a time')
  })
})

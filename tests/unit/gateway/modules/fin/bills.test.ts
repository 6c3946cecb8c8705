import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allocated,
  billStatus,
  billTotals,
  comingStarts,
  periodOf,
  periodsUpTo,
  realisedDifference,
  transitionPeriod,
  type Cycle,
} from '../../../../../gateway/modules/fin/bills/rules'
import { addDays, dayOf, daysBetween, startOfDay } from '../../../../../gateway/platform/calendar'
import { brokenRules, compileEntity } from '../../../../../src/schema/entity'
import type { EntityDocument } from '../../../../../src/schema/generated/entity'
import { readFixture } from '../../../schema/validate/world'

const monthly: Cycle = { kind: 'monthly', startDay: 1 }
const halfMonth: Cycle = { kind: 'halfMonth', startDay: 1 }
const weekly: Cycle = { kind: 'weekly', startDay: 1 }

describe('the total of a bill (money 2.4)', () => {
  it('B1: usage, fees and a credit note, rounded once', () => {
    const entries = [
      { type: 'usage', signedAmount: '-4812.3377' },
      { type: 'fee', signedAmount: '-35' },
      { type: 'adjustment', signedAmount: '12' },
    ]
    expect(billTotals(entries, 'USD')).toEqual({
      usageAmount: '4812.3377',
      feeAmount: '35',
      adjustAmount: '-12',
      exact: '4835.3377',
      taxAmount: '0.00',
      total: '4835.34',
      difference: '0.0023',
    })
  })

  it('L6: rounds 10,000.004321 to 10,000.00', () => {
    expect(billTotals([{ type: 'usage', signedAmount: '-10000.004321' }], 'USD')).toMatchObject({
      total: '10000',
      difference: '-0.004321',
    })
  })

  it('tax is reckoned on the rounded sum and rounded itself', () => {
    expect(billTotals([{ type: 'usage', signedAmount: '-4835.3377' }], 'USD', '6')).toMatchObject({
      taxAmount: '290.12',
      total: '5125.46',
      difference: '0.0023',
    })
  })

  it('is whole in a currency without decimals', () => {
    expect(billTotals([{ type: 'usage', signedAmount: '-1234.5' }], 'JPY')).toMatchObject({ total: '1235', difference: '0.5' })
  })
})

describe('a weekly cycle (the case weekly-cycle)', () => {
  const cycle = compileEntity(JSON.parse(readFileSync('schemas/fin/entities/bill-cycle.json', 'utf8')) as EntityDocument)
  const { body } = readFixture<{ body: Record<string, unknown> }>('cases/weekly-cycle.json')
  const refused = (values: Record<string, unknown>): readonly [string | undefined, string][] =>
    brokenRules(cycle, values, { scope: {}, environment: { locale: 'en', timeZone: 'UTC' } }).map(({ field, message }) => [
      field,
      message.en,
    ])

  it('begins on a day of the week, 1 to 7: the 20th is refused at its field', () => {
    expect(refused(body)).toEqual([['startDay', expect.stringContaining('1 (Monday) to 7 (Sunday)')]])
    for (const startDay of [1, 7]) expect(refused({ ...body, startDay })).toEqual([])
    expect(refused({ ...body, startDay: 8 })).toHaveLength(1)
    expect(refused({ ...body, kind: 'monthly' })).toEqual([])
    expect(periodOf({ kind: 'weekly', startDay: 7 }, '2026-11-25')).toEqual({ from: '2026-11-22', to: '2026-11-28' })
  })
})

describe('what money pays (money 2.4)', () => {
  const bills = [
    { id: 'b', dueDate: '2026-04-03', openAmount: '4835.34' },
    { id: 'a', dueDate: '2026-03-19', openAmount: '100' },
  ]

  it('B1: 3,000 leave 1,835.34 open', () => {
    const { paid, rest } = allocated('3000', bills.slice(0, 1))
    expect([paid[0]?.amount, rest]).toEqual(['3000', '0'])
    expect(billStatus('4835.34', '1835.34')).toBe('partPaid')
    expect([billStatus('10', '10'), billStatus('10', '0')]).toEqual(['issued', 'paid'])
  })

  it('the oldest by due day first, what is named before it, the rest is a prepayment', () => {
    expect(allocated('150', bills).paid.map(({ bill, amount }) => [bill.id, amount])).toEqual([
      ['a', '100'],
      ['b', '50'],
    ])
    expect(allocated('150', bills, { named: ['b'] }).paid.map(({ bill }) => bill.id)).toEqual(['b'])
    expect(allocated('5000', bills).rest).toBe('64.66')
    expect(allocated('5000', bills, { named: ['a'], only: true }).rest).toBe('4900')
  })

  it('L7: a bill of 7.10 that is paid at 7.05 loses 500', () => {
    expect(realisedDifference('10000', '7.1', '7.05')).toBe('500')
  })
})

describe('billing cycles (money 2.5)', () => {
  it.each<[string, Cycle, string, string, string]>([
    ['monthly', monthly, '2026-02-14', '2026-02-01', '2026-02-28'],
    ['monthly from the 5th', { kind: 'monthly', startDay: 5 }, '2026-01-03', '2025-12-05', '2026-01-04'],
    ['half-monthly', halfMonth, '2026-03-16', '2026-03-16', '2026-03-31'],
    ['ten days', { kind: 'tenDay', startDay: 1 }, '2026-03-31', '2026-03-21', '2026-03-31'],
    ['weekly from Monday', weekly, '2026-12-06', '2026-11-30', '2026-12-06'],
    [
      'of ten days from a day',
      { kind: 'days', startDay: 1, lengthDays: 10, anchor: '2026-03-01' },
      '2026-03-15',
      '2026-03-11',
      '2026-03-20',
    ],
  ])('a %s period', (_, cycle, day, from, to) => {
    expect(periodOf(cycle, day)).toEqual({ from, to })
  })

  it('8.5: monthly to half-monthly from 16 December, and to weekly from Monday 7 December', () => {
    expect(transitionPeriod(monthly, halfMonth, '2026-12-16')).toEqual({ from: '2026-12-01', to: '2026-12-15' })
    expect(periodOf(halfMonth, '2026-12-16')).toEqual({ from: '2026-12-16', to: '2026-12-31' })
    expect(transitionPeriod(monthly, weekly, '2026-12-07')).toEqual({ from: '2026-12-01', to: '2026-12-06' })
    expect(() => transitionPeriod(monthly, weekly, '2026-12-08')).toThrow('is no first day')
    expect(comingStarts(weekly, '2026-12-01', 3)).toEqual(['2026-12-07', '2026-12-14', '2026-12-21'])
  })

  const cycles: fc.Arbitrary<Cycle> = fc.oneof(
    fc.record({ kind: fc.constant('weekly' as const), startDay: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ kind: fc.constant('monthly' as const), startDay: fc.integer({ min: 1, max: 28 }) }),
    fc.record({ kind: fc.constantFrom('tenDay' as const, 'halfMonth' as const), startDay: fc.constant(1) }),
  )
  const days = fc.integer({ min: 0, max: 4000 }).map((number) => addDays('2024-01-01', number))

  it('I17: periods have neither gaps nor overlaps, also over a change of cycle', () => {
    fc.assert(
      fc.property(cycles, cycles, days, (current, next, day) => {
        const period = periodOf(current, day)
        expect(period.from <= day && day <= period.to).toBe(true)
        expect(periodOf(current, addDays(period.to, 1)).from).toBe(addDays(period.to, 1))
        const [first] = comingStarts(next, day, 1)
        const cut = transitionPeriod(current, next, first!)
        expect(addDays(cut.to, 1)).toBe(periodOf(next, first!).from)
        expect(daysBetween(cut.from, cut.to)).toBeLessThan(45)
        expect(cut.from).toBe(periodOf(current, cut.to).from)
        const closed = periodsUpTo(current, { since: day, through: addDays(day, 100), cut: true })
        expect([closed[0]!.from, closed.at(-1)!.to]).toEqual([day, addDays(day, 100)])
        for (const [index, { from }] of closed.slice(1).entries()) expect(from).toBe(addDays(closed[index]!.to, 1))
        expect(periodsUpTo(current, { since: day, through: addDays(period.to, -1), cut: false })).toEqual([])
      }),
    )
  })

  const ofDays = fc
    .tuple(fc.integer({ min: 1, max: 92 }), days)
    .map(([lengthDays, anchor]): Cycle => ({ kind: 'days', startDay: 1, lengthDays, anchor }))

  it('I17: every day lies in exactly one period of its cycle, whatever its kind and first day', () => {
    fc.assert(
      fc.property(fc.oneof(cycles, ofDays), days, (cycle, day) => {
        const period = periodOf(cycle, day)
        expect(period.from <= day && day <= period.to).toBe(true)
        for (let one = period.from; one <= period.to; one = addDays(one, 1)) expect(periodOf(cycle, one)).toEqual(period)
        expect([periodOf(cycle, addDays(period.from, -1)).to, periodOf(cycle, addDays(period.to, 1)).from]).toEqual([
          addDays(period.from, -1),
          addDays(period.to, 1),
        ])
        if (cycle.kind === 'weekly') expect(weekdayOf(period.from)).toBe(cycle.startDay)
      }),
    )
  })

  it('I17: bills over changes of cycle hold each day once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(cycles, ofDays), fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 4 }),
        days,
        (turns, begin) => {
          let since = begin
          const billed: string[] = []
          for (const [cycle, count] of turns) {
            const own = { ...cycle, ...(cycle.kind === 'days' ? { anchor: since } : {}) }
            // a change cuts the period that runs on the eve of its first day
            const through = addDays(comingStarts(own, since, count).at(-1)!, -1)
            for (const { from, to } of periodsUpTo(own, { since, through, cut: true }))
              for (let day = from; day <= to; day = addDays(day, 1)) billed.push(day)
            since = addDays(through, 1)
          }
          expect(billed).toEqual(Array.from({ length: daysBetween(begin, since) }, (_, index) => addDays(begin, index)))
        },
      ),
    )
  })

  it('I17: in every zone an instant lies in one day of one period, and periods follow each other', () => {
    const zones = fc.constantFrom(
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Midway',
    )
    const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    fc.assert(
      fc.property(fc.oneof(cycles, ofDays), zones, instants, (cycle, zone, at) => {
        const period = periodOf(cycle, dayOf(new Date(at), zone))
        const [begins, ends] = [startOfDay(period.from, zone), startOfDay(addDays(period.to, 1), zone)]
        expect(Date.parse(begins) <= at && at < Date.parse(ends)).toBe(true)
        expect(periodOf(cycle, dayOf(new Date(Date.parse(ends)), zone)).from).toBe(addDays(period.to, 1))
      }),
    )
  })
})

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

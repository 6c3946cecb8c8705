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
import { addDays, daysBetween } from '../../../../../gateway/platform/calendar'

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

  const cycles = fc.constantFrom<Cycle>(
    monthly,
    halfMonth,
    weekly,
    { kind: 'tenDay', startDay: 1 },
    { kind: 'monthly', startDay: 28 },
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
})

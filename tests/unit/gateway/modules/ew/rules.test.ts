import { describe, expect, it } from 'vitest'
import { firedOver, judge, ruleOf } from '../../../../../gateway/modules/ew/evaluate'
import { chosenConditions } from '../../../../../gateway/modules/ew/rules/chosen'
import { isWithin } from '../../../../../gateway/modules/ew/rules/clock'
import { fires, flaps, isOver, stepOf, stepsDue } from '../../../../../gateway/modules/ew/rules/decide'
import { problemOf } from '../../../../../gateway/modules/ew/rules/expression'
import { baseOf, boundaryOf, nextBoundary, windowStart, type Sample } from '../../../../../gateway/modules/ew/rules/windows'

const ZONE = 'Asia/Shanghai'
const at = (clock: string, day = '2026-11-20'): number => Date.parse(`${day}T${clock}:00+08:00`)
const sample = (clock: string, value: number, more: Partial<Sample> = {}): Sample => ({
  at: at(clock),
  value,
  base: null,
  samples: 800,
  quality: 'ok',
  ...more,
})
const rule = (values: Record<string, unknown>) => ruleOf({ forTimes: 1, ofTimes: 1, resolveTimes: 3, severity: 'P3', ...values })
const series = (samples: Sample[], dims: Record<string, string> = {}) => ({ dimKey: '', dims, samples })

describe('windows of the clock', () => {
  it.each([
    ['15m', '10:16', '10:15', '10:30'],
    ['1h', '10:59', '10:00', '11:00'],
    ['5m', '00:04', '00:00', '00:05'],
  ])('every %s, at %s the last boundary is %s and the next %s', (every, now, last, next) => {
    expect(boundaryOf(new Date(at(now)), every, ZONE).getTime()).toBe(at(last))
    expect(nextBoundary(new Date(at(last)), every, ZONE).getTime()).toBe(at(next))
  })

  it('begins days at midnight of the company, also where the clocks change', () => {
    expect(boundaryOf(new Date('2026-03-29T15:00:00Z'), '1d', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(windowStart(new Date('2026-03-29T22:00:00Z'), '1d', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z')
  })

  it('compares with the window before, the same hour of yesterday, and the average of 7 days, never with too few samples', () => {
    const before = [
      sample('10:00', 90, { at: at('10:00', '2026-11-19') }),
      sample('08:00', 50, { quality: 'low' }),
      sample('09:00', 96),
    ]
    const of = (compare: string) => baseOf(before, new Date(at('10:00')), { compare, every: '1h' }, ZONE)
    expect([of('prevWindow'), of('yesterday'), of('avg7d'), of('lastWeek'), of('none')]).toEqual([96, 90, 93, null, null])
  })
})

describe('the worked examples of alarms', () => {
  it('W1: two of three windows below the base less 15 points fire; three good ones end it', () => {
    const delivery = rule({ expr: 'v < b - 15 && n >= 100', forTimes: 2, ofTimes: 3, severity: 'P2', resolveExpr: 'v > b - 5' })
    const bad = [sample('10:00', 80, { base: 96 }), sample('10:15', 78, { base: 96 })]
    expect(judge(delivery, series(bad.slice(0, 1)), ZONE).fires).toBe(false)
    expect(judge(delivery, series(bad), ZONE)).toMatchObject({ fires: true, over: false, severity: 'P2' })
    const good = ['11:15', '11:30', '11:45'].map((clock) => sample(clock, 95, { base: 96 }))
    expect(judge(delivery, series([...bad, ...good.slice(0, 2)]), ZONE).over).toBe(false)
    expect(judge(delivery, series([...bad, ...good]), ZONE)).toMatchObject({ fires: false, over: true })
  })

  it('W2: a balance of 0.913 of the warning amount is P3, one of 0.281 raises it to P2, 2.03 three times ends it', () => {
    const balance = rule({ expr: 'v < 1', severity: 'P3', severeExpr: 'v < 0.3', severeAs: 'P2' })
    const first = judge(balance, series([sample('09:05', 0.913)]), ZONE)
    expect(first).toMatchObject({ fires: true, severity: 'P3' })
    const worse = judge(balance, series([sample('09:05', 0.913), sample('14:20', 0.281)]), ZONE)
    const open = { status: 'firing', severity: 'P3', resolvedAt: null }
    expect(stepOf(open, { ...worse, requireAck: false }, at('14:20'))).toBe('raise')
    const paid = ['15:05', '15:10', '15:15'].map((clock) => sample(clock, 2.03))
    const over = judge(balance, series([sample('14:20', 0.281), ...paid]), ZONE)
    expect(stepOf({ ...open, severity: 'P2' }, { ...over, requireAck: false }, at('15:16'))).toBe('recover')
  })

  it('W3: the same rule is P1 for a gateway with traffic and P3 for one without', () => {
    const offline = rule({ expr: 'v >= 3', severity: 'P3', severeExpr: 'c.v > 0', severeAs: 'P1' })
    const gateway = series([sample('10:00', 3)], { gateway: 'VOS-HK-2' })
    expect(judge(offline, gateway, ZONE, [sample('10:00', 40)]).severity).toBe('P1')
    expect(judge(offline, { ...gateway, dims: { gateway: 'VOS-TEST-1' } }, ZONE, [sample('10:00', 0)]).severity).toBe('P3')
  })

  it('W4: a margin of -2 % is below the floor and P1', () => {
    const margin = rule({ expr: 'v < 8', severity: 'P2', severeExpr: 'v < 0', severeAs: 'P1' })
    expect(judge(margin, series([sample('10:00', -2)], { customer: 'C-TRADE', country: 'IN' }), ZONE)).toMatchObject({
      fires: true,
      severity: 'P1',
    })
  })
})

describe('conditions', () => {
  it.each([
    ['pct(v, b) < -30 && n >= 50', 60, true],
    ['lastAvg(3) < 80', 60, true],
    ['trend(3) < 0', 60, true],
    ["includes(['IN', 'BR'], dims.country) && hour === 10 && weekday === 5", 60, true],
    ['lastMin(2) > 60', 60, false],
    // nothing is known of another indicator that has no series of these dimensions
    ['c.v > 0 || v > 0', 60, false],
  ])('%s', (expr, value, expected) => {
    const samples = [sample('09:30', 90), sample('09:45', 75), sample('10:00', value, { base: 100 })]
    expect(judge(rule({ expr }), series(samples, { country: 'IN' }), ZONE).fires).toBe(expected)
  })

  it('judges nothing by too few samples: it neither fires nor ends', () => {
    const low = [sample('10:00', 0, { quality: 'low' })]
    expect(judge(rule({ expr: 'v < 1', resolveTimes: 1 }), series(low), ZONE)).toMatchObject({ fires: false, over: false })
  })

  it.each([
    ['v <', false],
    ['w > 1', false],
    ['process.exit()', false],
    ['v > 1', true],
  ])('reads %s: %s', (text, fine) => expect(problemOf(text) === null).toBe(fine))
})

describe('from one evaluation to the next', () => {
  const found = { fires: true, over: false, severity: 'P2', requireAck: false }
  const now = at('12:00')
  it.each([
    ['nothing there', undefined, found, 'open'],
    ['firing', { status: 'firing', severity: 'P2', resolvedAt: null }, found, 'again'],
    ['acknowledged', { status: 'acknowledged', severity: 'P2', resolvedAt: null }, { ...found, severity: 'P1' }, 'raise'],
    ['over for 20 minutes', { status: 'resolved', severity: 'P2', resolvedAt: at('11:40') }, found, 'reopen'],
    ['over for 31 minutes', { status: 'resolved', severity: 'P2', resolvedAt: at('11:29') }, found, 'open'],
    ['a false alarm', { status: 'falseAlarm', severity: 'P2', resolvedAt: at('11:55') }, found, 'open'],
    [
      'snoozed and over',
      { status: 'snoozed', severity: 'P2', resolvedAt: null },
      { ...found, fires: false, over: true },
      'recover',
    ],
    [
      'needs somebody',
      { status: 'firing', severity: 'P2', resolvedAt: null },
      { ...found, fires: false, over: true, requireAck: true },
      'none',
    ],
    ['between', { status: 'firing', severity: 'P2', resolvedAt: null }, { ...found, fires: false }, 'none'],
  ] as const)('%s', (_, last, verdict, step) => expect(stepOf(last, verdict, now)).toBe(step))

  it('counts n of m, and times in a row', () => {
    expect([fires([true, false, true], 2, 3), fires([true, true, false], 2, 3), fires([true], 2, 3)]).toEqual([
      true,
      false,
      false,
    ])
    expect([isOver([true, true, true], 3), isOver([true, true], 3), isOver([true, false, true], 2)]).toEqual([true, false, false])
  })

  it('escalates an unacknowledged alarm after 15 and 30 minutes', () => {
    const steps = [{ afterMin: 15 }, { afterMin: 30 }]
    expect(['12:14', '12:15', '12:29', '12:30'].map((clock) => stepsDue(steps, now, at(clock)))).toEqual([0, 1, 1, 2])
  })

  it('mutes what fires more than 6 times in an hour', () => {
    const fired = (times: number): number[] => Array.from({ length: times }, (_, index) => now - index * 500_000)
    expect([flaps(fired(6), now), flaps(fired(7), now), flaps([...fired(6), now - 3_600_000], now)]).toEqual([false, true, false])
  })

  it('is quiet over midnight', () => {
    expect(['21:59', '22:00', '07:59', '08:00'].map((clock) => isWithin(at(clock), '22:00', '08:00', ZONE))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('tries a rule out over samples: each time until it was over', () => {
    const values = [2, 0.5, 0.4, 2, 2, 2, 0.9, 2]
    const samples = values.map((value, index) => sample('10:00', value, { at: at('10:00') + index * 300_000 }))
    expect(firedOver(rule({ expr: 'v < 1' }), [series(samples)], ZONE)).toBe(2)
  })
})

describe('a condition that is chosen', () => {
  const chosen = { conditionBy: 'choice', figure: 'value', comparison: 'lt', limitValue: '80' }

  it('is the formula that a person would have written, with its threshold in words', () => {
    expect(chosenConditions(chosen)).toEqual({ expr: 'v < 80', severeExpr: null, resolveExpr: null, threshold: '< 80' })
    expect(
      chosenConditions({
        ...chosen,
        figure: 'change',
        comparison: 'gte',
        limitValue: '25.50',
        severeLimit: '50',
        overLimit: '10',
        samplesAtLeast: 100,
      }),
    ).toEqual({
      expr: 'pct(v, b) >= 25.5 && n >= 100',
      severeExpr: 'pct(v, b) >= 50 && n >= 100',
      resolveExpr: 'pct(v, b) < 10',
      threshold: 'Δ% >= 25.5',
    })
  })

  it.each(['value', 'overBase', 'change', 'trend'])('of %s can be read', (figure) =>
    expect(problemOf(chosenConditions({ ...chosen, figure })!.expr)).toBeNull(),
  )

  it('is none where there is no value, or a formula of its own', () => {
    expect(chosenConditions({ ...chosen, limitValue: null })).toBeUndefined()
    expect(chosenConditions({ ...chosen, conditionBy: 'text' })).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { funnelOf, median, type StageStep } from '../../../../../support/funnel'

const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const step = (
  opportunityId: string,
  fromStage: string | null,
  toStage: string,
  at: string,
  daysInStage: number | null = null,
): StageStep => ({
  opportunityId,
  fromStage,
  toStage,
  at: `2026-${at}T00:00:00.000Z`,
  daysInStage,
})
const of = (steps: readonly StageStep[], stage: string) => funnelOf(steps, period).find((one) => one.stage === stage)

describe('the funnel by the stage log', () => {
  const steps = [
    step('a', null, 's1', '01-02'),
    step('a', 's1', 's2', '01-05', 3),
    step('a', 's2', 'lost', '01-20', 15),
    step('b', null, 's1', '01-03'),
    step('b', 's1', 's3', '01-09', 6),
    step('c', null, 's1', '01-28'),
    step('c', 's1', 's2', '02-03', 6),
    step('d', null, 's1', '12-01'),
  ]

  it('follows the log of the period, not the present stage (R015)', () => {
    expect(of(steps, 's1')).toMatchObject({
      entered: ['a', 'b', 'c'],
      passed: ['a', 'b'],
      lost: [],
      stayed: ['c'],
      left: ['a', 'b'],
      medianDays: 4.5,
    })
    expect(of(steps, 's2')).toMatchObject({ entered: ['a'], passed: [], lost: ['a'], stayed: [] })
    expect(of(steps, 's3')).toMatchObject({ entered: ['b'], stayed: ['b'], medianDays: null })
  })

  it('counts who goes back and forth once', () => {
    const back = [
      step('a', null, 's1', '01-01'),
      step('a', 's1', 's2', '01-02', 1),
      step('a', 's2', 's1', '01-03', 1),
      step('a', 's1', 's2', '01-04', 1),
    ]
    expect(of(back, 's2')).toMatchObject({ entered: ['a'], passed: [], stayed: ['a'] })
    expect(of(back, 's1')).toMatchObject({ entered: ['a'], passed: ['a'], left: ['a'] })
  })

  it('adds up for every log: entered = passed + lost + stayed, each once', () => {
    const stages = ['s1', 's2', 's3', 's4', 's5', 'won', 'lost']
    const anyStep = fc.record({
      opportunityId: fc.constantFrom('a', 'b', 'c', 'd'),
      fromStage: fc.constantFrom(null, ...stages),
      toStage: fc.constantFrom(...stages),
      at: fc.integer({ min: 0, max: 60 }).map((day) => new Date(Date.UTC(2025, 11, 15 + day)).toISOString()),
      daysInStage: fc.option(fc.integer({ min: 0, max: 50 })),
    })
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (log) => {
        for (const stage of funnelOf(log, period)) {
          const parts = [...stage.passed, ...stage.lost, ...stage.stayed].sort()
          if (JSON.stringify(parts) !== JSON.stringify(stage.entered)) return false
          if (new Set(parts).size !== parts.length) return false
        }
        return true
      }),
    )
  })

  it('takes the middle value, or the mean of the two middle ones', () => {
    expect([median([]), median([3]), median([9, 1]), median([9, 1, 4])]).toEqual([null, 3, 5, 4])
  })
})

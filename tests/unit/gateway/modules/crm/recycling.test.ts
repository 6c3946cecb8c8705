import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../../gateway/platform/calendar'
import { decideRecycling, type RecyclingFacts } from '../../../../../gateway/modules/crm/demo/recycling'
import { deadline, withNotice } from '../../../../../gateway/ownership/rules'
import type { RuleSubject } from '../../../../../gateway/entities'
import { resolveRule, type RuleOverride } from '../../../../../gateway/rules/resolve'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

const ZONE = 'Asia/Shanghai'
const sea = RULE_DEFAULTS['crm.sea']
const at = (text: string): string => new Date(`${text}+08:00`).toISOString()
const customer = (facts: Partial<RecyclingFacts> = {}): RecyclingFacts => ({
  holding: 'private',
  level: 'd',
  stage: 'following',
  tags: [],
  ownedAt: at('2026-11-02T11:00:00'),
  lastFollowAt: at('2026-11-06T15:00:00'),
  firstDealAt: null,
  lastTrafficAt: null,
  protectUntil: null,
  balance: null,
  held: false,
  ...facts,
})

describe('leave, notice and extension in the recycling rule (CRM rule 9.2)', () => {
  it('adds the days of leave to the deadline, and waits while the leave has no end', () => {
    expect(deadline('2026-11-06', 15, [{ from: '2026-11-10', until: '2026-11-14' }])).toBe('2026-11-26')
    expect(deadline('2026-11-06', 15, [{ from: '2026-11-20', until: '2026-11-30' }])).toBe('2026-12-02')
    expect(deadline('2026-11-06', 15, [{ from: '2026-11-22', until: '2026-11-30' }])).toBe('2026-11-21')
    const away = customer({ leaves: [{ from: '2026-11-10', until: null }] })
    expect(decideRecycling(away, sea, ZONE).recycleOn).toBeNull()
    expect(decideRecycling(away, { ...sea, pauseOnLeave: false }, ZONE).recycleOn).toBe('2026-11-22')
  })

  it('keeps what a change of the rule gave notice of', () => {
    // three days, also for whoever had no day at all
    expect(withNotice('2026-11-21', '2026-11-30', '2026-11-22')).toBe('2026-11-25')
    expect(withNotice('2026-11-21', null, '2026-11-22')).toBe('2026-11-25')
    // the next day nothing comes nearer any more, and nobody gets more notice than the first time
    expect(withNotice('2026-11-21', '2026-11-25', '2026-11-23')).toBe('2026-11-25')
    expect(withNotice('2026-11-21', '2026-11-23', '2026-11-22')).toBe('2026-11-23')
    expect(withNotice('2026-11-28', '2026-11-30', '2026-11-22')).toBe('2026-11-28')
    expect(withNotice('2026-12-01', '2026-11-23', '2026-11-22')).toBe('2026-12-01')
    expect(withNotice(null, '2026-11-23', '2026-11-22')).toBeNull()
  })

  it('gives an undealt customer 180 days, and 60 more with an opportunity at s3 or later', () => {
    const followed = customer({ ownedAt: at('2026-01-01T09:00:00'), lastFollowAt: at('2026-06-28T09:00:00') })
    expect(decideRecycling(followed, sea, ZONE)).toEqual({ recycleOn: '2026-07-01', reason: 'noDeal' })
    expect(decideRecycling({ ...followed, lateOpportunity: true }, sea, ZONE)).toEqual({
      recycleOn: '2026-07-14',
      reason: 'noFollow',
    })
  })

  it('never comes earlier because of a leave, whatever the leave', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(40), (days, start, length) => {
        const from = addDays('2026-11-01', start)
        const end = deadline('2026-11-06', days, [{ from, until: addDays(from, length) }])
        expect(end !== null && end >= addDays('2026-11-06', days)).toBe(true)
      }),
    )
  })
})

describe('which parameters hold for whom', () => {
  interface Params {
    a: number
    b: number
    nested: { x: number; y: number }
  }
  const defaults: Params = { a: 0, b: 0, nested: { x: 0, y: 0 } }
  const ORDER = ['country', 'level', 'department:root', 'department:own', 'staff'] as const
  const KINDS = ['staff', 'department', 'level', 'country']
  const subject: RuleSubject = { staffId: 'me', deptIds: ['root', 'own'], level: 'b', countryCode: 'CN' }
  const target = (place: (typeof ORDER)[number]): Pick<RuleOverride<Params>, 'targetType' | 'targetId'> => {
    if (place === 'staff') return { targetType: 'staff', targetId: 'me' }
    if (place === 'country') return { targetType: 'country', targetId: 'CN' }
    if (place === 'level') return { targetType: 'level', targetId: 'b' }
    return { targetType: 'department', targetId: place.slice('department:'.length) }
  }
  const partial = fc.record({ a: fc.integer(), b: fc.integer(), nested: fc.record({ x: fc.integer() }) }, { requiredKeys: [] })

  it('takes each key from the nearest that says it: person, own department, its parents, level, country, rule set, default', () => {
    fc.assert(
      fc.property(
        fc.option(partial, { nil: null }),
        fc.shuffledSubarray([...ORDER]),
        fc.array(partial, { minLength: 5, maxLength: 5 }),
        (set, places, params) => {
          const overrides = places.map((place, index) => ({ ...target(place), params: params[index] as Partial<Params> }))
          const resolved = resolveRule(defaults, set as Partial<Params> | null, overrides, subject, KINDS)
          const layers = [
            set,
            ...ORDER.map((place) => params[places.indexOf(place)]).map((one, index) =>
              places.includes(ORDER[index]!) ? one : null,
            ),
          ]
          const nearest = (of: (layer: Partial<Params>) => number | undefined): number =>
            layers.reduce<number>((value, layer) => (layer ? (of(layer as Partial<Params>) ?? value) : value), 0)
          expect(resolved).toEqual({
            a: nearest((layer) => layer.a),
            b: nearest((layer) => layer.b),
            nested: { x: nearest((layer) => layer.nested?.x), y: 0 },
          })
        },
      ),
    )
  })

  it('ignores exceptions for others', () => {
    const others = [
      { targetType: 'staff', targetId: 'you', params: { a: 1 } },
      { targetType: 'department', targetId: 'elsewhere', params: { a: 2 } },
    ]
    expect(resolveRule(defaults, null, others, subject, KINDS)).toEqual(defaults)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  addDays,
  dayOf,
  daysBetween,
  instantAt,
  mondayOf,
  nextWorkingDay,
} from '../../../../../gateway/modules/crm/rules/companyDay'
import { countsAgainstCap, decideRecycling, type RecyclingFacts } from '../../../../../gateway/modules/crm/demo/recycling'
import { claimableFrom, holdingCap } from '../../../../../gateway/ownership/rules'
import { mergeParams } from '../../../../../gateway/rules/resolve'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

import { evaluate } from '../../../../../src/schema/expression'
import type { EntityDocument } from '../../../../../src/schema/generated/entity'
import { wholeSchema } from '../../../../support/schemas'

const ZONE = 'Asia/Shanghai'
const sea = RULE_DEFAULTS['crm.sea']
const rules = { claim: RULE_DEFAULTS['crm.claim'], coolDown: RULE_DEFAULTS['crm.coolDown'] }
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
  protectUntil: '2026-11-09',
  balance: null,
  held: false,
  ...facts,
})

describe('recycling to the open sea', () => {
  it('recycles on 22 November what was claimed on the 2nd and last followed on the 6th, and reminds on the 15th, 19th and 21st', () => {
    expect(decideRecycling(customer(), sea, ZONE)).toEqual({ recycleOn: '2026-11-22', reason: 'noFollow' })
    expect(sea.remindDays.map((days) => addDays('2026-11-22', -days)).sort()).toEqual(['2026-11-15', '2026-11-19', '2026-11-21'])
  })
  it('recycles an untouched claim on the day after the third one, though it is protected', () => {
    expect(decideRecycling(customer({ lastFollowAt: null, stage: 'potential' }), sea, ZONE)).toEqual({
      recycleOn: '2026-11-06',
      reason: 'firstTouch',
    })
  })
  it('does not count follow-ups from before the present owner as a touch', () => {
    expect(decideRecycling(customer({ lastFollowAt: at('2026-10-30T10:00:00') }), sea, ZONE).reason).toBe('firstTouch')
  })
  it('exempts a balance above 100 and not one of exactly 100', () => {
    expect(decideRecycling(customer({ balance: '100.01' }), sea, ZONE).recycleOn).toBeNull()
    expect(decideRecycling(customer({ balance: '100.00' }), sea, ZONE).recycleOn).toBe('2026-11-22')
  })
  it('exempts class A, frozen, kept and held customers', () => {
    for (const facts of [{ level: 'a' }, { holding: 'frozen' }, { tags: ['keep'] }, { held: true }])
      expect(decideRecycling(customer(facts), sea, ZONE).recycleOn).toBeNull()
  })
  it('waits for both follow-up and traffic once a customer has dealt', () => {
    const dealt = customer({
      stage: 'dealt',
      firstDealAt: at('2026-01-01T00:00:00'),
      lastTrafficAt: at('2026-11-10T00:00:00'),
      protectUntil: null,
    })
    expect(decideRecycling(dealt, sea, ZONE).recycleOn).toBe(addDays('2026-11-10', 91))
  })
  it('never recycles before the protection ends, unless untouched', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('potential', 'following', 'testing', 'quoted'),
        (days, stage) => {
          const protectUntil = addDays('2026-11-02', days)
          const { recycleOn } = decideRecycling(customer({ protectUntil, stage }), sea, ZONE)
          expect(recycleOn !== null && recycleOn > protectUntil).toBe(true)
        },
      ),
    )
  })
})

describe('claiming from the open sea', () => {
  const document = wholeSchema<EntityDocument>('crm/entities/customer.json')
  const claim = document['x-states']![0]!.transitions.find(({ id }) => id === 'claim')!
  const stay = (more: object = {}) => ({
    enteredAt: at('2026-11-22T02:00:00'),
    reason: 'noFollow',
    lastOwnerId: 'old',
    lastOwnerDeptId: 'd1',
    claimableFrom: null,
    ...more,
  })
  const usage = (more: object = {}) => ({
    deptIds: ['d2'],
    claimsToday: 0,
    daily: 10,
    claimsThisWeek: 0,
    weekly: 40,
    counted: 0,
    cap: 150,
    ...more,
  })
  /** What the entity says of a claim at noon of a day: the first refusal that holds, with its words. */
  const refused = (
    {
      me = 'me',
      on = '2026-11-25',
      recentStays = 1,
      of = stay(),
    }: { me?: string; on?: string; recentStays?: number; of?: object },
    mine = usage(),
  ): { id: string; zh: string; en: string } | undefined => {
    const scope = {
      ...rules,
      stay: of,
      recentStays,
      mine,
      user: { staffId: me },
      today: on,
      now: at(`${on}T12:00:00`),
      adding: 1,
    }
    const environment = { locale: 'zh', timeZone: ZONE } as const
    const held = claim.refuse!.find(({ when }) => evaluate(when, scope, environment))
    const said = (locale: 'zh' | 'en'): string => String(evaluate(held!.message[locale], scope, { ...environment, locale }))
    return held && { id: held.id, zh: said('zh'), en: said('en') }
  }

  it('opens on the next working day at ten: a Sunday night entry on Monday, a Friday one on Monday', () => {
    expect(claimableFrom(new Date(at('2026-11-22T02:00:00')), rules.claim, ZONE).toISOString()).toBe(at('2026-11-23T10:00:00'))
    expect(claimableFrom(new Date(at('2026-11-20T16:00:00')), rules.claim, ZONE).toISOString()).toBe(at('2026-11-23T10:00:00'))
  })
  it('lets the previous owner claim from 12-23, his department from 11-30 and others at once', () => {
    expect(refused({ me: 'old', on: '2026-12-22' })?.id).toBe('coolDown')
    expect(refused({ me: 'old', on: '2026-12-23' })).toBeUndefined()
    expect(refused({ on: '2026-11-29' }, usage({ deptIds: ['d1'] }))?.id).toBe('coolDown')
    expect(refused({ on: '2026-11-30' }, usage({ deptIds: ['d1'] }))).toBeUndefined()
    expect(refused({})).toBeUndefined()
    expect(refused({ me: 'old', of: stay({ reason: 'staffLeft' }) })).toBeUndefined()
  })
  it('names the first check that fails, in the fixed order', () => {
    const all = usage({ claimsToday: 99, claimsThisWeek: 99, counted: 150 })
    expect(claim.from).toEqual(['sea'])
    expect(refused({ me: 'old', of: stay({ claimableFrom: at('2026-11-26T10:00:00') }) }, all)?.id).toBe('notYetOpen')
    expect(refused({ me: 'old', recentStays: 3 }, all)?.id).toBe('managerOnly')
    expect(refused({ me: 'old' }, all)).toMatchObject({
      id: 'coolDown',
      zh: '冷却期至 2026-12-22',
      en: 'Cool-down until 2026-12-22',
    })
    expect(refused({}, usage({ claimsToday: 10, claimsThisWeek: 99, counted: 150 }))?.id).toBe('dailyLimit')
    expect(refused({}, usage({ claimsThisWeek: 40, counted: 150 }))?.id).toBe('weeklyLimit')
    expect(refused({}, usage({ counted: 150 }))?.id).toBe('capFull')
    expect(refused({}, usage({ counted: 149, claimsToday: 9, claimsThisWeek: 39 }))).toBeUndefined()
  })
  it('says the reason in both languages', () => {
    expect(refused({ of: stay({ claimableFrom: at('2026-11-26T10:00:00') }) })).toMatchObject({
      zh: '2026-11-26 10:00 起可领取',
      en: 'Claimable from 2026-11-26 10:00',
    })
  })
})

describe('holding cap', () => {
  const retention = RULE_DEFAULTS['crm.retention']
  const now = new Date(at('2026-11-20T12:00:00'))
  it('is 150, 250 for seniors, 300 for leads and 80 for newcomers', () => {
    expect(holdingCap({ position: 'sales', hiredOn: '2025-11-01' }, retention, '2026-11-20')).toBe(150)
    expect(holdingCap({ position: 'sales', hiredOn: '2020-11-01' }, retention, '2026-11-20')).toBe(250)
    expect(holdingCap({ position: 'salesLead', hiredOn: '2026-11-01' }, retention, '2026-11-20')).toBe(300)
    expect(holdingCap({ position: 'sales', hiredOn: '2026-11-01' }, retention, '2026-11-20')).toBe(80)
  })
  it('leaves out level A, frozen and active dealt customers, and counts a silent one again', () => {
    const dealt = { holding: 'private', level: 'b', stage: 'dealt', lastTrafficAt: at('2026-10-01T00:00:00') }
    expect(countsAgainstCap(dealt, retention, now, ZONE)).toBe(false)
    expect(countsAgainstCap({ ...dealt, lastTrafficAt: at('2026-06-01T00:00:00') }, retention, now, ZONE)).toBe(true)
    expect(countsAgainstCap({ ...dealt, stage: 'silent' }, retention, now, ZONE)).toBe(true)
    expect(countsAgainstCap({ ...dealt, stage: 'potential', level: 'a' }, retention, now, ZONE)).toBe(false)
    expect(countsAgainstCap({ ...dealt, stage: 'potential', holding: 'frozen' }, retention, now, ZONE)).toBe(false)
  })
})

describe('company days and rule parameters', () => {
  it('counts calendar days in the company zone and starts the week on Monday (R417)', () => {
    expect(dayOf('2026-11-20T16:30:00.000Z', ZONE)).toBe('2026-11-21')
    expect(mondayOf('2026-11-22')).toBe('2026-11-16')
    expect(nextWorkingDay('2026-11-20')).toBe('2026-11-23')
    fc.assert(
      fc.property(fc.integer({ min: -4000, max: 4000 }), (days) => {
        expect(daysBetween('2026-01-01', addDays('2026-01-01', days))).toBe(days)
      }),
    )
  })
  it('finds the instant of a local time in any zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
        fc.integer({ min: 0, max: 700 }),
        (zone, days) => {
          const day = addDays('2026-01-01', days)
          expect(dayOf(instantAt(day, '10:00', zone), zone)).toBe(day)
        },
      ),
    )
  })
  it('lays overrides over defaults key by key and ignores unknown keys', () => {
    const merged = mergeParams(sea, { noFollowDays: { ...sea.noFollowDays, quoted: 45 } }, { maxPerNight: 5 })
    expect(merged.noFollowDays.quoted).toBe(45)
    expect(merged.maxPerNight).toBe(5)
    expect(mergeParams(sea, JSON.parse('{"nonsense":1}'))).toEqual(sea)
  })
})

import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitAfter, waitsOf } from '../../../../../gateway/entities/effects/outbox'
import { isAlias, makeAlias, systemsOf } from '../../../../../gateway/modules/crm/rules/alias'
import { classAFigures, computedLevel } from '../../../../../gateway/modules/crm/rules/classA'
import { monthStart, type MonthFigure } from '../../../../../gateway/modules/crm/rules/months'
import { matchKeys } from '../../../../../gateway/duplicates'
import { matchOf } from '../../../../../gateway/modules/crm/services/blacklist/match'
import { commissionOf } from '../../../../../gateway/modules/crm/services/partner/partnerProfile'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'
import { compileEntity, entityExpression } from '../../../../../src/schema/entity'
import { compileExpression } from '../../../../../src/schema/expression'
import type { EntityDocument } from '../../../../../src/schema/generated/entity'
import { wholeSchema } from '../../../../support/schemas'

const ALPHABET = RULE_DEFAULTS['crm.alias'].alphabet

describe('a share', () => {
  it('lasts at most a year and does not end in the past', () => {
    const share = compileEntity(wholeSchema<EntityDocument>('crm/entities/share.json'))
    const names = { today: '2026-11-20', wander: RULE_DEFAULTS['crm.wander'] }
    const environment = { locale: 'en', timeZone: 'Asia/Shanghai' } as const
    const broken = (until: string | null): string[] =>
      (share.document['x-rules'] ?? [])
        .filter(({ field, when }) => field === 'until' && entityExpression(share, when)({ ...names, until }, environment))
        .map(({ id }) => id)
    expect(['2026-11-20', '2027-11-20', null].flatMap(broken)).toEqual([])
    expect(broken('2026-11-19')).toEqual(['notPast'])
    expect(broken('2027-11-21')).toEqual(['until'])
  })
})

describe('the blacklist', () => {
  const entry = {
    nameKey: matchKeys('Falcon Gulf Messaging FZE').nameKey,
    domains: ['falcon.example'],
    emails: ['boss@mail.example'],
    phones: ['+971501234567'],
    regNos: ['AE123'],
  }
  const rule = (identity: object) => matchOf(identity, entry, 0.92)?.rule ?? null

  it('is met by number, name, domain, mail and phone in this order, and by a near name as a warning', () => {
    const all = { regNos: ['AE123'], nameKey: entry.nameKey, domains: entry.domains, emails: entry.emails, phones: entry.phones }
    expect(rule(all)).toBe('regNo')
    expect(rule({ ...all, regNos: [] })).toBe('nameKey')
    expect(rule({ ...all, regNos: [], nameKey: 'else' })).toBe('domain')
    expect(rule({ emails: entry.emails, phones: entry.phones })).toBe('email')
    expect(rule({ phones: entry.phones })).toBe('phone')
    expect(rule({ nameKey: matchKeys('Falcon Gulf Messagings FZE').nameKey })).toBe('similar')
    expect(rule({ nameKey: matchKeys('Falcon Gulf Trading FZE').nameKey })).toBeNull()
    expect(rule({})).toBeNull()
  })
})

describe('an alias', () => {
  it('is the country and four characters that nobody mixes up', () => {
    fc.assert(
      fc.property(fc.constantFrom('SG', 'CN', 'AE'), fc.infiniteStream(fc.nat()), (country, numbers) => {
        const alias = makeAlias(country, ALPHABET, (below) => Number(numbers.next().value) % below)
        expect(alias.startsWith(country)).toBe(true)
        expect(isAlias(alias, ALPHABET)).toBe(true)
      }),
    )
    for (const wrong of ['SGK7Q', 'sgk7qd', 'SGK7QO', 'SGK7Q1', 'SG-7QD', 'SGK7QDX'])
      expect(isAlias(wrong, ALPHABET), wrong).toBe(false)
    expect(ALPHABET).not.toMatch(/[0O1I2Z5S8B]/)
    expect(isAlias('SGK7QD', ALPHABET)).toBe(true)
  })

  it('is told to the systems that know the customer, the reports always', () => {
    const base = { products: ['sms', 'voice'], platform: 'main', erpCode: 'K1', dealt: false }
    expect(systemsOf(base)).toEqual(['smsPlatform', 'voicePlatform', 'erp', 'reportStore'])
    expect(systemsOf({ products: ['device'], platform: 'both', erpCode: null, dealt: true })).toEqual([
      'buka',
      'reportStore',
      'channelNotes',
    ])
  })

  it('is tried again after 1, 5, 15 and 60 minutes and fails with the fifth time', () => {
    const rules = RULE_DEFAULTS['crm.alias']
    const waits = waitsOf(rules.retryMinutes)
    const spans = [1, 2, 3, 4, 5].map((attempt) => waitAfter(attempt, waits, rules.maxAttempts))
    expect(spans).toEqual(['PT1M', 'PT5M', 'PT15M', 'PT60M', undefined])
  })
})

describe('class A', () => {
  const TODAY = '2026-11-20'
  const rules = { classA: RULE_DEFAULTS['crm.classA'], level: RULE_DEFAULTS['crm.level'] }
  /** Full months before the one of today, the latest first. */
  const months = (count: number, revenue: number, profit: number, overdueDays = 0): MonthFigure[] =>
    Array.from({ length: count }, (_, back) => ({
      month: monthStart(TODAY, back + 1),
      revenue: revenue.toFixed(2),
      profit: profit.toFixed(2),
      overdueDays,
    }))

  it('counts revenue 12,400 at 8.4 % without overdue bills as 75 points: level B; at 2.1 % as 55: C', () => {
    const figures = (margin: number) => months(3, 12_400, 12_400 * margin)
    const points = (margin: number) => classAFigures(figures(margin), TODAY, rules).points
    expect([points(0.084), computedLevel(figures(0.084), TODAY, rules.level)]).toEqual([75, 'b'])
    expect([points(0.021), computedLevel(figures(0.021), TODAY, rules.level)]).toEqual([55, 'c'])
  })

  it('makes a candidate by points or by the profit of twelve full months, and says which threshold is met', () => {
    const byPoints = classAFigures(months(3, 60_000, 9_600), TODAY, rules)
    expect(byPoints).toMatchObject({ points: 100, candidate: true, margin: '16.00', profit12m: '204480.00' })
    expect(byPoints.thresholds.filter((one) => !one.met).map((one) => one.id)).toEqual(['profit12m'])
    const byProfit = classAFigures(months(12, 200_000, 6_000, 12), TODAY, rules)
    expect([byProfit.points, byProfit.candidate, byProfit.overdueCount]).toEqual([60, true, 3])
    expect(byProfit.thresholds.filter((one) => one.met).map((one) => one.id)).toEqual(['revenue', 'profit12m'])
    expect(classAFigures([], TODAY, rules).candidate).toBe(false)
    // one good month is no year
    expect(classAFigures(months(1, 200_000, 6_000), TODAY, rules)).toMatchObject({ candidate: false, profit12m: '42600.00' })
  })

  it('counts 90 days from months: the oldest by its days, this month as far as it is, and never projects', () => {
    // 2026-11-20 - 89 days = 2026-08-23: 9 of 31 days of August
    const of = (month: string, revenue: string): MonthFigure => ({ month, revenue, profit: '0', overdueDays: 0 })
    const rows = [
      of('2026-07-01', '9999'),
      of('2026-08-01', '3100'),
      of('2026-09-01', '10'),
      of('2026-10-01', '20'),
      of('2026-11-01', '5'),
    ]
    expect(classAFigures(rows, TODAY, rules).revenue90).toBe('935.00')
    const money = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2))
    const row = fc.record({
      month: fc.integer({ min: 0, max: 14 }).map((back) => monthStart(TODAY, back)),
      revenue: money,
      profit: money,
      overdueDays: fc.integer({ min: 0, max: 30 }),
    })
    fc.assert(
      fc.property(fc.array(row), fc.array(row), (a, b) => {
        const sum = (rows: readonly MonthFigure[]) => Number(classAFigures(rows, TODAY, rules).revenue90)
        const all = a.reduce((total, { revenue }) => total + Number(revenue), 0)
        expect(sum(a)).toBeLessThanOrEqual(all + 0.005)
        expect(Math.abs(sum([...a, ...b]) - sum(a) - sum(b))).toBeLessThanOrEqual(0.0151)
        const year = a.filter(({ month }) => month < monthStart(TODAY) && month >= monthStart(TODAY, 12))
        const profit = year.reduce((total, one) => total.plus(one.profit), new Decimal(0)).times(rules.classA.cnyPerUsd)
        expect(classAFigures(a, TODAY, rules).profit12m).toBe(profit.toFixed(2))
      }),
    )
  })

  it('lasts whole months, also from the end of a month', () => {
    const { 'x-states': machines } = wholeSchema<EntityDocument>('crm/entities/class-apply.json')
    const to = machines![0]!.transitions.find(({ id }) => id === 'approve')!.effects!.find(({ id }) => id === 'to')!
    const lastDay = (grantedFrom: string, validMonths: number | null) =>
      compileExpression(String(to.with.grantedTo))({ grantedFrom, validMonths }, { locale: 'en', timeZone: 'UTC' })
    expect(lastDay('2026-11-20', 12)).toBe('2027-11-19')
    expect(lastDay('2026-08-31', 6)).toBe('2027-02-27')
    expect(lastDay('2026-12-31', 1)).toBe('2027-01-30')
    expect(lastDay('2026-11-20', null)).toBe('2027-11-19')
  })
})

describe('the commission of a partner', () => {
  it('is a share of revenue or of profit, and nothing without a mode or of a loss', () => {
    const figures = { revenue30: '1000', profit30: '200' }
    expect(commissionOf({ commissionMode: 'revenueShare', commissionRate: '8' }, figures)).toBe('80.00')
    expect(commissionOf({ commissionMode: 'profitShare', commissionRate: '12.5' }, figures)).toBe('25.00')
    expect(commissionOf({ commissionMode: 'profitShare', commissionRate: '12.5' }, { ...figures, profit30: '-3' })).toBe('0.00')
    expect(commissionOf({ commissionMode: 'none' }, figures)).toBeNull()
  })

  it('is exact to the cent, rounded once and half up, whatever the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.integer({ min: 0, max: 5_000 }), (millionths, hundredths) => {
        const revenue30 = `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`
        const commissionRate = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
        // cents = millionths / 10^4 * hundredths / 10^4
        const cents = (millionths * BigInt(hundredths) * 2n + 10n ** 8n) / (2n * 10n ** 8n)
        const wanted = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
        expect(commissionOf({ commissionMode: 'revenueShare', commissionRate }, { revenue30, profit30: '0' })).toBe(wanted)
      }),
    )
  })
})

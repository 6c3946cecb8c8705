import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALIAS_ALPHABET, isAlias, makeAlias, nextAttempt, systemsOf } from '../../../../../gateway/modules/crm/rules/alias'
import { classAFigures, levelOf, levelPoints } from '../../../../../gateway/modules/crm/rules/classA'
import { CRM_RULE_DEFAULTS } from '../../../../../gateway/modules/crm/rules/ruleSets'
import { matchKeys } from '../../../../../gateway/modules/crm/duplicate/nameKey'
import { matchOf } from '../../../../../gateway/modules/crm/services/blacklist/match'
import { addMonths } from '../../../../../gateway/modules/crm/services/classA/classApply'
import { refusalOf, type HandoverFacts } from '../../../../../gateway/modules/crm/services/handover/items'
import { settled } from '../../../../../gateway/modules/crm/services/handover/settle'
import { commissionOf } from '../../../../../gateway/modules/crm/services/partner/partnerProfile'
import { untilProblem } from '../../../../../gateway/modules/crm/services/share'

const NOW = new Date('2026-11-20T04:00:00Z')

describe('an item of a transfer', () => {
  const facts = (more: Partial<HandoverFacts> = {}): HandoverFacts => ({
    fromStaffId: 'a',
    customers: new Map([['c', { id: 'c', holding: 'private', ownerId: 'a' }]]),
    aliases: new Set(),
    room: 2,
    counts: () => true,
    ...more,
  })
  const of = (customer: object): HandoverFacts => facts({ customers: new Map([['c', { id: 'c', ...customer }]]) })

  it('comes over while its owner, its holding, its alias and the receiver’s cap allow it', () => {
    expect(refusalOf(facts(), 'c', 0)).toBeNull()
    expect(refusalOf(facts(), 'c', 1)).toBeNull()
    expect(refusalOf(facts(), 'c', 2)).toBe('capFull')
    expect(refusalOf(facts({ counts: () => false }), 'c', 2)).toBeNull()
    expect(refusalOf(of({ holding: 'private', ownerId: 'b' }), 'c', 0)).toBe('ownerChanged')
    expect(refusalOf(of({ holding: 'frozen', ownerId: 'a' }), 'c', 0)).toBe('frozen')
    expect(refusalOf(of({ holding: 'sea', ownerId: null }), 'c', 0)).toBe('inSea')
    expect(refusalOf(facts({ aliases: new Set(['c']) }), 'c', 0)).toBe('aliasRunning')
    expect(refusalOf(facts(), 'gone', 0)).toBe('inSea')
  })

  it('leaves the document pending, accepted, in part or ended, and never accepts more than there are', () => {
    const results = fc.array(fc.constantFrom('waiting', 'done', 'refused'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(results, fc.constantFrom('rejected' as const, 'cancelled' as const, 'expired' as const), (list, otherwise) => {
        const { status, acceptedCount, finishedAt } = settled(list, otherwise, NOW)
        const done = list.filter((one) => one === 'done').length
        expect(acceptedCount).toBe(done)
        expect(finishedAt === null).toBe(list.includes('waiting'))
        if (list.includes('waiting')) expect(status).toBe('pending')
        else expect(status).toBe(done === list.length ? 'accepted' : done > 0 ? 'partly' : otherwise)
      }),
    )
  })
})

describe('a share', () => {
  it('lasts at most a year and does not end in the past', () => {
    const problem = (until: string | null) => untilProblem(until, CRM_RULE_DEFAULTS['crm.wander'], NOW, 'Asia/Shanghai')
    expect(problem(null)).toBeNull()
    expect(problem('2026-11-20')).toBeNull()
    expect(problem('2027-11-20')).toBeNull()
    expect(problem('2026-11-19')).not.toBeNull()
    expect(problem('2027-11-21')?.en).toContain('365')
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
        const alias = makeAlias(country, (below) => Number(numbers.next().value) % below)
        expect(alias.startsWith(country)).toBe(true)
        expect(isAlias(alias)).toBe(true)
      }),
    )
    for (const wrong of ['SGK7Q', 'sgk7qd', 'SGK7QO', 'SGK7Q1', 'SG-7QD', 'SGK7QDX']) expect(isAlias(wrong), wrong).toBe(false)
    expect(ALIAS_ALPHABET).not.toMatch(/[0O1I2Z5S8B]/)
    expect(isAlias('SGK7QD')).toBe(true)
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
    const rules = CRM_RULE_DEFAULTS['crm.alias']
    const minutes = [1, 2, 3, 4, 5].map((attempts) => {
      const next = nextAttempt(attempts, rules, NOW)
      return next && (next.getTime() - NOW.getTime()) / 60_000
    })
    expect(minutes).toEqual([1, 5, 15, 60, null])
  })
})

describe('class A', () => {
  it('counts revenue 12,400 at 8.4 % without overdue bills as 75 points: level B; at 2.1 % as 55: C', () => {
    const points = (margin: number): number => levelPoints({ revenue30: 12_400, profit30: 12_400 * margin, overdueDays: 0 })
    expect([points(0.084), levelOf(points(0.084))]).toEqual([75, 'b'])
    expect([points(0.021), levelOf(points(0.021))]).toEqual([55, 'c'])
  })

  it('makes a candidate by points or by the profit of twelve months, and says which threshold is met', () => {
    const rules = CRM_RULE_DEFAULTS['crm.classA']
    const byPoints = classAFigures({ revenue30: 60_000, profit30: 9_600, overdueDays: 0 }, rules)
    expect(byPoints).toMatchObject({ points: 100, candidate: true, margin: '16.00' })
    expect(byPoints.thresholds.every((one) => one.met)).toBe(true)
    const byProfit = classAFigures({ revenue30: 200_000, profit30: 6_000, overdueDays: 12 }, rules)
    expect([byProfit.points, byProfit.candidate]).toEqual([60, true])
    expect(byProfit.thresholds.filter((one) => one.met).map((one) => one.id)).toEqual(['revenue', 'profit12m'])
    expect(classAFigures({ revenue30: 0, profit30: 0, overdueDays: 0 }, rules).candidate).toBe(false)
  })

  it('lasts whole months, also from the end of a month', () => {
    expect(addMonths('2026-11-20', 12)).toBe('2027-11-20')
    expect(addMonths('2026-08-31', 6)).toBe('2027-02-28')
    expect(addMonths('2026-12-31', 1)).toBe('2027-01-31')
  })
})

describe('the commission of a partner', () => {
  it('is a share of revenue or of profit, and nothing without a mode', () => {
    const figures = { revenue30: 1_000, profit30: 200 }
    expect(commissionOf({ commissionMode: 'revenueShare', commissionRate: '8' }, figures)).toBe('80.00')
    expect(commissionOf({ commissionMode: 'profitShare', commissionRate: '12.5' }, figures)).toBe('25.00')
    expect(commissionOf({ commissionMode: 'none' }, figures)).toBeNull()
  })
})

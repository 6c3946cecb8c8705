import { describe, expect, it } from 'vitest'
import { admitToBuka, bukaReasons, type BukaFacts } from '../../../../../gateway/modules/crm/rules/bukaAdmission'
import { decideHandOver } from '../../../../../gateway/ownership/leaving/plan'
import { claimsLeft } from '../../../../../gateway/ownership/usage'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

describe('the hand-over plan', () => {
  const customer = (id: string, level = 'd', holding = 'private', countryCode = 'CN') => ({
    id,
    entity: 'crm.customer',
    rank: level,
    spared: level === 'a',
    holding,
    countryCode,
  })

  it('gives everything to one successor, and single customers where they were assigned', () => {
    const plan = { mode: 'one', successorIds: ['s1'], assignments: { c2: 's2', c3: 'pool' } } as const
    const found = decideHandOver([customer('c1'), customer('c2'), customer('c3')], plan, 'boss')
    expect(found.map(({ toStaffId }) => toStaffId)).toEqual(['s1', 's2', null])
  })

  it('splits evenly, the best levels in turn', () => {
    const customers = [...'abcdefg'].map((id, index) => customer(id, index < 3 ? 'b' : 'd'))
    const found = decideHandOver(customers, { mode: 'split', successorIds: ['s1', 's2', 's3'] }, null)
    const count = (staffId: string, ids: readonly string[]) =>
      found.filter((one) => one.toStaffId === staffId && ids.includes(one.recordId)).length
    expect(['s1', 's2', 's3'].map((id) => count(id, ['a', 'b', 'c']))).toEqual([1, 1, 1])
    expect(['s1', 's2', 's3'].map((id) => count(id, ['d', 'e', 'f', 'g'])).sort()).toEqual([1, 1, 2])
  })

  it('never sends class A or frozen customers to the sea: the leader has them', () => {
    const customers = [customer('c1', 'a'), customer('c2', 'd', 'frozen'), customer('c3')]
    const found = decideHandOver(customers, { mode: 'pool', successorIds: [] }, 'boss')
    expect(found.map(({ toStaffId }) => toStaffId)).toEqual(['boss', 'boss', null])
  })
})

describe('admission to Buka', () => {
  const rules = RULE_DEFAULTS['crm.allowBuka']
  const facts: BukaFacts = {
    tradeType: 'direct',
    countryCode: 'SG',
    riskLevel: 'low',
    overdue: false,
    blacklisted: false,
    revenue30: null,
    foreignOwner: false,
    ownerConsents: false,
    knownCompany: true,
    loginDomain: 'nova.example',
    freeMailDomains: ['gmail.com'],
    products: ['sms'],
  }

  it('refuses a wholesale customer for its trade type and asks the director above 20,000 USD (the examples of the rule)', () => {
    expect(admitToBuka(facts, rules)).toEqual({ decision: 'allowed', failed: [] })
    expect(admitToBuka({ ...facts, tradeType: 'wholesale' }, rules)).toEqual({ decision: 'refused', failed: ['tradeType'] })
    expect(admitToBuka({ ...facts, revenue30: '26000' }, rules)).toEqual({ decision: 'approval', failed: ['mainRevenue'] })
  })

  it('tells every condition that fails, and refuses as soon as one of them is final', () => {
    const bad = {
      ...facts,
      riskLevel: 'high',
      overdue: true,
      blacklisted: true,
      foreignOwner: true,
      loginDomain: 'gmail.com',
      products: ['voice'],
    }
    const { decision, failed } = admitToBuka(bad, rules)
    expect(decision).toBe('refused')
    expect(failed).toEqual(['blacklisted', 'risk', 'overdue', 'freeMail', 'products', 'ownerConsent'])
    expect(admitToBuka({ ...facts, knownCompany: false }, rules)).toEqual({ decision: 'refused', failed: ['kyc'] })
    expect(admitToBuka({ ...facts, knownCompany: false }, { ...rules, needKyc: 'none' }).decision).toBe('allowed')
    expect(bukaReasons(['tradeType', 'country'], 'en')).toBe('trade type, country')
  })
})

describe('claims left', () => {
  it('is the least of what the day, the week and the cap leave', () => {
    const usage = { claimsToday: 8, daily: 10, claimsThisWeek: 12, weekly: 40, counted: 149, cap: 150 }
    expect(claimsLeft(usage)).toBe(1)
    expect(claimsLeft({ ...usage, counted: 10 })).toBe(2)
    expect(claimsLeft({ ...usage, counted: 160 })).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import {
  creditOf as creditBy,
  exposure,
  type CreditFacts,
  type CreditState,
} from '../../../../../gateway/modules/fin/credit/formula'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

const rule = { ...RULE_DEFAULTS['fin.credit'], warnFloor: 0 }
const creditOf = (facts: CreditFacts): CreditState => creditBy(facts, rule)

const prepaid: CreditFacts = {
  payMode: 'prepaid',
  balance: '0',
  unposted: '0',
  frozen: '0',
  limitPermanent: '0',
  limitTemporary: '0',
  overdueAmount: '0',
  overdueDays: 0,
  daysToDue: null,
  graceDays: 7,
  warnAmount: null,
  stopAmount: '0',
  dailyUsage: '0',
  manualStop: false,
  keepsStop: false,
  whitelisted: false,
  before: 'normal',
  minutesSinceFlip: 60,
}
const postpaid: CreditFacts = { ...prepaid, payMode: 'postpaid', limitPermanent: '50000' }

describe('where an account stands (money 2.1)', () => {
  const a05: CreditFacts = {
    ...prepaid,
    balance: '180',
    frozen: '12.50',
    limitTemporary: '100',
    unposted: '7.25',
    dailyUsage: '95',
  }

  it('C1: a prepaid account with a temporary grant: 260.25 of 285 is a warning', () => {
    expect(creditOf(a05)).toEqual({
      limitEffective: '100',
      used: '0',
      usagePct: '0.00',
      available: '260.25',
      warnAmount: '285',
      stage: 'warn',
      cause: null,
    })
  })

  it('C1: without the grant 160.25 is still a warning, 85.50 is urgent, 0 stops', () => {
    const after = { ...a05, limitTemporary: '0' }
    expect(creditOf(after)).toMatchObject({ available: '160.25', stage: 'warn', usagePct: null })
    expect(creditOf({ ...after, balance: '105.25' })).toMatchObject({ available: '85.5', stage: 'urgent' })
    expect(creditOf({ ...after, balance: '19.75' })).toMatchObject({ available: '0', stage: 'stop', cause: 'low' })
  })

  const a06: CreditFacts = { ...postpaid, balance: '-44100', unposted: '1050' }

  it('C2: 90.3 % of the limit is urgent though 4,850 is free', () => {
    expect(creditOf(a06)).toMatchObject({ used: '45150', usagePct: '90.30', available: '4850', stage: 'urgent' })
  })

  it.each([
    [7, 'urgent', null],
    [8, 'stop', 'overdue'],
  ])('C2: %i days overdue with 7 of grace is %s', (overdueDays, stage, cause) => {
    expect(creditOf({ ...a06, overdueDays, overdueAmount: '20000' })).toMatchObject({ stage, cause })
  })

  it('C2: a deferral that covers the bill lifts the stop at once', () => {
    expect(creditOf({ ...a06, before: 'stop' })).toMatchObject({ stage: 'urgent' })
    expect(creditOf({ ...a06, before: 'stop', keepsStop: true })).toMatchObject({ stage: 'stop', cause: 'overdue' })
  })

  it('a raise from 50,000 to 80,000 at 45,150 used is normal again (8.2)', () => {
    expect(creditOf({ ...a06, limitPermanent: '80000' })).toMatchObject({ usagePct: '56.44', stage: 'normal' })
  })

  it('W8.1: a grant of 500 lifts the stop, and the money that comes stays when it ends', () => {
    const stopped = { ...prepaid, before: 'stop' as const }
    expect(creditOf(stopped)).toMatchObject({ available: '0', stage: 'stop' })
    expect(creditOf({ ...stopped, limitTemporary: '500' })).toMatchObject({ available: '500', stage: 'normal' })
    expect(creditOf({ ...prepaid, balance: '680' })).toMatchObject({ available: '680', stage: 'normal' })
  })

  it('W8.4: 230 of before and a limit of 5,000 are 5,230', () => {
    expect(creditOf({ ...postpaid, limitPermanent: '5000', balance: '230' })).toMatchObject({ available: '5230', used: '0' })
  })

  it('a stop is left only after five minutes and with a buffer', () => {
    const stopped = { ...prepaid, before: 'stop' as const }
    expect(creditOf({ ...stopped, balance: '100', minutesSinceFlip: 4 })).toMatchObject({ stage: 'stop' })
    expect(creditOf({ ...stopped, balance: '4.99' })).toMatchObject({ stage: 'stop' })
    expect(creditOf({ ...stopped, balance: '5' })).toMatchObject({ stage: 'normal' })
  })

  it('the whitelist makes a stop urgent, a person stands above all', () => {
    const over = { ...a06, balance: '-60000' }
    expect(creditOf(over)).toMatchObject({ stage: 'stop', cause: 'limit' })
    expect(creditOf({ ...over, whitelisted: true })).toMatchObject({ stage: 'urgent', cause: null })
    expect(creditOf({ ...over, whitelisted: true, manualStop: true })).toMatchObject({ stage: 'manualStop', cause: 'manual' })
  })

  it('a bill that is due within three days warns', () => {
    expect(creditOf({ ...postpaid, balance: '-100', daysToDue: 3 })).toMatchObject({ stage: 'warn' })
    expect(creditOf({ ...postpaid, balance: '-100', daysToDue: 4 })).toMatchObject({ stage: 'normal' })
  })

  it('the thresholds are those of the rule: floor, shares of the limit, pause and buffer', () => {
    const strict = { ...rule, warnFloor: 300, usageWarn: 50, usageUrgent: 60, resumeMinutes: 30 }
    expect(creditBy({ ...prepaid, balance: '300' }, strict)).toMatchObject({ warnAmount: '300', stage: 'warn' })
    expect(creditBy({ ...prepaid, balance: '300', warnAmount: '100' }, strict)).toMatchObject({ stage: 'normal' })
    expect(creditBy({ ...postpaid, balance: '-30000' }, strict)).toMatchObject({ stage: 'urgent' })
    expect(creditBy({ ...prepaid, before: 'stop', balance: '900', minutesSinceFlip: 29 }, strict)).toMatchObject({
      stage: 'stop',
    })
  })

  it('the exposure is the daily usage of cycle, term and grace (8.5)', () => {
    expect(exposure('95.5', { cycle: 31, term: 15, grace: 7 })).toBe('5061.5')
  })
})

import { describe, expect, it } from 'vitest'
import {
  baselineOf,
  decideChurn,
  dropOf,
  hasRecovered,
  lastThirtyDays,
  stageByTraffic,
  type ChurnFacts,
} from '../../../../../gateway/modules/crm/rules/churn'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

const rule = RULE_DEFAULTS['crm.churn']
const TODAY = '2026-11-20'
const MONTHS = ['4200', '5100', '4800', '3900', '2000', '1800']
const facts = (given: Partial<ChurnFacts> = {}): ChurnFacts => ({
  months: MONTHS,
  last30: '1750',
  lastTraffic: '2026-11-19',
  latest: null,
  ...given,
})

describe('customer churn (CRM rule 9.10)', () => {
  it('takes the best three of the last six months as the baseline: 4,700, and warns at a drop of 62.77 %', () => {
    expect(baselineOf(MONTHS).toFixed(2)).toBe('4700.00')
    expect(dropOf(baselineOf(MONTHS), '1750').toFixed(1)).toBe('62.8')
    expect(decideChurn(facts(), rule, TODAY)).toEqual({ step: 'warning', baseline: '4700.00', drop: '62.77' })
  })

  it('warns from exactly half on, and not of a baseline under 100 USD', () => {
    expect(decideChurn(facts({ last30: '2350' }), rule, TODAY)?.step).toBe('warning')
    expect(decideChurn(facts({ last30: '2350.47' }), rule, TODAY)).toBeNull()
    expect(decideChurn(facts({ months: ['90', '95', '99'], last30: '1' }), rule, TODAY)).toBeNull()
  })

  it('warns no customer of less than three full months, but sees it fall silent', () => {
    const young = facts({ months: ['4000', '3000'] })
    expect(decideChurn(young, rule, TODAY)).toBeNull()
    expect(decideChurn({ ...young, lastTraffic: '2026-10-20' }, rule, TODAY)?.step).toBe('silent')
  })

  it('is silent after 30 days and churned after 90, each told once', () => {
    expect(decideChurn(facts({ lastTraffic: '2026-10-21' }), rule, TODAY)?.step).toBe('warning')
    const silent = facts({ lastTraffic: '2026-10-20', last30: '0' })
    expect(decideChurn(silent, rule, TODAY)?.step).toBe('silent')
    expect(decideChurn({ ...silent, latest: { step: 'silent', baseline: '4700', on: '2026-11-19' } }, rule, TODAY)).toBeNull()
    const churned = facts({
      lastTraffic: '2026-08-21',
      last30: '0',
      latest: { step: 'silent', baseline: '4700', on: '2026-09-21' },
    })
    expect(decideChurn(churned, rule, TODAY)?.step).toBe('churned')
    expect(decideChurn({ ...churned, latest: { step: 'churned', baseline: '4700', on: TODAY } }, rule, TODAY)).toBeNull()
  })

  it('is won back with a fifth of the baseline that it had', () => {
    const latest = { step: 'churned', baseline: '4700', on: '2026-08-01' } as const
    expect(decideChurn(facts({ months: ['0', '0', '0'], last30: '940', latest }), rule, TODAY)?.step).toBe('wonBack')
    expect(decideChurn(facts({ months: ['0', '0', '0'], last30: '939.99', latest }), rule, TODAY)).toBeNull()
  })

  it('ends a warning when revenue is back', () => {
    const latest = { step: 'warning', baseline: '4700', on: '2026-11-01' } as const
    expect(hasRecovered(facts({ latest, last30: '4000' }), rule)).toBe(true)
    expect(hasRecovered(facts({ latest }), rule)).toBe(false)
  })

  it('reads the last thirty days from monthly figures', () => {
    expect(lastThirtyDays('1000', '3100', '2026-11-20').toFixed(2)).toBe('2000.00')
    expect(lastThirtyDays('1000', '3100', '2026-12-31').toFixed(2)).toBe('1000.00')
    expect([
      stageByTraffic('2026-10-21', rule, TODAY),
      stageByTraffic('2026-10-20', rule, TODAY),
      stageByTraffic(null, rule, TODAY),
    ]).toEqual(['dealt', 'silent', 'churned'])
  })
})

import { describe, expect, it } from 'vitest'
import { domainOf, rangeOf } from '../../../../../gateway/modules/toolbox/addresses/ranges'
import { typedCodes } from '../../../../../gateway/modules/toolbox/networks/codes'
import { networksNamed, planned, typeOf } from '../../../../../gateway/modules/toolbox/numbers/plan'
import { byPlan } from '../../../../../gateway/modules/toolbox/numbers/prefixes'
import { lineOf, rateBetween, type StoredRate } from '../../../../../gateway/modules/toolbox/rates/series'

describe('pasted codes of networks', () => {
  it.each([
    ['46000, 460-01\n460 002', [{ mccmnc: '46000' }, { mccmnc: '46001' }, { mccmnc: '460002' }]],
    ['72405 724005', [{ mccmnc: '72405' }, { mccmnc: '724005' }]],
    ['460；+86\t0044', [{ mcc: '460' }, { callingCode: '86' }, { callingCode: '44' }]],
    ['４６０００\n46000', [{ mccmnc: '46000' }]],
    ['Claro', [{}]],
  ])('%j', (text, codes) => {
    expect(typedCodes(text).map(({ typed: _, ...code }) => code)).toEqual(codes)
  })
})

describe('numbers by plan', () => {
  it.each([
    ['13800138000', 'CN', '+8613800138000', 'Mobile', true],
    ['0086 138-0013-8000', null, '+8613800138000', 'Mobile', true],
    ['＋44 20 7946 0958', null, '+442079460958', 'Fixed line', true],
    ['+1 800 555 0199', null, '+18005550199', 'Toll-free', true],
    ['+86 1000', null, '+861000', 'Unknown', false],
  ])('%s of %s', (typed, region, e164, type, valid) => {
    const { number, valid: found } = planned(typed, region)
    expect({ e164: number?.number, type: number && typeOf(number).en, valid: found }).toEqual({ e164, type, valid })
  })

  it('is no number without a country, or with words around it', () => {
    expect(planned('13800138000', null).number).toBeNull()
    expect(planned('call 13800138000', 'CN').number).toBeNull()
  })

  it('says operator and region in the language that is known', async () => {
    const { number } = planned('+8613800138000', null)
    expect(await byPlan('carrier', number!, 'zh')).toBe('中国移动')
    expect(await byPlan('geocodes', number!, 'en')).toBe('Beijing')
    expect(await byPlan('carrier', planned('+442079460958', null).number!, 'zh')).toBeNull()
  })

  it('finds the networks of the operator, by the whole name first', () => {
    const networks = [
      { brand: 'Vodafone', operator: 'Vodafone Ltd' },
      { brand: 'O2', operator: 'Telefónica UK' },
      { brand: 'O2 Business', operator: null },
    ]
    expect(networksNamed('O2', networks)).toEqual([networks[1]])
    expect(networksNamed('Telefonica', networks)).toEqual([])
    expect(networksNamed('Vodafone Ltd.', networks)).toEqual([networks[0]])
  })
})

describe('rates between two currencies', () => {
  const rate = (kind: string, base: string, date: string, value: string, quote = 'CNY'): StoredRate => ({
    ...{ kind, base, quote, date, rate: value, source: 'XE', at: date },
  })
  const rates = [
    rate('xe', 'USD', '2026-11-20', '7.1'),
    rate('xe', 'USD', '2026-11-23', '7.2'),
    rate('xe', 'EUR', '2026-11-20', '7.7'),
    rate('average', 'USD', '2026-11-01', '7.15'),
    rate('xe', 'GBP', '2026-11-20', '1.25', 'USD'),
  ]
  it.each([
    ['the last one up to the day', 'USD', 'CNY', '2026-11-22', '7.1'],
    ['the one of the day', 'USD', 'CNY', '2026-11-23', '7.2'],
    ['the other way round', 'CNY', 'USD', '2026-11-20', '0.14084507'],
    ['across CNY', 'EUR', 'USD', '2026-11-22', '1.08450704'],
    ['of the pair itself', 'GBP', 'USD', '2026-11-22', '1.25'],
    ['none before the first', 'USD', 'CNY', '2026-11-19', undefined],
    ['none of an unknown currency', 'JPY', 'CNY', '2026-11-22', undefined],
  ])('%s', (_, from, to, day, value) => {
    expect(rateBetween(rates, { from, to }, { kind: 'xe', day })?.rate).toBe(value)
  })

  it('takes a rate of a month from its first day only', () => {
    const pair = { from: 'USD', to: 'CNY' }
    expect(rateBetween(rates, pair, { kind: 'average', day: '2026-11-01', exactly: true })?.rate).toBe('7.15')
    expect(rateBetween(rates, pair, { kind: 'average', day: '2026-12-01', exactly: true })).toBeUndefined()
  })

  it('draws no day before the first rate', () => {
    const line = lineOf(rates, { from: 'USD', to: 'CNY' }, { kind: 'xe', day: '2026-11-23', days: 90 })
    expect(line.map(({ rate: value }) => value)).toEqual(['7.1', '7.1', '7.1', '7.2'])
    expect(line[0]?.day).toBe('2026-11-20')
  })
})

describe('addresses and ranges', () => {
  it.each([
    ['10.1.2.3/8', { text: '10.0.0.0/8', first: '10.0.0.0', last: '10.255.255.255', size: 16_777_216n, range: 'private' }],
    ['203.0.113.7', { text: '203.0.113.7', size: 1n, range: 'reserved' }],
    ['8.8.8.8', { size: 1n, range: 'unicast' }],
    ['100.64.0.1', { range: 'carrierGradeNat' }],
    ['0.0.0.0/0', { size: 4_294_967_296n, range: 'mixed' }],
    ['::ffff:10.0.0.1', { kind: 'ipv4', text: '10.0.0.1', range: 'private' }],
    ['fd00::/8', { kind: 'ipv6', first: 'fd00::', range: 'uniqueLocal', size: 2n ** 120n }],
  ])('%s', (typed, range) => {
    expect(rangeOf(typed)).toMatchObject(range)
  })

  it.each(['10.0.0.0/33', '1.2.3', '010.1', '1.2.3.4/8/8', 'example.com', '10.0.0.1/-1'])('%s is none', (typed) => {
    expect(rangeOf(typed)).toBeNull()
  })

  it('knows names from other words', () => {
    expect([domainOf('SMS.Example.com'), domainOf('https://example.com/a'), domainOf('10.0.0.1'), domainOf('hello')]).toEqual([
      'sms.example.com',
      'example.com',
      null,
      null,
    ])
  })
})

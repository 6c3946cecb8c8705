import { describe, expect, it } from 'vitest'
import { Exact } from '../../../../../src/schema/formats'
import { aiCallChargeOf, billSecOf, callChargeOf } from '../../../../../gateway/modules/biz/rating/calls'
import { rateKeyOf } from '../../../../../gateway/modules/biz/rating/rateKey'
import { RateBook, type Rate, type RatedDestination } from '../../../../../gateway/modules/biz/rating/rates'
import { freeReasonOf, isWaBillable, windowEnd, type WaWindow } from '../../../../../gateway/modules/biz/rating/whatsapp'
import { isMailBillable } from '../../../../../gateway/modules/biz/records/mail'
import { isOptOut, keywordOf } from '../../../../../gateway/modules/biz/records/replies'

const HOUR = 3_600_000
const rate = (rateKey: string, price: string | null, more: Partial<Rate> = {}): Rate => ({
  ...{ id: rateKey, rateKey, price, currency: 'USD', from: 0, until: Infinity },
  ...more,
})
const priceOf = (book: RateBook, destination: RatedDestination): string => {
  const found = book.find(destination, 1)
  return 'rate' in found ? found.rate.price : found.refused
}

describe('the key of a rate', () => {
  it.each([
    ['aiVoice', { prefix: '86', aiModel: 'm2' }, 'aiVoice|86|m2'],
    ['aiVoice', {}, 'aiVoice|*|*'],
    ['number', { country: 'US', numberType: 'local', numberCaps: ['voice', 'sms'] }, 'number|US|local|sms+voice'],
    ['number', { country: 'US', numberType: 'local' }, 'number|US|local|*'],
    ['whatsapp', { country: 'IN', waCategory: 'marketing' }, 'whatsapp|IN|marketing'],
    ['whatsapp', { country: 'IN', waCategory: 'marketing', fromVolume: 100_000 }, 'whatsapp|IN|marketing|100000'],
    ['mail', { country: 'US' }, 'mail|*'],
  ])('%s %o: %s', (product, destination, key) => {
    expect(rateKeyOf(product, destination)).toBe(key)
  })
})

describe('what a call costs (quotes 5.5)', () => {
  it.each([
    ['0.0125', 61_000, 60, 60, 120, '0.025'],
    ['0.0125', 61_000, 6, 6, 66, '0.01375'],
    ['0.0125', 61_000, 1, 1, 61, '0.012708'],
    ['0.0125', 30_000, 30, 6, 30, '0.00625'],
    ['0.0125', 31_000, 30, 6, 36, '0.0075'],
    ['0.0260', 125_000, 60, 1, 125, '0.054167'],
    ['0.0260', 125_000, 60, 60, 180, '0.078'],
    ['0.012345', 30_000, 1, 1, 30, '0.006173'],
    ['0.0115', 37_000, 1, 1, 37, '0.007092'],
    ['0.0125', 0, 60, 60, 0, '0'],
    ['0.0125', 60_001, 60, 60, 120, '0.025'],
  ])('%s a minute, %i ms, %i/%i: %i s, %s', (price, durationMs, incFirst, incNext, billSec, amount) => {
    expect(callChargeOf(durationMs, { price, incFirst, incNext })).toEqual({ billSec, amount })
  })

  it('is nothing within the free seconds, and a set-up fee more beyond them', () => {
    const terms = { price: '0.06', incFirst: 1, incNext: 1, graceSec: 3, setupFee: '0.01' }
    expect(callChargeOf(3000, terms)).toEqual({ billSec: 0, amount: '0' })
    expect(callChargeOf(3001, terms)).toEqual({ billSec: 4, amount: '0.014' })
  })

  it('is the line and the bot of an AI call, each rounded by itself', () => {
    const terms = { price: '0.0125', incFirst: 6, incNext: 6, aiPrice: '0.0600', setupFee: '5' }
    expect(callChargeOf(75_000, { ...terms, setupFee: '0' })).toEqual({ billSec: 78, amount: '0.01625' })
    expect(aiCallChargeOf(75_000, terms)).toEqual({ billSec: 78, amount: '0.13625' })
    expect(aiCallChargeOf(0, terms)).toEqual({ billSec: 0, amount: '0' })
  })

  it('is the price of a call for an OTP call that was answered', () => {
    expect(callChargeOf(35_000, { price: '0.0300', unit: 'call' }).amount).toBe('0.03')
    expect(callChargeOf(0, { price: '0.0300', unit: 'call' }).amount).toBe('0')
    const cost = new Exact(callChargeOf(35_000, { price: '0.0225', unit: 'minute' }).amount)
    expect(cost.toFixed(6)).toBe('0.013125')
    expect(new Exact('0.0300').minus(cost).dividedBy('0.0300').times(100).toFixed(2)).toBe('56.25')
  })

  it('grows with the call and never charges less than was talked', () => {
    for (const [incFirst, incNext] of [
      [60, 60],
      [6, 6],
      [1, 1],
      [30, 6],
      [60, 1],
    ] as const) {
      let before = 0
      for (let seconds = 1; seconds <= 400; seconds += 1) {
        const billed = billSecOf(seconds * 1000, { incFirst, incNext })
        expect(billed).toBeGreaterThanOrEqual(Math.max(before, seconds))
        before = billed
      }
    }
  })

  it('goes by the longest prefix, of an AI call by the model first', () => {
    const book = new RateBook([
      rate('aiVoice|86|*', '0.02'),
      rate('aiVoice|86|m2', '0.03'),
      rate('aiVoice|*|*', '0.05'),
      rate('aiVoice|861|*', null),
      rate('otpVoice|44', '0.03'),
    ])
    const ai = (number: string, aiModel?: string) => priceOf(book, { product: 'aiVoice', number, aiModel })
    expect([ai('8655', 'm2'), ai('8655', 'm9'), ai('8655'), ai('4420'), ai('8612', 'm2')]).toEqual([
      '0.03',
      '0.02',
      '0.02',
      '0.05',
      'BLOCKED',
    ])
    expect(priceOf(book, { product: 'otpVoice', number: '447400123456' })).toBe('0.03')
  })
})

describe('what WhatsApp costs (quotes 5.7)', () => {
  const india = new RateBook([
    rate('whatsapp|IN|marketing', '0.0120'),
    rate('whatsapp|IN|marketing|500', '0.0100'),
    rate('whatsapp|IN|utility', '0.0020'),
    rate('whatsapp|IN|authentication', '0.0020'),
    rate('whatsapp|IN|authenticationInternational', '0.0300'),
    rate('whatsapp|*|marketing', '0.0600'),
  ])
  const opened: WaWindow = { openedBy: 'user', openedAt: 0, lastInAt: 0 }
  /** So many messages, of which so many were delivered. */
  const total = (
    waCategory: string,
    [sent, delivered]: readonly [number, number],
    window: WaWindow | null,
    businessCountry = 'IN',
  ): Exact => {
    let sum = new Exact(0)
    for (let index = 0; index < sent; index += 1) {
      const found = india.find({ product: 'whatsapp', country: 'IN', waCategory, businessCountry }, 1)
      if (isWaBillable(index < delivered ? 'delivered' : 'failed', freeReasonOf(waCategory, 1, window)) && 'rate' in found)
        sum = sum.plus(found.rate.price)
    }
    return sum
  }

  it('E2: 17.640 for 2,000 messages', () => {
    const parts = [
      total('marketing', [1000, 940], null),
      total('utility', [120, 120], opened).plus(total('utility', [180, 180], null)),
      total('authentication', [200, 200], null, 'SG'),
      total('service', [500, 500], null),
    ]
    expect(parts.map((part) => part.toFixed(3))).toEqual(['11.280', '0.360', '6.000', '0.000'])
    expect(parts.reduce((sum, part) => sum.plus(part)).toFixed(3)).toBe('17.640')
  })

  it.each<[string, string, number, WaWindow | null, string | null]>([
    ['utility inside the window', 'utility', 24 * HOUR - 1, opened, 'window'],
    ['utility when the window is over', 'utility', 24 * HOUR, opened, null],
    ['utility without a window', 'utility', 1, null, null],
    ['marketing inside the window', 'marketing', 1, opened, null],
    ['a free-form reply', 'service', 1, opened, 'service'],
    ['marketing inside an entry point', 'marketing', 72 * HOUR - 1, { ...opened, openedBy: 'entryPoint' }, 'entryPoint'],
    ['marketing after an entry point', 'marketing', 72 * HOUR, { ...opened, openedBy: 'entryPoint' }, null],
    ['utility where the business wrote first', 'utility', 1, { ...opened, openedBy: 'business', lastInAt: null }, null],
  ])('is free or not: %s', (_, category, at, window, free) => {
    expect(freeReasonOf(category, at, window)).toBe(free)
  })

  it('ends a window 24 hours after the last message in, an entry point not before 72', () => {
    expect(windowEnd({ ...opened, lastInAt: 5 * HOUR })).toBe(29 * HOUR)
    expect(windowEnd({ openedBy: 'entryPoint', openedAt: 0, lastInAt: 5 * HOUR })).toBe(72 * HOUR)
    expect(windowEnd({ openedBy: 'entryPoint', openedAt: 0, lastInAt: 60 * HOUR })).toBe(84 * HOUR)
  })

  it('goes by the volume that is reached, at home by the plain category, elsewhere by the rate for all others', () => {
    const of = (more: Partial<RatedDestination>) => priceOf(india, { product: 'whatsapp', country: 'IN', ...more })
    expect(of({ waCategory: 'marketing', volume: 499 })).toBe('0.0120')
    expect(of({ waCategory: 'marketing', volume: 500 })).toBe('0.0100')
    expect(of({ waCategory: 'authentication', businessCountry: 'IN' })).toBe('0.0020')
    expect(of({ waCategory: 'marketing', country: 'BR' })).toBe('0.0600')
    expect(of({ waCategory: 'utility', country: 'BR' })).toBe('NO_RATE')
  })
})

describe('mails and replies', () => {
  it('a mail is charged once the other server took it: 12,345 at 0.00080 are 9.876', () => {
    expect(
      ['accepted', 'delivered', 'opened', 'clicked', 'complained', 'softBounce', 'hardBounce'].filter(isMailBillable),
    ).toEqual(['delivered', 'opened', 'clicked', 'complained'])
    expect(new Exact('0.00080').times(12_345).toFixed(3)).toBe('9.876')
  })

  it.each([
    ['STOP', 'STOP', true],
    ['stop please', 'STOP', true],
    ['退订', '退订', true],
    ['No, do not stop', 'NO', false],
    ['  yes!', 'YES', false],
    ['', '', false],
  ])('a reply "%s" says %s', (content, keyword, optOut) => {
    expect([keywordOf(content), isOptOut(content)]).toEqual([keyword, optOut])
  })
})

import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { Exact } from '../../../../../src/schema/formats'
import { amountOf, isBillable, type BillingMode } from '../../../../../gateway/modules/biz/rating/messages'
import { RateBook, type Rate } from '../../../../../gateway/modules/biz/rating/rates'
import { segmentsOf } from '../../../../../src/schema/sms/segments'

const times = (count: number, text: string): string => text.repeat(count)

describe('the parts of a message', () => {
  it.each([
    ['160 a', times(160, 'a'), 'gsm7', 160, 1],
    ['161 a', times(161, 'a'), 'gsm7', 161, 2],
    ['158 a and a euro', `${times(158, 'a')}€`, 'gsm7', 160, 1],
    ['159 a and a euro', `${times(159, 'a')}€`, 'gsm7', 161, 2],
    ['80 braces', times(80, '{'), 'gsm7', 160, 1],
    ['81 braces', times(81, '{'), 'gsm7', 162, 2],
    ['306 a', times(306, 'a'), 'gsm7', 306, 2],
    ['307 a', times(307, 'a'), 'gsm7', 307, 3],
    ['a pair of the extension at the end of a part', `${times(152, 'a')}€${times(152, 'a')}`, 'gsm7', 306, 3],
    ['70 characters of Chinese', times(70, '验'), 'ucs2', 70, 1],
    ['71 characters of Chinese', times(71, '验'), 'ucs2', 71, 2],
    ['134 characters of Chinese', times(134, '验'), 'ucs2', 134, 2],
    ['135 characters of Chinese', times(135, '验'), 'ucs2', 135, 3],
    ['68 characters and an emoji', `${times(68, '验')}😀`, 'ucs2', 70, 1],
    ['69 characters and an emoji', `${times(69, '验')}😀`, 'ucs2', 71, 2],
    ['an emoji at the end of a part', `${times(66, '验')}😀${times(66, '验')}`, 'ucs2', 134, 3],
    ['a typographic apostrophe', 'Your code is 482913’', 'ucs2', 20, 1],
    ['nothing', '', 'gsm7', 0, 1],
    ['a line end', '\r\n', 'gsm7', 2, 1],
  ])('are those of the guide: %s', (_, text, encoding, units, segments) => {
    expect(segmentsOf(text)).toEqual({ encoding, units, segments })
  })

  it('hold every text, and one less would not', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '€', '验', '😀', '\n'), maxLength: 500 }), (text) => {
        const { encoding, units, segments } = segmentsOf(text)
        const part = encoding === 'gsm7' ? 153 : 67
        if (segments === 1) expect(units).toBeLessThanOrEqual(encoding === 'gsm7' ? 160 : 70)
        else {
          expect(segments * part).toBeGreaterThanOrEqual(units)
          // a part is closed at most one short
          expect((segments - 1) * (part - 1)).toBeLessThan(units)
        }
      }),
    )
  })
})

const OPEN = { from: 0, until: Infinity, currency: 'USD' }
const rate = (rateKey: string, price: string | null, span: Partial<Rate> = {}): Rate => ({
  ...OPEN,
  id: `${rateKey}@${span.from ?? 0}`,
  rateKey,
  price,
  ...span,
})
const CHANGE = Date.parse('2026-12-01T00:00:00.000Z')

describe('which rate', () => {
  const book = new RateBook([
    rate('sms|US|*|direct', '0.0080'),
    rate('sms|US|310260|direct', '0.0095', { until: CHANGE }),
    rate('sms|US|310260|direct', '0.0100', { from: CHANGE }),
    rate('sms|IN|40410|direct', '0.0032'),
    rate('sms|BR|72405|direct', null),
    rate('sms|BR|*|direct', '0.0180'),
    rate('voice|44|direct', '0.0110'),
    rate('voice|447|direct', '0.0260'),
    rate('voice|4470|direct', '0.0900'),
    rate('voice|44791|direct', null),
  ])
  const priced = (found: ReturnType<RateBook['find']>): string | null => ('rate' in found ? found.rate.price : found.refused)

  it.each([
    ['US', '310260', '0.0095'],
    ['US', '310410', '0.0080'],
    ['IN', '40445', 'NO_RATE'],
    ['BR', '72405', 'BLOCKED'],
    ['BR', '72410', '0.0180'],
    ['BR', '724005', '0.0180'],
  ])('a message to %s %s costs: %s', (country, mccmnc, price) => {
    const found = book.find({ product: 'sms', country, mccmnc, routeClass: 'direct' }, CHANGE - 1)
    expect(priced(found)).toBe(price)
  })

  it('changes at the moment itself, not a millisecond earlier', () => {
    const at = (moment: number) =>
      priced(book.find({ product: 'sms', country: 'US', mccmnc: '310260', routeClass: 'direct' }, moment))
    expect([at(CHANGE - 1), at(CHANGE)]).toEqual(['0.0095', '0.0100'])
  })

  it.each([
    ['442079460000', '0.0110'],
    ['447400123456', '0.0260'],
    ['447012345678', '0.0900'],
    ['447911123456', 'BLOCKED'],
    ['33123456789', 'NO_RATE'],
  ])('a call to %s costs: %s', (number, price) => {
    const found = book.find({ product: 'voice', number, routeClass: 'direct' }, 1)
    expect(priced(found)).toBe(price)
  })

  it.each([
    ['a', '310260', '0.0050', 'the channel’s row of the network'],
    ['a', '310410', '0.0060', 'the channel’s row of the country'],
    ['b', '310260', '0.0095', 'the account’s row of the network before the channel’s row of the country'],
    ['b', '310410', '0.0070', 'the channel’s row of the country'],
    ['c', '310410', '0.0080', 'the account’s row: another channel’s is never taken'],
    ['', '310410', '0.0080', 'the account’s row, without a channel'],
    ['d', '310260', 'BLOCKED', 'no account’s row goes past a channel that is blocked'],
    ['d', '310410', '0.0080', 'the account’s row'],
  ])('over the channel "%s" to %s it is %s: %s', (routeId, mccmnc, price) => {
    const routed = new RateBook([
      rate('sms|US|310260|direct', '0.0050', { routeId: 'a' }),
      rate('sms|US|*|direct', '0.0060', { routeId: 'a' }),
      rate('sms|US|*|direct', '0.0070', { routeId: 'b' }),
      rate('sms|US|310260|direct', null, { routeId: 'd' }),
      rate('sms|US|310260|direct', '0.0095'),
      rate('sms|US|*|direct', '0.0080'),
    ])
    const found = routed.find({ product: 'sms', country: 'US', mccmnc, routeClass: 'direct' }, 1, routeId)
    expect(priced(found)).toBe(price)
  })

  it('a channel’s row that has ended leaves the account’s; one of another channel leaves none', () => {
    const routed = new RateBook([
      rate('sms|US|*|direct', '0.0060', { routeId: 'a', until: CHANGE }),
      rate('sms|US|*|direct', '0.0080'),
      rate('voice|44|direct', '0.0100', { routeId: 'g' }),
    ])
    const over = (routeId: string, at: number) =>
      priced(routed.find({ product: 'sms', country: 'US', routeClass: 'direct' }, at, routeId))
    expect([over('a', CHANGE - 1), over('a', CHANGE)]).toEqual(['0.0060', '0.0080'])
    const call = (routeId: string) =>
      priced(routed.find({ product: 'voice', number: '442079460000', routeClass: 'direct' }, 1, routeId))
    expect([call('g'), call('h'), call('')]).toEqual(['0.0100', 'NO_RATE', 'NO_RATE'])
  })

  it('says step by step why', () => {
    const { steps } = book.find({ product: 'sms', country: 'US', mccmnc: '310410', routeClass: 'direct' }, 1)
    expect(steps).toEqual([
      { key: 'sms|US|310410|direct', result: 'none' },
      { key: 'sms|US|*|direct', result: 'found' },
    ])
  })
})

describe('what messages cost', () => {
  /** Example E1: 1,020 submitted, 20 rejected, 20 expired unsent, 900 delivered, 50 failed, 30 unknown; two segments each. */
  const messages = [
    ...Array.from({ length: 20 }, () => ({ status: 'rejected', sent: false })),
    ...Array.from({ length: 20 }, () => ({ status: 'expired', sent: false })),
    ...Array.from({ length: 900 }, () => ({ status: 'delivered', sent: true })),
    ...Array.from({ length: 50 }, () => ({ status: 'failed', sent: true })),
    ...Array.from({ length: 30 }, () => ({ status: 'unknown', sent: true })),
  ]
  const total = (mode: BillingMode, price: string): string =>
    messages.reduce((sum, one) => sum.plus(amountOf(price, 2, isBillable(mode, one))), new Exact(0)).toFixed(3)

  it.each<[BillingMode, string, BillingMode, string]>([
    ['submit', '90.000', 'sent', '70.560'],
    ['sent', '88.200', 'sent', '70.560'],
    ['delivered', '81.000', 'sent', '70.560'],
    ['deliveredUnknown', '83.700', 'delivered', '64.800'],
  ])('E1: a customer who pays %s owes %s, a channel that is paid %s gets %s', (mode, revenue, costMode, cost) => {
    expect([total(mode, '0.0450'), total(costMode, '0.0360')]).toEqual([revenue, cost])
  })

  it('count no receipt that came after the day was locked, and a code only once it was entered', () => {
    expect(isBillable('delivered', { status: 'delivered', sent: true, late: true })).toBe(false)
    expect(isBillable('verified', { status: 'delivered', sent: true })).toBe(false)
    expect(isBillable('verified', { status: 'delivered', sent: true, verified: true })).toBe(true)
  })
})

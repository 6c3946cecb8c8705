import { expect, it } from 'vitest'
import { domainFits, judgeLink } from '../../../../../gateway/modules/ops/links/judge'

const groups = [
  { id: 'block', domain: '*.prize.example', customerId: null, minClicks: 0, action: 'block' },
  { id: 'other', domain: '*.shop.example', customerId: 'c2', minClicks: 0, action: 'block' },
  { id: 'review', domain: '*.shop.example', customerId: null, minClicks: 0, action: 'review' },
  { id: 'busy', domain: null, customerId: null, minClicks: 1_000, action: 'review' },
]
const whites = [{ id: 'white', domain: 'a.shop.example', pathPrefix: '/sale', customerId: 'c1' }]

it.each([
  ['https://news.example/x', 1, 0, 'none', [], null, null],
  ['http://news.example/x', 1, 0, 'mid', ['noTls'], null, null],
  ['https://203.0.113.4/x', 1, 0, 'high', ['bareAddress'], null, null],
  ['https://[2001:db8::1]/x', 1, 0, 'high', ['bareAddress'], null, null],
  ['https://pay.example:8443/x', 1, 0, 'low', ['port'], null, null],
  ['https://bank@evil.example/x', 1, 0, 'high', ['userInfo'], null, null],
  ['https://xn--80ak6aa92e.example/', 1, 0, 'mid', ['punycode'], null, null],
  ['nonsense', 1, 0, 'high', ['badAddress'], null, null],
  ['https://x.prize.example/', 1, 0, 'high', ['blockGroup'], 'block', null],
  ['https://prize.example/', 1, 0, 'none', [], null, null],
  ['https://b.shop.example/', 1, 0, 'mid', ['reviewGroup'], 'review', null],
  ['https://a.shop.example/sale/1', 1, 0, 'none', [], 'review', 'white'],
  ['https://a.shop.example/other', 1, 0, 'mid', ['reviewGroup'], 'review', null],
  ['https://news.example/x', 1_000, 0, 'mid', ['reviewGroup'], 'busy', null],
  ['https://news.example/x', 1, 6, 'mid', ['redirects'], null, null],
] as const)('judges %s with %i clicks and %i redirects as %s', (targetUrl, clicks, hops, risk, riskReasons, groupId, whiteId) => {
  const redirects = Array.from({ length: hops }, (_, hop) => `https://r${hop}.example/`)
  expect(judgeLink({ targetUrl, customerId: 'c1', clicks, redirects }, groups, whites)).toMatchObject({
    risk,
    riskReasons,
    groupId,
    whiteId,
  })
})

it('takes a rule with an asterisk for what lies below the domain only', () => {
  expect([
    domainFits('*.a.example', 'x.a.example'),
    domainFits('*.a.example', 'a.example'),
    domainFits('*.a.example', 'xa.example'),
  ]).toEqual([true, false, false])
})

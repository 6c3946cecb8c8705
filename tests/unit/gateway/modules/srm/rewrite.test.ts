import { describe, expect, it } from 'vitest'
import { toGsm } from '../../../../../src/schema/sms/gsm'
import { isGsm } from '../../../../../src/schema/sms/segments'
import { broken } from '../../../../../gateway/modules/srm/tvs/guard'
import { patternFault, rewrite, type RewriteRule } from '../../../../../gateway/modules/srm/tvs/rewrite'

const AT = '2026-06-01T08:00:00.000Z'
const rule = (id: string, priority: number, action: string, more: Partial<RewriteRule> = {}): RewriteRule => ({
  ...{ id, name: id, priority, action, enabled: true, matchKind: 'regex', pattern: '.', ...more },
})
const guide = [rule('signature', 20, 'addSignature', { replacement: '[ACME]' }), rule('gsm', 10, 'transliterate')]
const outcomes = (rules: readonly RewriteRule[], message: Parameters<typeof rewrite>[1]): Record<string, string> =>
  Object.fromEntries(rewrite(rules, message, AT).steps.map(({ ruleId, outcome }) => [ruleId, outcome]))

describe('content rewrite (customers-suppliers 5)', () => {
  it('leaves letters of GSM-7 alone and adds the signature', () => {
    const text = 'Votre code est 482913, validité 5 min'
    const done = rewrite(guide, { text }, AT)
    expect([text.length, done.text.length, done.segmentsAfter, done.result]).toEqual([37, 44, 1, 'changed'])
    expect(done.steps).toEqual([
      { ruleId: 'gsm', outcome: 'noChange' },
      { ruleId: 'signature', outcome: 'fired' },
    ])
  })

  it('transliterates what is outside GSM-7, with the digits as they were', () => {
    const text = 'Código: 482913 não partilhe'
    expect([text.length, isGsm(text), toGsm(text)]).toEqual([27, false, 'Codigo: 482913 nao partilhe'])
    const done = rewrite(guide, { text }, AT)
    expect([done.text, done.text.length, done.segmentsAfter]).toEqual(['Codigo: 482913 nao partilhe [ACME]', 34, 1])
  })

  it.each([
    ['a code', 'replace', { matchKind: 'contains', pattern: '482913', replacement: '482914' }, 'Code 482913', ['code']],
    ['an amount', 'replace', { pattern: '19\\.90', replacement: '9.90' }, 'Pay USD 19.90 now', ['amount']],
    ['a phone number', 'replace', { pattern: '[+]1 ', replacement: '+7 ' }, 'Call +1 555 01 23', ['phone']],
    ['the path of a link', 'replace', { pattern: '/a', replacement: '/b' }, 'https://x.example/a?i=1', ['urlPath']],
  ])('sends a text unchanged when a rule changes %s', (_, action, more, text, parts) => {
    const done = rewrite([rule('bad', 1, action, more)], { text }, AT)
    expect([done.text, done.result, done.broken]).toEqual([text, 'guardRefused', parts])
    expect(done.steps).toEqual([{ ruleId: 'bad', outcome: 'guard' }])
  })

  it('replaces by text, by pattern with groups, by template with places, and the host of a link', () => {
    const run = (one: RewriteRule, text: string): string => rewrite([one], { text }, AT).text
    expect(run(rule('a', 1, 'replace', { matchKind: 'contains', pattern: 'a.c', replacement: '$&' }), 'a.c abc')).toBe('$& abc')
    expect(run(rule('b', 1, 'replace', { pattern: '(\\w+)@(\\w+)', replacement: '$2 $1' }), 'me@you')).toBe('you me')
    const template = { matchKind: 'template', pattern: 'Code {code} for {who}', replacement: '{who}: {code}' }
    expect(run(rule('c', 1, 'replace', template), 'Code 482913 for Ann')).toBe('Ann: 482913')
    const domain = { matchKind: 'contains', pattern: 'old.example', replacement: 'new.example' }
    expect(run(rule('d', 1, 'replaceDomain', domain), 'https://old.example/p/12345?q=1')).toBe('https://new.example/p/12345?q=1')
  })

  it('says of every rule why it did not fire', () => {
    const rules = [
      rule('off', 1, 'transliterate', { enabled: false }),
      rule('later', 2, 'transliterate', { effectiveFrom: '2026-07-01T00:00:00.000Z' }),
      rule('country', 3, 'transliterate', { countryCode: 'BR' }),
      rule('level', 4, 'transliterate', { level: 'v3' }),
      rule('sender', 5, 'transliterate', { senderPattern: '^BANK' }),
      rule('other', 6, 'replace', { matchKind: 'contains', pattern: 'xyz', replacement: 'z' }),
    ]
    expect(outcomes(rules, { text: 'não', countryCode: 'PT', level: 'v1', sender: 'SHOP' })).toEqual({
      ...{ off: 'off', later: 'period', country: 'scope', level: 'scope', sender: 'sender', other: 'noMatch' },
    })
  })

  it('refuses patterns that cannot be matched in time that grows with the text, and is quick with the worst of the others', () => {
    expect(patternFault('regex', '(a)\\1')).not.toBeNull()
    expect(patternFault('regex', '(?=a)b')).not.toBeNull()
    expect(patternFault('regex', '(')).not.toBeNull()
    expect(patternFault('contains', '((')).toBeNull()
    const start = performance.now()
    rewrite([rule('slow', 1, 'replace', { pattern: '(a+)+$', replacement: 'b' })], { text: `${'a'.repeat(1_500)}!` }, AT)
    expect(broken('1 2 '.repeat(400), '1 2 '.repeat(400))).toEqual([])
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthorization, returnAddress } from '../../../../../gateway/platform/session/authorization'
import {
  NAME_SHAPE,
  PASSWORD_SHAPE,
  VERIFICATION_SHAPE,
  passwordProblem,
} from '../../../../../gateway/platform/session/passwords'
import { drawCode } from '../../../../../gateway/platform/session/verification'
import { oneTimePassword } from '../../../../../gateway/staff/manage/userRoutes'

const allowed = { clientId: 'switchboard', origins: new Set(['https://portal.example']), ownOrigin: 'http://localhost:4600' }
const query = (redirect: string) => ({ client_id: 'switchboard', redirect_uri: redirect, state: 'state-of-a-test' })

describe('where a code is sent', () => {
  it('is /authorize of a known origin, whatever was asked for', () => {
    const parts = fc.array(
      fc.constantFrom(
        'http:',
        'https:',
        '//',
        '/',
        '\\',
        '@',
        'evil.example',
        'localhost:4600',
        'portal.example',
        'authorize',
        '.',
        '?',
        '#',
        '%2f',
        ' ',
        ':',
        '\t',
        'javascript:',
        'home',
      ),
      { maxLength: 10 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          parts.map((all) => all.join('')),
        ),
        (redirect) => {
          const parsed = parseAuthorization(query(redirect), allowed)
          if (typeof parsed === 'string') return
          const { origin, pathname } = new URL(returnAddress(parsed, 'the-code'))
          expect([...allowed.origins, allowed.ownOrigin]).toContain(origin)
          expect(pathname).toBe('/authorize')
        },
      ),
      { numRuns: 2000 },
    )
    expect(parseAuthorization(query('https://portal.example/authorize'), allowed)).toMatchObject({
      redirectUri: 'https://portal.example/authorize',
    })
    expect(parseAuthorization(query('/authorize'), allowed)).toMatchObject({ redirectUri: 'http://localhost:4600/authorize' })
  })

  it('carries code and state unharmed', () => {
    const parsed = parseAuthorization({ ...query('/authorize'), state: 'a&b=c#d e?f' }, allowed)
    if (typeof parsed === 'string') throw new Error(parsed)
    const address = new URL(returnAddress(parsed, 'c&d'))
    expect([address.searchParams.get('code'), address.searchParams.get('state')]).toEqual(['c&d', 'a&b=c#d e?f'])
  })
})

describe('the shapes of the sign-in form (R280-R282)', () => {
  it('take job numbers, e-mail addresses and names, and nothing that looks like markup', () => {
    for (const name of ['S0042', 'wei.wang@example.com', '王伟', 'a-b_c+d']) expect(NAME_SHAPE.test(name)).toBe(true)
    for (const name of ['', 'x', 'a b', "a' or 1=1", '<b>', 'x'.repeat(65)]) expect(NAME_SHAPE.test(name)).toBe(false)
    expect([PASSWORD_SHAPE.test('secret'), PASSWORD_SHAPE.test('short'), PASSWORD_SHAPE.test('with space')]).toEqual([
      true,
      false,
      false,
    ])
    expect([VERIFICATION_SHAPE.test('A2C4'), VERIFICATION_SHAPE.test('A2C'), VERIFICATION_SHAPE.test('A2C-')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('new passwords', () => {
  const owner = { name: '王伟', nameEn: 'Wei Wangsen', jobNumber: 'S0042', email: 'wei.wang@example.com' }
  it('are refused when they are short, plain, common or personal', () => {
    for (const password of [
      'aB3$',
      'abcdefgh',
      '12345678',
      'passw0rd',
      'xxS0042xx1',
      'wangsen123',
      'my-wei.wang-1',
      'ümlaut-123',
      'x1'.repeat(33),
    ])
      expect([password, passwordProblem(password, owner) !== undefined]).toEqual([password, true])
    for (const password of ['correct-horse-7', 'Tr0ub4dor&3', 'a1!a1!a1!'])
      expect([password, passwordProblem(password, owner)]).toEqual([password, undefined])
  })

  it('that are made for one use are always good ones, and never the same', () => {
    const made = Array.from({ length: 200 }, () => oneTimePassword())
    for (const password of made)
      expect([password, passwordProblem(password, { name: 'x', nameEn: null, jobNumber: 'x', email: null })]).toEqual([
        password,
        undefined,
      ])
    expect(new Set(made).size).toBe(200)
  })
})

describe('verification codes (R282)', () => {
  it('are drawn as strokes: no text, no script, never twice the same', () => {
    const images = ['A2C4', 'A2C4', 'XY79'].map(drawCode)
    for (const image of images) {
      expect(image).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
      expect(image).not.toMatch(/<(?:text|script|style|image)|A2C4|XY79|NaN|undefined/)
      expect(image.match(/<path/g)).toHaveLength(8)
    }
    expect(images[0]).not.toBe(images[1])
  })
})

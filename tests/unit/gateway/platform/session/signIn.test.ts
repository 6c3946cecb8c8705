import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthorization, returnAddress } from '../../../../../gateway/platform/session/authorization'
import {
  NAME_SHAPE,
  PASSWORD_SHAPE,
  VERIFICATION_SHAPE,
  passwordProblem,
} from '../../../../../gateway/platform/session/passwords'
import { CHARACTERS, drawCode } from '../../../../../gateway/platform/session/verificationImage'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { oneTimePassword } from '../../../../../gateway/staff/oneTimePassword'

const allowed = { clientId: 'switchboard', origins: ['https://portal.example', 'http://localhost:4600'] }
const query = (redirect: string) => ({
  client_id: 'switchboard',
  redirect_uri: redirect,
  state: 'state-of-a-test',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})

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
          expect(allowed.origins).toContain(origin)
          expect(pathname).toBe('/authorize')
          expect(redirect).toBe(`${origin}/authorize`)
        },
      ),
      { numRuns: 2000 },
    )
    expect(parseAuthorization(query('https://portal.example/authorize'), allowed)).toMatchObject({
      redirectUri: 'https://portal.example/authorize',
    })
    expect(parseAuthorization(query('/authorize'), allowed)).toBe('redirect')
  })

  it('carries code and state unharmed', () => {
    const parsed = parseAuthorization({ ...query('http://localhost:4600/authorize'), state: 'a&b=c#d e?f' }, allowed)
    if (typeof parsed === 'string') throw new Error(parsed)
    const address = new URL(returnAddress(parsed, 'c&d'))
    expect([address.searchParams.get('code'), address.searchParams.get('state')]).toEqual(['c&d', 'a&b=c#d e?f'])
  })
})

describe('a sign-in request without PKCE', () => {
  it('is refused, also with a challenge that is none or is sent in the clear', () => {
    const good = query('https://portal.example/authorize')
    for (const changes of [
      { code_challenge: '' },
      { code_challenge: 'short' },
      { code_challenge: `${good.code_challenge}=` },
      { code_challenge_method: '' },
      { code_challenge_method: 'plain' },
    ])
      expect(parseAuthorization({ ...good, ...changes }, allowed)).toBe('challenge')
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
      // long enough, and yet among the first that are tried
      'password1',
      'qwerty123',
      'password1234',
      'qwertyuiop12',
      'Passw0rd2024!',
      'iloveyou1234',
      'woaini1314520',
      'zhongguo2024',
      'aaaaaaaaaaa1',
      '123456789012a',
    ])
      expect([password, passwordProblem(password, owner) !== undefined]).toEqual([password, true])
    for (const password of ['correct-horse-7', 'Tr0ub4dor&3-x', DEMO_PASSWORD])
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

/** The grey pixels of a PNG as it is drawn here: no filter, eight bits. */
function pixelsOf(png: Buffer): { width: number; rows: number[][] } {
  const width = png.readUInt32BE(16)
  const start = png.indexOf('IDAT')
  const raw = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  const rows = Array.from({ length: png.readUInt32BE(20) }, (_, y) => [
    ...raw.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)),
  ])
  return { width, rows }
}

/** How dark the parts of one letter's place are, on a grid of 8 by 10. */
function lettersOf(png: Buffer): number[][] {
  const { width, rows } = pixelsOf(png)
  return [0, 1, 2, 3].map((position) => {
    const cells = Array<number>(80).fill(0)
    rows.forEach((row, y) =>
      row.slice(6 + position * 56, 62 + position * 56).forEach((grey, x) => {
        const cell = Math.floor((y / rows.length) * 10) * 8 + Math.floor(x / 7)
        cells[cell] = (cells[cell] ?? 0) + Number(grey < 150)
      }),
    )
    expect(width).toBe(240)
    return cells
  })
}

describe('verification codes (R282)', () => {
  it('are pictures of pixels: no text, no strokes to be read, never twice the same', () => {
    const images = ['A2C4', 'A2C4', 'XY79'].map(drawCode)
    for (const image of images) {
      expect(image.subarray(1, 4).toString('latin1')).toBe('PNG')
      expect(image.toString('latin1')).not.toMatch(/<svg|<path|tEXt|A2C4|XY79/)
      const dark = pixelsOf(image)
        .rows.flat()
        .filter((grey) => grey < 150).length
      expect(dark).toBeGreaterThan(1000)
      expect(dark).toBeLessThan(9000)
    }
    const [first, second] = images.map((image) => pixelsOf(image).rows.flat())
    const same = first?.filter((grey, index) => grey < 150 && (second?.[index] ?? 255) < 150).length ?? 0
    expect(same / (first?.filter((grey) => grey < 150).length ?? 1)).toBeLessThan(0.7)
  })

  it('are not read by a script that compares their letters with those of pictures it knows', () => {
    const known = CHARACTERS.flatMap((character) =>
      lettersOf(drawCode(character.repeat(4))).map((cells) => ({ character, cells })),
    )
    const distance = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0)
    const read = (image: Buffer) =>
      lettersOf(image)
        .map(
          (cells) =>
            known.reduce((best, each) => (distance(each.cells, cells) < distance(best.cells, cells) ? each : best)).character,
        )
        .join('')
    const answers = Array.from({ length: 60 }, (_, turn) =>
      [0, 1, 2, 3].map((at) => CHARACTERS[(turn * 7 + at * 5) % CHARACTERS.length]).join(''),
    )
    const right = answers.filter((answer) => read(drawCode(answer)) === answer).length
    expect(right).toBeLessThanOrEqual(6)
  })
})

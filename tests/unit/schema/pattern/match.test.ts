import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { re2Engine } from '../../../../src/schema/pattern/re2'
import { timeTaken } from '../../../support/timeTaken'

/** A module of its own: who registers an engine here registers it for nobody else. */
const fresh = async () => {
  vi.resetModules()
  return import('../../../../src/schema/pattern/match')
}

afterAll(() => vi.resetModules())

const characters = fc.constantFrom(
  ...[
    'a',
    'b',
    'Z',
    '0',
    '9',
    '_',
    '-',
    '.',
    ' ',
    '\t',
    '\n',
    '\r',
    '\v',
    '\u2028',
    '\ufeff',
    '\u00a0',
    '/',
    ']',
    '\\',
    '中',
    'é',
    'Ω',
    '😀',
    '\ud83d',
  ],
)
const atoms = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\/',
    '\\.',
    '-',
    ' ',
    '中',
    '😀',
  ),
  fc.constantFrom(
    '[]',
    '[^]',
    '[^\\]]',
    '[a-z]',
    '[^a-z0-9]',
    '[\\s\\d]',
    '[^\\S]',
    '[\\w.-]',
    '[\\u4e00-\\u9fff]',
    '[^\\u{1F600}]',
  ),
  fc.constantFrom(
    '\\p{L}',
    '\\P{L}',
    '[\\p{Lu}\\p{Nd}]',
    '\\p{Script=Han}',
    '\\uD83D\\uDE00',
    '\\u{61}',
    '\\x41',
    '\\t',
    '\\cJ',
    '\\0',
  ),
)
const quantifiers = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0}', '{2,}')
const isAnchor = (atom: string): boolean => ['^', '$', '\\b', '\\B'].includes(atom)
const patterns = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.array(fc.oneof({ maxDepth: 3 }, atoms, tie('piece')), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atoms, quantifiers).map(([atom, sign]) => (isAnchor(atom) ? atom : atom + sign)),
    fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), quantifiers).map(
      ([open, inner, sign]) =>
        // a name may stand once only
        `${open === '(?<n>' && inner.includes('?<n>') ? '(' : open}${inner})${sign}`,
    ),
    fc.tuple(tie('pattern'), tie('pattern')).map((both) => `(?:${both.join('|').replaceAll('?<n>', '?:')})`),
  ),
})).pattern

describe('a pattern that a schema may hold', () => {
  it('is matched by the gateway exactly as JavaScript matches it', () => {
    let compared = 0
    fc.assert(
      fc.property(
        patterns,
        fc.array(
          fc.array(characters, { maxLength: 8 }).map((each) => each.join('')),
          { maxLength: 6 },
        ),
        (pattern, texts) => {
          let expression: RegExp
          let matches: (text: string) => boolean
          try {
            expression = new RegExp(pattern, 'u')
            matches = re2Engine(pattern)
          } catch {
            return
          }
          for (const text of texts) {
            // V8 looks for \B between the halves of a character too, where ECMA-262 (AdvanceStringIndex) never stands
            if (pattern.includes('\\B') && /[\ud800-\udfff]/.test(text)) continue
            compared += 1
            expect(matches(text), `${pattern} on ${JSON.stringify(text)}`).toBe(expression.test(text))
          }
        },
      ),
      { numRuns: 3_000 },
    )
    expect(compared).toBeGreaterThan(4_000)
  })

  it.each([
    ['^(a+)+$', `${'a'.repeat(3_000)}!`],
    ['^.{0,1000}.{0,1000}.{0,1000}y', 'x'.repeat(3_000)],
    ['(.*a){20}', 'a'.repeat(19) + 'b'.repeat(3_000)],
    ['(?:x+x+)+y', 'x'.repeat(3_000)],
    ['^(\\w|\\d)*$', `${'1'.repeat(3_000)}!`],
  ])('takes no more than a moment with a hostile text: %s', (pattern, text) => {
    const matches = re2Engine(pattern)
    expect(timeTaken(() => expect(matches(text)).toBe(false))).toBeLessThan(1_000)
  })

  it('is matched by the browser itself while it is plain, and counts as matched until the engine is there', async () => {
    const { lacksEngine, matchesPattern, setPatternEngine } = await fresh()
    expect(lacksEngine('^\\d{3}$')).toBe(false)
    expect(matchesPattern('^\\d{3}$', '12')).toBe(false)
    expect(lacksEngine('^(a+)+$')).toBe(true)
    expect(matchesPattern('^(a+)+$', 'b')).toBe(true)
    setPatternEngine(re2Engine)
    expect(lacksEngine('^(a+)+$')).toBe(false)
    expect(matchesPattern('^(a+)+$', 'b')).toBe(false)
    expect(matchesPattern('^(a+)+$', 'aa')).toBe(true)
  })
})

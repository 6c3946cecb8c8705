import { describe, expect, it } from 'vitest'
import { patternFault } from '../../../../src/schema/pattern/fault'
import { isPlainPattern } from '../../../../src/schema/pattern/match'
import { translatePattern } from '../../../../src/schema/pattern/translate'

const faultOf = (pattern: string) => patternFault(pattern)?.fault

describe('patternFault', () => {
  it.each([
    '^[A-Z]{2}\\d{5}$',
    '^[a-z]+-\\d+$',
    '^(?:A|B)[0-9]{3}$',
    '^[\\u4e00-\\u9fff]+$',
    '^https?:',
    '^(a+)+$',
    '^\\d+\\d+$',
    '(.*a){20}',
    '^.{0,1000}.{0,1000}.{0,1000}y',
    '^\\p{Script=Han}{2,}\\P{Lu}$',
    '[\\]\\\\/\\-]',
    '^(?<year>\\d{4})$',
    '[]|[^]',
  ])('accepts %s', (pattern) => expect(faultOf(pattern)).toBeUndefined())

  it.each([
    ['^(?=a)a$', 'look-around'],
    ['^(?<!a)b$', 'look-around'],
    ['^(a)\\1$', 'back-reference'],
    ['^(?<a>a)\\k<a>$', 'back-reference'],
    ['^\\p{Alphabetic}$', 'property'],
    ['^[\\p{Script=Runic}]$', 'property'],
    ['^(a{1,100}){1,100}$', 'too-large'],
    ['^(?:(?:a{10}){10,}){11}$', 'too-large'],
    ['^a{1001}$', 'too-large'],
    ['(?:[ab]{999}c){2}'.repeat(3), 'too-large'],
    ['a'.repeat(501), 'too-large'],
    ['^[a-z', 'syntax'],
    ['(', 'syntax'],
    ['a{2}{3}', 'syntax'],
  ])('refuses %s: %s', (pattern, fault) => expect(faultOf(pattern)).toBe(fault))

  it('says in both languages what to do without', () => {
    const { sentence } = patternFault('(?=a)')!
    expect(sentence).toEqual({ zh: '不能用前后查找。', en: 'Look-around cannot be used.' })
  })
})

describe('translatePattern', () => {
  it.each([
    ['^\\u0041\\u{1F600}\\uD83D\\uDE00$', '\\A\\x{41}\\x{1f600}\\x{1f600}\\z'],
    ['(?<n>a)+?\\/', '(?:\\x{61})+\\x{2f}'],
    ['.', '[^\\n\\r\\x{2028}\\x{2029}]'],
    ['[\\w-]{2,3}|\\bx', '[\\w\\x{2d}]{2,3}|\\b\\x{78}'],
    ['[^\\p{L}\\x41-\\cZ]'.replace('\\x41-\\cZ', '\\cA-\\x41'), '[^\\p{L}\\x{1}-\\x{41}]'],
  ])('writes %s as %s', (pattern, source) => expect(translatePattern(pattern)).toEqual({ source }))
})

describe('isPlainPattern', () => {
  it.each([
    '^[A-Z]{2}\\d{5}$',
    '^\\d{1,9}(\\.\\d{1,2})?$',
    '^[a-z0-9-]{1,63}[.][a-z0-9.-]{2,190}$',
    '^[A-Za-z0-9-]+$',
    '^https?:',
  ])('leaves %s to the browser', (pattern) => expect(isPlainPattern(pattern)).toBe(true))

  it.each(['^(a+)+$', '^(a|a)*$', '\\d+$', '^.*x.*$', '^\\p{L}$', '^(a{1,9}){2}$', '^.{0,1000}.{0,1000}y', '(?=a)', '^a*|b*$'])(
    'sends %s to the engine',
    (pattern) => expect(isPlainPattern(pattern)).toBe(false),
  )
})

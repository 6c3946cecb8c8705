/** The parts of reading that do not know tokens: escapes in texts, and where an expression inside a text ends. */
import { LIMITS, problemAt, type Span } from './problem'
import { tooDeep } from './sentences'

const DIGIT = /[0-9]/
const HEX = /^[0-9a-fA-F]+$/
const SIMPLE_ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** What a backslash in a text stands for, as in JavaScript without octal escapes. */
export function readEscape(text: string, at: number, end: number): { value: string; end: number } {
  const char = text[at + 1]
  const span = { start: at, end: Math.min(end, at + 2) }
  if (char === undefined || at + 1 >= end || char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029') {
    throw badEscape(span)
  }
  if (char === 'x') return codeUnit(text, at, at + 2, at + 4, end)
  if (char === 'u' && text[at + 2] === '{') {
    const close = text.indexOf('}', at + 3)
    if (close < 0 || close >= end || close - at > 9) throw badEscape(span)
    const hex = text.slice(at + 3, close)
    const code = HEX.test(hex) ? Number.parseInt(hex, 16) : Number.NaN
    if (!(code <= 0x10ffff)) throw badEscape(span)
    return { value: String.fromCodePoint(code), end: close + 1 }
  }
  if (char === 'u') return codeUnit(text, at, at + 2, at + 6, end)
  if (DIGIT.test(char)) {
    if (char === '0' && !DIGIT.test(text[at + 2] ?? '')) return { value: '\0', end: at + 2 }
    throw badEscape(span)
  }
  const whole = String.fromCodePoint(text.codePointAt(at + 1)!)
  return { value: SIMPLE_ESCAPES[whole] ?? whole, end: at + 1 + whole.length }
}

function codeUnit(text: string, at: number, from: number, to: number, end: number): { value: string; end: number } {
  const hex = text.slice(from, to)
  if (to > end || hex.length !== to - from || !HEX.test(hex)) throw badEscape({ start: at, end: Math.min(to, end) })
  return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: to }
}

function badEscape(span: Span): Error {
  return problemAt(span, 'unexpected-character', {
    zh: '“\\”后面不是有效的转义。要写反斜杠本身请用“\\\\”。',
    en: 'What follows "\\" is not a valid escape. For the backslash itself write "\\\\".',
  })
}

/**
 * Where `closing` stands that ends an expression begun at `start`: strings, template literals and inner braces are skipped.
 * -1 when there is none.
 */
export function findClosing(text: string, start: number, end: number, closing: '}' | '}}', nesting = 0): number {
  if (nesting > LIMITS.depth) throw tooDeep({ start, end: start + 1 })
  let braces = 0
  let index = start
  while (index < end) {
    const char = text[index]!
    if (char === "'" || char === '"') index = skipString(text, index, end)
    else if (char === '`') index = skipTemplate(text, index, end, nesting + 1)
    else {
      if (char === '{') braces += 1
      else if (char === '}') {
        if (braces === 0 && text.startsWith(closing, index) && index + closing.length <= end) return index
        braces = Math.max(0, braces - 1)
      }
      index += 1
    }
  }
  return -1
}

function skipString(text: string, at: number, end: number): number {
  let index = at + 1
  while (index < end && text[index] !== text[at]) index += text[index] === '\\' ? 2 : 1
  return index + 1
}

function skipTemplate(text: string, at: number, end: number, nesting: number): number {
  let index = at + 1
  while (index < end && text[index] !== '`') {
    if (text[index] === '\\') index += 2
    else if (text[index] === '$' && text[index + 1] === '{') {
      const close = findClosing(text, index + 2, end, '}', nesting)
      index = close < 0 ? end : close + 1
    } else index += 1
  }
  return index + 1
}

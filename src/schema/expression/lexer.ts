/**
 * Text -> tokens, exactly as JavaScript reads them, without what the language leaves out: comments, regular expressions,
 * number separators, hexadecimal numbers, escapes in names.
 */
import { LIMITS, problemAt, type Span } from './problem'
import { findClosing, readEscape } from './scan'
import { refusedMark, tooDeep, unexpected } from './sentences'

export interface NumberToken extends Span {
  type: 'number'
  value: number
}
export interface StringToken extends Span {
  type: 'string'
  value: string
}
/** A template literal: its cooked texts and the places of the expressions between them. */
export interface TemplateToken extends Span {
  type: 'template'
  texts: string[]
  holes: Span[]
}
export interface NameToken extends Span {
  type: 'name'
  value: string
}
export interface MarkToken extends Span {
  type: 'mark'
  value: string
  /** Of an opening round bracket: the index of its closing token. */
  closing?: number
}
export interface EndToken extends Span {
  type: 'end'
}
export type Token = NumberToken | StringToken | TemplateToken | NameToken | MarkToken | EndToken

/** Longest first. The second list is JavaScript too, but not part of the language. */
const MARKS = ['===', '!==', '...', '**', '==', '!=', '<=', '>=', '&&', '||', '??', '?.', '=>', ...'()[]{},:?.<>+-*/%!']
const REFUSED_MARKS = [
  ...[
    '>>>=',
    '<<=',
    '>>=',
    '>>>',
    '**=',
    '&&=',
    '||=',
    '??=',
    '<<',
    '>>',
    '++',
    '--',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '&=',
    '|=',
    '^=',
  ],
  ...['//', '/*', '&', '|', '^', '~', '=', ';', '#', '@', '\\'],
]
const ALL_MARKS = [...MARKS, ...REFUSED_MARKS].sort((a, b) => b.length - a.length)
const REFUSED = new Set(REFUSED_MARKS)

const SPACE = /\s/u
const NAME_START = /[\p{ID_Start}$_]/u
const NAME_PART = /[\p{ID_Continue}$]/u
const DIGIT = /[0-9]/
const NUMBER = /(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const OPENING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
/** What a Chinese keyboard gives where code needs ASCII. */
const FULL_WIDTH: Record<string, string> = {
  ...{
    '（': '(',
    '）': ')',
    '，': ',',
    '：': ':',
    '；': ';',
    '“': '"',
    '”': '"',
    '‘': "'",
    '’': "'",
    '！': '!',
    '？': '?',
    '。': '.',
  },
  ...{ '【': '[', '】': ']', '＝': '=', '＞': '>', '＜': '<', '＋': '+', '－': '-' },
}

/** The tokens of `text` from `start` to `end`, closed by an end token. Throws `ExpressionError`. */
export function tokenize(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = []
  const open: { closes: string; token: MarkToken }[] = []
  let at = start
  while (at < end) {
    const char = text[at]!
    if (SPACE.test(char)) {
      at += 1
      continue
    }
    const token = readToken(text, at, end)
    at = token.end
    if (token.type === 'mark') matchBrackets(token, tokens.length, open)
    tokens.push(token)
  }
  const left = open.at(-1)
  if (left) {
    throw problemAt(left.token, 'unclosed-bracket', {
      zh: `括号“${left.token.value}”没有闭合，缺少“${left.closes}”。`,
      en: `The bracket "${left.token.value}" is not closed: "${left.closes}" is missing.`,
    })
  }
  tokens.push({ type: 'end', start: end, end })
  return tokens
}

function matchBrackets(token: MarkToken, index: number, open: { closes: string; token: MarkToken }[]): void {
  const closes = OPENING[token.value]
  if (closes !== undefined) {
    open.push({ closes, token })
    if (open.length > LIMITS.depth) throw tooDeep(token)
  } else if (token.value === ')' || token.value === ']' || token.value === '}') {
    const top = open.pop()
    if (top?.closes !== token.value) throw unexpected(token, token.value)
    top.token.closing = index
  }
}

function readToken(text: string, at: number, end: number): Token {
  const char = String.fromCodePoint(text.codePointAt(at)!)
  if (DIGIT.test(char) || (char === '.' && DIGIT.test(text[at + 1] ?? '') && at + 1 < end)) return readNumber(text, at, end)
  if (char === "'" || char === '"') return readString(text, at, end)
  if (char === '`') return readTemplate(text, at, end)
  if (NAME_START.test(char)) return readName(text, at, end)
  const mark = ALL_MARKS.find((candidate) => at + candidate.length <= end && text.startsWith(candidate, at))
  if (mark === undefined) {
    const meant = FULL_WIDTH[char]
    throw problemAt(
      { start: at, end: at + char.length },
      'unexpected-character',
      {
        zh: `不能使用字符“${char}”${meant ? `，请改用半角的“${meant}”` : ''}。`,
        en: `The character "${char}" cannot be used here${meant ? `: type the half-width "${meant}"` : ''}.`,
      },
      meant,
    )
  }
  const span = { start: at, end: at + mark.length }
  if (REFUSED.has(mark)) throw refusedMark(span, mark)
  // as JavaScript: `a?.5:1` is a condition, not an optional member
  if (mark === '?.' && DIGIT.test(text[at + 2] ?? '')) return { type: 'mark', value: '?', start: at, end: at + 1 }
  return { type: 'mark', value: mark, ...span }
}

function readNumber(text: string, at: number, end: number): NumberToken {
  NUMBER.lastIndex = at
  const raw = (NUMBER.exec(text)?.[0] ?? '').slice(0, end - at)
  const stop = at + raw.length
  const next = stop < end ? String.fromCodePoint(text.codePointAt(stop)!) : ''
  if (raw === '' || NAME_PART.test(next)) {
    throw problemAt({ start: at, end: stop + 1 }, 'unexpected-character', {
      zh: '数字只能写成十进制，例如 1200 或 0.5。',
      en: 'Numbers are written in decimal only, for example 1200 or 0.5.',
    })
  }
  return { type: 'number', value: Number(raw), start: at, end: stop }
}

function readName(text: string, at: number, end: number): NameToken {
  let stop = at
  while (stop < end) {
    const char = String.fromCodePoint(text.codePointAt(stop)!)
    if (!NAME_PART.test(char) || stop + char.length > end) break
    stop += char.length
  }
  return { type: 'name', value: text.slice(at, stop), start: at, end: stop }
}

function readString(text: string, at: number, end: number): StringToken {
  const quote = text[at]
  let value = ''
  let index = at + 1
  while (index < end) {
    const char = text[index]!
    if (char === quote) return { type: 'string', value, start: at, end: index + 1 }
    if (char === '\n' || char === '\r') break
    if (char === '\\') {
      const escape = readEscape(text, index, end)
      value += escape.value
      index = escape.end
    } else {
      value += char
      index += 1
    }
  }
  throw problemAt({ start: at, end: index }, 'unclosed-string', {
    zh: '文本缺少结尾的引号。',
    en: 'The text has no closing quote.',
  })
}

function readTemplate(text: string, at: number, end: number): TemplateToken {
  const texts: string[] = []
  const holes: Span[] = []
  let cooked = ''
  let index = at + 1
  while (index < end) {
    const char = text[index]!
    if (char === '`') return { type: 'template', texts: [...texts, cooked], holes, start: at, end: index + 1 }
    if (char === '\\') {
      const escape = readEscape(text, index, end)
      cooked += escape.value
      index = escape.end
    } else if (char === '$' && text[index + 1] === '{') {
      const close = findClosing(text, index + 2, end, '}')
      if (close < 0) break
      texts.push(cooked)
      cooked = ''
      holes.push({ start: index + 2, end: close })
      index = close + 1
    } else if (char === '\r') {
      cooked += '\n'
      index += text[index + 1] === '\n' ? 2 : 1
    } else {
      cooked += char
      index += 1
    }
  }
  throw problemAt({ start: at, end: index }, 'unclosed-string', {
    zh: '模板文本缺少结尾的“`”。',
    en: 'The template text has no closing "`".',
  })
}

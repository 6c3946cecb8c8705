/**
 * Reads a pattern in JavaScript's notation (flag u) and writes it in RE2's. Both engines then find the same: what they
 * understand differently (`.`, `\s`, `$`, escapes) is spelt out, what only one of them knows is refused.
 */
export type PatternFault = 'syntax' | 'look-around' | 'back-reference' | 'property' | 'too-large'

export type Translation = { source: string } | { fault: PatternFault }

/** RE2's bound for repetitions inside one another, multiplied. */
const MOST_REPEATS = 1_000
/** Characters and classes, each counted as often as it is repeated. */
const MOST_PARTS = 5_000
const LONGEST = 500

const SCRIPTS = 'Arabic|Armenian|Bengali|Cyrillic|Devanagari|Georgian|Greek|Han|Hangul|Hebrew|Hiragana|Katakana|Latin|Tamil|Thai'
const PROPERTY = new RegExp(
  `^(?:(?:(?:General_Category|gc)=)?(L[ultmo]?|M[nce]?|N[dlo]?|P[cdsefio]?|S[mcko]?|Z[slp]?)|(?:Script|sc)=(${SCRIPTS}))$`,
)
/** Where `\s` of JavaScript begins and ends, in turn. */
const SPACES = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const
const LAST = 0x10ffff
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0, b: 8 }

const character = (code: number): string => `\\x{${code.toString(16)}}`
const range = ([from, to]: readonly [number, number]): string => `${character(from)}-${character(to)}`
const SPACE = SPACES.map(range).join('')
const NO_SPACE = [...SPACES, [LAST + 1, LAST + 1] as const]
  .map(([from], index): [number, number] => [(SPACES[index - 1]?.[1] ?? -1) + 1, from - 1])
  .map(range)
  .join('')

class Refused extends Error {
  constructor(readonly fault: PatternFault) {
    super(fault)
  }
}

/**
 * Never throws. With `captures` the groups keep their numbers and repetitions that prefer little stay so, for whoever replaces what is
 * found; to know whether something is found neither is needed.
 */
export function translatePattern(pattern: string, { captures = false }: { captures?: boolean } = {}): Translation {
  if (pattern.length > LONGEST) return { fault: 'too-large' }
  try {
    new RegExp(pattern, 'u')
  } catch {
    return { fault: 'syntax' }
  }
  try {
    return { source: new Translator(pattern, captures).whole() }
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault }
    throw error
  }
}

/** What was read of a pattern: RE2's notation, its parts, and repetitions inside one another, multiplied. */
interface Piece {
  source: string
  parts: number
  repeats: number
}

/** The pattern is known to be correct JavaScript: what is read here need not be checked for that again. */
class Translator {
  private at = 0

  constructor(
    private readonly pattern: string,
    private readonly captures: boolean,
  ) {}

  whole(): string {
    return this.alternatives().source
  }

  private alternatives(): Piece {
    const all: Piece = { source: '', parts: 0, repeats: 1 }
    while (this.at < this.pattern.length && this.pattern[this.at] !== ')') {
      if (this.takes('|')) all.source += '|'
      else add(all, this.repeated())
    }
    return all
  }

  private repeated(): Piece {
    const one = this.atom()
    const sign = this.take(/[*+?]|\{(\d+)(,(\d*))?\}/y)
    if (!sign) return one
    const lazy = this.takes('?') && this.captures ? '?' : ''
    const [text, least, , most] = sign
    const repeats = one.repeats * Math.max(1, Number(most || least || 1))
    const piece = { source: one.source + text + lazy, parts: one.parts * (repeats / one.repeats), repeats }
    if (piece.repeats > MOST_REPEATS || piece.parts > MOST_PARTS) throw new Refused('too-large')
    return piece
  }

  private atom(): Piece {
    if (this.takes('(')) return this.group()
    if (this.takes('[')) return part(this.set())
    if (this.takes('^')) return part('\\A')
    if (this.takes('$')) return part('\\z')
    if (this.takes('.')) return part('[^\\n\\r\\x{2028}\\x{2029}]')
    const boundary = this.take(/\\[bB]/y)
    if (boundary) return part(boundary[0])
    const set = this.classEscape()
    return part(set === undefined ? character(this.code()) : `[${set}]`)
  }

  private group(): Piece {
    if (this.take(/\?<?[=!]/y)) throw new Refused('look-around')
    const named = this.take(/\?(?::|<[^>]*>)/y)
    if (!named && this.pattern[this.at] === '?') throw new Refused('syntax')
    const inner = this.alternatives()
    this.takes(')')
    const open = this.captures && named?.[0] !== '?:' ? '(' : '(?:'
    return { ...inner, source: `${open}${inner.source})`, parts: inner.parts + 1 }
  }

  private set(): string {
    const negated = this.takes('^')
    let members = ''
    while (!this.takes(']')) {
      const set = this.classEscape()
      if (set !== undefined) {
        members += set
        continue
      }
      const from = this.code()
      members += character(from)
      if (this.take(/-(?!\])/y)) members += `-${character(this.code())}`
    }
    if (members === '') return negated ? `[${range([0, LAST])}]` : `[^${range([0, LAST])}]`
    return `[${negated ? '^' : ''}${members}]`
  }

  /** `\d`, `\p{..}` and their like, to stand in a set. */
  private classEscape(): string | undefined {
    if (this.take(/\\s/y)) return SPACE
    if (this.take(/\\S/y)) return NO_SPACE
    const letter = this.take(/\\[dDwW]/y)
    if (letter) return letter[0]
    const property = this.take(/\\([pP])\{([^}]*)\}/y)
    if (!property) return undefined
    const known = PROPERTY.exec(property[2] ?? '')
    if (!known) throw new Refused('property')
    return `\\${property[1] ?? ''}{${known[1] ?? known[2] ?? ''}}`
  }

  /** The code point of a character, written as itself or as an escape. */
  private code(): number {
    if (this.take(/\\(?:k<|[1-9])/y)) throw new Refused('back-reference')
    const pair = this.take(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y)
    if (pair) return String.fromCharCode(parseInt(pair[1]!, 16), parseInt(pair[2]!, 16)).codePointAt(0)!
    const hexadecimal = this.take(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y)
    if (hexadecimal) return parseInt(hexadecimal[1] ?? hexadecimal[2] ?? hexadecimal[3]!, 16)
    const control = this.take(/\\c([A-Za-z])/y)
    if (control) return control[1]!.charCodeAt(0) % 32
    const escaped = this.takes('\\')
    const code = this.pattern.codePointAt(this.at)!
    const sign = String.fromCodePoint(code)
    this.at += sign.length
    return escaped ? (CONTROLS[sign] ?? code) : code
  }

  private takes(sign: string): boolean {
    const there = this.pattern.startsWith(sign, this.at)
    if (there) this.at += sign.length
    return there
  }

  private take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.pattern)
    if (found) this.at = expression.lastIndex
    return found
  }
}

const part = (source: string): Piece => ({ source, parts: 1, repeats: 1 })

function add(all: Piece, piece: Piece): void {
  all.source += piece.source
  all.parts += piece.parts
  all.repeats = Math.max(all.repeats, piece.repeats)
  if (all.parts > MOST_PARTS) throw new Refused('too-large')
}

/**
 * Whether a regular expression can be matched in linear time by a backtracking engine. Refused: look-around, back
 * references, a repetition inside a repeated group, and two repetitions after one another that can match the same
 * characters (`\w+\w+`). Rather too strict than too lenient: an admin writes these patterns.
 */

interface Atom {
  /** Source of the atom without its quantifier. */
  source: string
  nullable: boolean
  unbounded: boolean
}

export type PatternFault = 'syntax' | 'look-around' | 'back-reference' | 'nested-repetition' | 'overlapping-repetitions'

const SAMPLE = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  '\t',
  '\n',
  '\u00e9',
  '\u4e2d',
  '\u3042',
]

/** What makes the pattern unsafe, or undefined. Never throws. */
export const findPatternFault = (pattern: string): PatternFault | undefined => {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return 'syntax'
  }
  if (/\(\?<?[=!]/.test(pattern)) return 'look-around'
  if (/\\[1-9]|\\k</.test(pattern)) return 'back-reference'
  return sequenceFault(pattern)
}

/** Splits at the top level: `a|b` gives its alternatives. */
function alternatives(source: string): string[] {
  const parts: string[] = []
  let depth = 0
  let inClass = false
  let from = 0
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index]
    if (char === '\\') index += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (char === '|' && depth === 0) {
      parts.push(source.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, source.slice(from)]
}

const ATOM =
  /^(?:\\(?:u\{[0-9A-Fa-f]+\}|[pP]\{[^}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)|\[(?:\\.|[^\]\\])*\]|[^()[\]\\*+?{}|])/su
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/

function atoms(source: string): { atoms: Atom[]; groups: { inner: string; unbounded: boolean }[] } {
  const found: Atom[] = []
  const groups: { inner: string; unbounded: boolean }[] = []
  let rest = source
  while (rest !== '') {
    const group = rest.startsWith('(') ? groupAt(rest) : undefined
    const text = group ? group.text : (ATOM.exec(rest)?.[0] ?? rest[0] ?? '')
    rest = rest.slice(text.length)
    const quantifier = QUANTIFIER.exec(rest)
    const sign = quantifier?.[0] ?? ''
    rest = rest.slice(sign.length)
    const unbounded = /^[*+]/.test(sign) || (quantifier?.[2] !== undefined && quantifier[3] === '')
    const nullable = /^[*?]/.test(sign) || quantifier?.[1] === '0'
    if (group) groups.push({ inner: group.inner, unbounded })
    if (text === '^' || text === '$' || text === '\\b' || text === '\\B') continue
    found.push({ source: text, nullable, unbounded })
  }
  return { atoms: found, groups }
}

function groupAt(source: string): { text: string; inner: string } {
  let depth = 0
  let inClass = false
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index]
    if (char === '\\') index += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth += 1
    else if (char === ')') {
      depth -= 1
      if (depth === 0) return { text: source.slice(0, index + 1), inner: source.slice(1, index).replace(/^\?(?::|<[^>]*>)/, '') }
    }
  }
  return { text: source, inner: '' }
}

const repeats = (source: string): boolean =>
  alternatives(source).some((part) => {
    const parsed = atoms(part)
    return (
      parsed.atoms.some(({ unbounded }) => unbounded) || parsed.groups.some(({ inner, unbounded }) => unbounded || repeats(inner))
    )
  })

function sequenceFault(source: string): PatternFault | undefined {
  for (const part of alternatives(source)) {
    const { atoms: sequence, groups } = atoms(part)
    for (const { inner, unbounded } of groups) {
      if (unbounded && (repeats(inner) || (alternatives(inner).length > 1 && ambiguous(inner)))) return 'nested-repetition'
      const fault = sequenceFault(inner)
      if (fault) return fault
    }
    if (overlaps(sequence)) return 'overlapping-repetitions'
  }
  return undefined
}

/** Alternatives that can begin with the same character. */
function ambiguous(source: string): boolean {
  const starts = alternatives(source).map((part) => firstCharacters(part))
  return starts.some((set, index) => starts.slice(index + 1).some((other) => intersects(set, other)))
}

function firstCharacters(source: string): ReadonlySet<string> {
  const first = atoms(source).atoms[0]
  return first ? charactersOf(first) : new Set(SAMPLE)
}

function charactersOf({ source }: Atom): ReadonlySet<string> {
  if (source.startsWith('(')) return new Set(SAMPLE)
  try {
    const matcher = new RegExp(`^(?:${source})$`, 'u')
    return new Set(SAMPLE.filter((char) => matcher.test(char)))
  } catch {
    return new Set(SAMPLE)
  }
}

const intersects = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((char) => b.has(char))

/** Two repetitions of one character set with nothing between them that only one of them can pass. */
function overlaps(sequence: readonly Atom[]): boolean {
  for (let first = 0; first < sequence.length; first += 1) {
    const left = sequence[first]
    if (!left?.unbounded) continue
    const set = charactersOf(left)
    for (const right of sequence.slice(first + 1)) {
      const shared = intersects(set, charactersOf(right))
      if (right.unbounded && shared) return true
      if (!shared && !right.nullable) break
    }
  }
  return false
}

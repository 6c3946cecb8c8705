/**
 * Patterns of schemas, matched. Admins write them, so a pattern must not be able to keep a gateway or a browser busy: they are
 * matched by an engine without backtracking, which whoever runs the language registers (`setPatternEngine`). Patterns that are
 * plain, which most are, may be matched by JavaScript's own engine.
 */

/** Compiles a pattern in JavaScript's notation (flag u). @throws Error for one that `patternFault` refuses. */
export type PatternEngine = (pattern: string) => (text: string) => boolean

/** Ways that a plain pattern may lead through a text of LENGTH characters. */
const MOST_WAYS = 100_000
const LENGTH = 1_000
const MOST_KEPT = 500

let engine: PatternEngine | undefined
const kept = new Map<string, (text: string) => boolean>()

/** From now on every pattern is matched by this engine. */
export function setPatternEngine(given: PatternEngine): void {
  engine = given
  kept.clear()
}

/** Whether a pattern has to wait for an engine that is not there yet: it is not plain. */
export function lacksEngine(pattern: string): boolean {
  return engine === undefined && !isPlainPattern(pattern)
}

/**
 * Whether a text matches a pattern. Where no engine is registered, one that is not plain counts as matched: the gateway, which has
 * one, looks at the value again. The same holds for a pattern that is none: the validator of the language reports it.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let matcher = kept.get(pattern)
  if (!matcher) {
    matcher = matcherOf(pattern)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(pattern, matcher)
  }
  return matcher(text)
}

function matcherOf(pattern: string): (text: string) => boolean {
  try {
    if (engine) return engine(pattern)
    if (!isPlainPattern(pattern)) return () => true
    const expression = new RegExp(pattern, 'u')
    return (text) => expression.test(text)
  } catch {
    return () => true
  }
}

/**
 * Whether a backtracking engine has few ways through any text of a thousand characters: no group is repeated, and the choices of
 * all repetitions and alternatives, multiplied, stay below a bound. Counts rather too many than too few.
 */
export function isPlainPattern(pattern: string): boolean {
  if (/\)[*+{]|\(\?[^:]|\\[pPk1-9]/.test(pattern)) return false
  let ways = pattern.startsWith('^') && !pattern.includes('|') ? 1 : LENGTH
  for (const [sign, least, , most] of pattern.matchAll(/[*+?|]|\{(\d+)(,(\d*))?\}/g)) {
    if (sign === '?' || sign === '|') ways *= 2
    else if (least === undefined || most === '') ways *= LENGTH
    else ways *= Number(most ?? least) - Number(least) + 1
  }
  return ways <= MOST_WAYS
}

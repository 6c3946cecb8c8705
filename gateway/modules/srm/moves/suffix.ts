/** How the name of a moved account ends: parameters of the rule set `srm.suffix`. */
export interface SuffixRule {
  /** Holds `{n}` once: how often the account has moved. */
  pattern: string
  /** Characters of the whole name. */
  maxLength: number
  case: string
}

const NUMBER = '{n}'
/** Names that are tried before there is none. */
const TRIES = 1_000

/** A name without one ending of the pattern: an account that moves again does not get a second one. */
export function stripSuffix(name: string, pattern: string): string {
  const [before = '', after = ''] = pattern.split(NUMBER)
  const end = name.length - after.length
  if (!name.endsWith(after)) return name
  let start = end
  while (start > 0 && /[0-9]/.test(name.charAt(start - 1))) start -= 1
  if (start === end || !name.slice(0, start).endsWith(before)) return name
  const base = name.slice(0, start - before.length)
  return base === '' ? name : base
}

/** A name with the ending of the n-th transfer, cut to the length that the rule allows. */
export function withSuffix(name: string, n: number, rule: SuffixRule): string {
  const suffix = rule.pattern.replace(NUMBER, String(n))
  const base = [...stripSuffix(name, rule.pattern)].slice(0, Math.max(1, rule.maxLength - suffix.length)).join('')
  return cased(`${base}${suffix}`, rule.case)
}

const cased = (name: string, how: string): string =>
  how === 'upper' ? name.toUpperCase() : how === 'lower' ? name.toLowerCase() : name

/** The first names that an account may get when it moves, the best first (customers-suppliers 9.13). */
export const candidates = (name: string, transfers: number, rule: SuffixRule, count: number): string[] =>
  Array.from({ length: count }, (_, index) => withSuffix(name, transfers + 1 + index, rule))

/**
 * The name of an account after its next transfer: one ending is stripped, n is its transfers so far + 1, and goes on while the name is taken.
 * @param transfers how often the account has moved
 * @throws Error when no name of the pattern is free
 */
export function nextName(name: string, transfers: number, rule: SuffixRule, taken: (name: string) => boolean): string {
  for (let n = transfers + 1; n <= transfers + TRIES; n += 1) {
    const found = withSuffix(name, n, rule)
    if (!taken(found)) return found
  }
  throw new Error(`No name of the pattern ${rule.pattern} is free for ${name}.`)
}

import { RE2JS } from 're2js'
import type { PatternEngine } from './match'
import { translatePattern } from './translate'

/** Matches without backtracking: the time grows with the text, whatever the pattern. */
export const re2Engine: PatternEngine = (pattern) => {
  const translation = translatePattern(pattern)
  if ('fault' in translation) throw new Error(`The pattern ${pattern} cannot be used: ${translation.fault}.`)
  const compiled = RE2JS.compile(translation.source)
  return (text) => compiled.test(text)
}

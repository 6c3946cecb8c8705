import { closest, distance } from 'fastest-levenshtein'
import type { BilingualText, Problem, ProblemCode } from './problem'

/** Where a problem stands: file (or page:/path) and JSON pointer. */
export interface ProblemLocation {
  where: string
  at: string
}

/** One step deeper in a JSON pointer (RFC 6901). */
export const pointer = (at: string, ...steps: readonly (string | number)[]): string => {
  let address = at
  for (const step of steps) address += `/${typeof step === 'number' || !/[~/]/.test(step) ? step : escaped(step)}`
  return address
}

const escaped = (step: string): string => step.replace(/~/g, '~0').replace(/\//g, '~1')

/** At most this many candidates are measured, so that a hostile document cannot make the hint expensive. */
const MOST_CANDIDATES = 5_000
const LONGEST_NAME = 120

/** The known name that was probably meant: few letters wrong, or the same letters in another case. */
export const didYouMean = (given: unknown, known: Iterable<string>): string | undefined => {
  if (typeof given !== 'string' || given === '' || given.length > LONGEST_NAME) return undefined
  const candidates: string[] = []
  for (const name of known) {
    if (candidates.length >= MOST_CANDIDATES) break
    if (name.length <= LONGEST_NAME) candidates.push(name)
  }
  if (candidates.length === 0) return undefined
  const folded = given.toLowerCase()
  const sameLetters = candidates.find((name) => name.toLowerCase() === folded)
  if (sameLetters !== undefined) return sameLetters
  const best = closest(given, candidates)
  return distance(given, best) <= Math.max(2, Math.floor(given.length / 3)) ? best : undefined
}

/** A value as it is shown in a problem: short, and never a structure that could not be written down. */
export const shorten = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > 100 ? `${value.slice(0, 100)}…` : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return value
  if (Array.isArray(value)) return `[… ${value.length}]`
  return typeof value === 'object' ? '{…}' : String(typeof value)
}

interface Details {
  severity?: 'error' | 'warning'
  value?: unknown
  /** Names that were possible: gives the hint. */
  known?: Iterable<string>
  hint?: string
  other?: string
}

/** Builds a problem; the hint is part of the message too, so that it is read wherever only the message is shown. */
export const diagnose = (
  code: ProblemCode,
  location: ProblemLocation,
  message: BilingualText,
  details: Details = {},
): Problem => {
  const hint = details.hint ?? (details.known === undefined ? undefined : didYouMean(details.value, details.known))
  return {
    code,
    severity: details.severity ?? 'error',
    where: location.where,
    at: location.at,
    ...('value' in details ? { value: shorten(details.value) } : {}),
    message:
      hint === undefined ? message : { zh: `${message.zh}是否想写“${hint}”？`, en: `${message.en} Did you mean "${hint}"?` },
    ...(hint === undefined ? {} : { hint }),
    ...(details.other === undefined ? {} : { other: details.other }),
  }
}

/** One problem as a line of text for a terminal or a log. */
export const formatProblem = (problem: Problem, locale: keyof BilingualText = 'en'): string => {
  const given = problem.value === undefined ? '' : ` (${JSON.stringify(problem.value)})`
  return `${problem.where}${problem.at === '' ? '' : `#${problem.at}`}: ${problem.severity} ${problem.code}${given}: ${problem.message[locale]}`
}

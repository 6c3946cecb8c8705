/**
 * What can be wrong with an expression, said in both languages and with the place in its text.
 * A problem found while parsing or checking is data (`ExpressionProblem`); one that happens while evaluating is thrown
 * (`ExpressionError`, the only thing that evaluation ever throws).
 */
import type { BilingualText } from '../problem'

export type ExpressionProblemCode =
  // found in the text
  | 'empty-expression'
  | 'too-long'
  | 'too-deep'
  | 'unexpected-character'
  | 'unexpected-token'
  | 'unclosed-string'
  | 'unclosed-bracket'
  | 'unclosed-expression'
  | 'forbidden-syntax'
  | 'forbidden-name'
  | 'arrow-outside-call'
  // found by looking at names
  | 'unknown-root'
  | 'unknown-function'
  | 'wrong-arguments'
  // found while evaluating
  | 'empty-object'
  | 'not-data'
  | 'not-primitive'
  | 'bad-argument'
  | 'different-currencies'
  | 'too-much-work'
  | 'too-large'
  | 'unsafe-address'
  | 'evaluation-failed'

/** `offset` and `length` count UTF-16 units in the whole text that was given, braces included. */
export interface ExpressionProblem {
  code: ExpressionProblemCode
  message: BilingualText
  offset: number
  length: number
  /** A name that may have been meant. */
  hint?: string
}

/** The only error that evaluating an expression throws; `message` is for logs, `problem` is for people. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'

  constructor(
    readonly problem: ExpressionProblem,
    /** The expression's own text. */
    readonly expression?: string,
  ) {
    super(expression === undefined ? problem.message.en : `${problem.message.en} In: ${expression.slice(0, 200)}`)
  }

  get code(): ExpressionProblemCode {
    return this.problem.code
  }
}

/** A place in the text, in UTF-16 units; `start` -1 means that no place is known. */
export interface Span {
  start: number
  end: number
}

export const NOWHERE: Span = { start: -1, end: -1 }

/** An `ExpressionError` for a place: the short way to raise one. */
export function problemAt(span: Span, code: ExpressionProblemCode, message: BilingualText, hint?: string): ExpressionError {
  const problem: ExpressionProblem = { code, message, offset: span.start, length: Math.max(0, span.end - span.start) }
  if (hint !== undefined) problem.hint = hint
  return new ExpressionError(problem)
}

/** The same error with the place and the text filled in, where it had none. */
export function locate(error: unknown, span: Span, expression?: string): ExpressionError {
  if (!(error instanceof ExpressionError)) {
    const reason = error instanceof Error ? error.message : String(error)
    const failed = problemAt(span, 'evaluation-failed', {
      zh: `表达式计算失败：${reason}`,
      en: `The expression could not be evaluated: ${reason}`,
    })
    return new ExpressionError(failed.problem, expression)
  }
  const located = error.problem.offset < 0 && span.start >= 0
  if (!located && (error.expression !== undefined || expression === undefined)) return error
  const problem = located ? { ...error.problem, offset: span.start, length: span.end - span.start } : error.problem
  return new ExpressionError(problem, error.expression ?? expression)
}

/**
 * What one evaluation may cost. Steps count loop turns and characters looked at, so they bound the time as well
 * (about 10 nanoseconds a step).
 */
export const LIMITS = {
  /** Characters of one text with its braces. */
  length: 10_000,
  /** How deep brackets, operators and calls may lie in one another. */
  depth: 128,
  /** Loop turns of one evaluation. */
  steps: 100_000,
  /** Characters of any text made. */
  text: 100_000,
  /** Items of any list made. */
  items: 10_000,
} as const

/** Names that lead to prototypes and code: refused as members and as keys, however they are spelt. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
])

export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name)
}

export function forbiddenName(span: Span, name: string): ExpressionError {
  return problemAt(span, 'forbidden-name', {
    zh: `不能使用名称“${name}”：它通向数据以外的内容。`,
    en: `The name "${name}" cannot be used: it leads outside of the data.`,
  })
}

import { shorten, type ProblemLocation } from './diagnosis'
import type { ExpressionProblem } from './expression'
import type { Problem, ProblemCode } from './problem'

const CODES: Readonly<Partial<Record<ExpressionProblem['code'], ProblemCode>>> = {
  'unknown-root': 'expression-root',
  'unknown-function': 'expression-function',
  'wrong-arguments': 'expression-function',
}

/** What is wrong with an expression, as a problem of the document that it stands in. */
export const expressionProblem = (problem: ExpressionProblem, location: ProblemLocation, text: string): Problem => ({
  code: CODES[problem.code] ?? 'expression-syntax',
  severity: 'error',
  where: location.where,
  at: location.at,
  value: shorten(text),
  message: problem.message,
  ...(problem.hint === undefined ? {} : { hint: problem.hint }),
})

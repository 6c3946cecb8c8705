/** JavaScript's two-sided operators on plain values. Objects are refused where JavaScript would call their methods. */
import { calculate, compareAmounts, isAmounts, sameAmount } from './amount'
import type { BinaryOperator } from './ast'
import type { Run } from './frame'
import type { Span } from './problem'
import { limitedText, primitive } from './values'

export function binary(operator: BinaryOperator, left: Run, right: Run, span: Span): Run {
  switch (operator) {
    case '===':
      return (frame) => identical(left(frame), right(frame))
    case '!==':
      return (frame) => !identical(left(frame), right(frame))
    case '==':
      return (frame) => looselyEqual(left(frame), right(frame), span)
    case '!=':
      return (frame) => !looselyEqual(left(frame), right(frame), span)
    case '+':
      return (frame) => {
        const a = left(frame)
        const b = right(frame)
        if (typeof a === 'number' && typeof b === 'number') return a + b
        if (isAmounts(a, b)) return calculate('+', a, b, span)
        const first = primitive(a, span)
        const second = primitive(b, span)
        if (typeof first === 'string' || typeof second === 'string') return limitedText(`${String(first)}${String(second)}`, span)
        return Number(first) + Number(second)
      }
    case '<':
      return ordered(left, right, span, (a, b) => a < b)
    case '>':
      return ordered(left, right, span, (a, b) => a > b)
    case '<=':
      return ordered(left, right, span, (a, b) => a <= b)
    case '>=':
      return ordered(left, right, span, (a, b) => a >= b)
    case '-':
      return numeric('-', left, right, span, (a, b) => a - b)
    case '*':
      return numeric('*', left, right, span, (a, b) => a * b)
    case '/':
      return numeric('/', left, right, span, (a, b) => a / b)
    case '%':
      return numeric('%', left, right, span, (a, b) => a % b)
    case '**':
      return numeric('**', left, right, span, (a, b) => a ** b)
  }
}

function numeric(
  operator: '-' | '*' | '/' | '%' | '**',
  left: Run,
  right: Run,
  span: Span,
  operate: (a: number, b: number) => number,
): Run {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'number' && typeof b === 'number') return operate(a, b)
    if (isAmounts(a, b)) return calculate(operator, a, b, span)
    return operate(Number(primitive(a, span)), Number(primitive(b, span)))
  }
}

function ordered(left: Run, right: Run, span: Span, operate: (a: string | number, b: string | number) => boolean): Run {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'number' && typeof b === 'number') return operate(a, b)
    if (isAmounts(a, b)) return operate(compareAmounts(a, b, span) ?? NaN, 0)
    const first = primitive(a, span)
    const second = primitive(b, span)
    if (typeof first === 'string' && typeof second === 'string') return operate(first, second)
    return operate(Number(first), Number(second))
  }
}

/** `===` as in JavaScript; amounts by their size. */
function identical(a: unknown, b: unknown): boolean {
  return a === b || (isAmounts(a, b) && sameAmount(a, b))
}

/** `==` as in JavaScript for plain values; objects are equal to themselves only. */
function looselyEqual(a: unknown, b: unknown, span: Span): boolean {
  if (a === b) return true
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null)
  if (isAmounts(a, b)) return sameAmount(a, b)
  if (typeof a === 'object' && typeof b === 'object') return false
  const first = primitive(a, span)
  const second = primitive(b, span)
  if (typeof first === typeof second) return false
  return Number(first) === Number(second)
}

/**
 * JavaScript's two-sided operators on plain values. Objects are refused where JavaScript would call their methods; numbers are
 * reckoned as they are written, and what is empty is empty in a text.
 */
import { Exact } from '../formats/decimal'
import { calculate, compareAmounts, isAmounts, sameAmount, type Arithmetic } from './amount'
import type { BinaryOperator } from './ast'
import type { Run } from './frame'
import type { Span } from './problem'
import { limitedText, plainText, primitive } from './values'

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
        if (typeof a === 'number' && typeof b === 'number') return reckon('+', a, b)
        if (isAmounts(a, b)) return calculate('+', a, b, span)
        const first = primitive(a, span)
        const second = primitive(b, span)
        if (typeof first === 'string' || typeof second === 'string')
          return limitedText(`${plainText(first)}${plainText(second)}`, span)
        return reckon('+', Number(first), Number(second))
      }
    case '<':
      return ordered(left, right, span, (a, b) => a < b)
    case '>':
      return ordered(left, right, span, (a, b) => a > b)
    case '<=':
      return ordered(left, right, span, (a, b) => a <= b)
    case '>=':
      return ordered(left, right, span, (a, b) => a >= b)
    default:
      return numeric(operator, left, right, span)
  }
}

function numeric(operator: Exclude<Arithmetic, '+'>, left: Run, right: Run, span: Span): Run {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'number' && typeof b === 'number') return reckon(operator, a, b)
    if (isAmounts(a, b)) return calculate(operator, a, b, span)
    return reckon(operator, Number(primitive(a, span)), Number(primitive(b, span)))
  }
}

const AS_JAVASCRIPT: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
}

/** Numbers beyond are no numbers of a business: they are reckoned as JavaScript does. */
const [SMALLEST, LARGEST, MOST_POWER] = [1e-20, 1e20, 100]

/** The numbers as they are written, not the binary fractions beside them: 0.1 + 0.2 is 0.3. */
function reckon(operator: Arithmetic, a: number, b: number): number {
  const near = AS_JAVASCRIPT[operator](a, b)
  if (near === 0 || !Number.isFinite(near) || (Number.isInteger(a) && Number.isInteger(b)) || !isUsual(a) || !isUsual(b))
    return near
  const [first, second] = [new Exact(a), new Exact(b)]
  switch (operator) {
    case '+':
      return first.plus(second).toNumber()
    case '-':
      return first.minus(second).toNumber()
    case '*':
      return first.times(second).toNumber()
    case '/':
      return first.dividedBy(second).toNumber()
    case '%':
      return first.modulo(second).toNumber()
    case '**':
      return Number.isInteger(b) && Math.abs(b) <= MOST_POWER ? (first.power(second)?.toNumber() ?? near) : near
  }
}

function isUsual(number: number): boolean {
  const size = Math.abs(number)
  return size === 0 || (size >= SMALLEST && size <= LARGEST)
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

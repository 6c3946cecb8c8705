/**
 * Exact numbers. They travel as decimal text ("1234.50"); here they are added, compared and rounded half up
 * (away from zero on a tie), never as binary fractions.
 */
import { Decimal } from 'decimal.js'

/** 40 significant digits hold numeric(18,6) times numeric(18,6). */
export const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 41 })
export type Exact = Decimal

const PLAIN = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/
/** More digits than any business number has; refused, so that writing one out stays cheap. */
const MOST_DIGITS = 60

/** A number or a decimal text as an exact number; `undefined` for anything else (empty text included). */
export function toExact(value: unknown): Exact | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? sized(new Exact(value)) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text.length <= 100 && PLAIN.test(text) ? sized(new Exact(text)) : undefined
}

function sized(value: Exact): Exact | undefined {
  return value.isZero() || Math.abs(value.e) <= MOST_DIGITS ? value : undefined
}

/** Decimal text without an exponent and without trailing zeros after the point. */
export function exactText(value: Exact): string {
  return value.isZero() ? '0' : value.toFixed()
}

/** Decimal text with exactly `digits` decimals, half up. */
export function roundedText(value: Exact, digits: number): string {
  const text = value.toFixed(digits, Decimal.ROUND_HALF_UP)
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text
}

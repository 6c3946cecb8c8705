/**
 * Exact numbers. They travel as decimal text ("1234.50"); here they are added, compared and rounded half up
 * (away from zero on a tie), never as binary fractions.
 */
import Decimal from 'decimal.js-light'

/** 40 significant digits hold numeric(18,6) times numeric(18,6). */
const DIGITS = 40
/** The library cuts its results off; with one digit more than are kept, they are rounded from it. */
const Cut = Decimal.clone({ precision: DIGITS + 1, rounding: Decimal.ROUND_HALF_UP })
/** Powers with a fraction come from a series, whose last digits may be wrong. */
const Wide = Decimal.clone({ precision: DIGITS + 20 })
const ROUNDING = {
  halfUp: Decimal.ROUND_HALF_UP,
  halfEven: Decimal.ROUND_HALF_EVEN,
  floor: Decimal.ROUND_FLOOR,
  ceil: Decimal.ROUND_CEIL,
}

export type Rounding = keyof typeof ROUNDING
type Given = Exact | number | string

/** An exact decimal number. What is reckoned keeps 40 significant digits. */
export class Exact {
  private readonly value: Decimal

  constructor(value: number | string | Decimal) {
    this.value = value instanceof Decimal ? value : new Cut(value)
  }

  plus(other: Given): Exact {
    return Exact.kept(this.value.plus(Exact.plain(other)))
  }

  minus(other: Given): Exact {
    return Exact.kept(this.value.minus(Exact.plain(other)))
  }

  times(other: Given): Exact {
    return Exact.kept(this.value.times(Exact.plain(other)))
  }

  /** @throws for 0. */
  dividedBy(other: Given): Exact {
    return Exact.kept(this.value.dividedBy(Exact.plain(other)))
  }

  /** What a division leaves, with the sign of the dividend. @throws for 0. */
  modulo(other: Given): Exact {
    return Exact.kept(this.value.modulo(Exact.plain(other)))
  }

  /** Undefined for what is no number or far too large, e.g. the root of a negative number. */
  power(other: Given): Exact | undefined {
    try {
      return Exact.kept(new Wide(this.value).pow(Exact.plain(other)))
    } catch {
      return undefined
    }
  }

  abs(): Exact {
    return new Exact(this.value.abs())
  }

  toDecimalPlaces(digits: number, rounding: Rounding = 'halfUp'): Exact {
    return new Exact(this.value.toDecimalPlaces(digits, ROUNDING[rounding]))
  }

  toSignificantDigits(digits: number): Exact {
    return new Exact(this.value.toSignificantDigits(digits, ROUNDING.halfUp))
  }

  comparedTo(other: Given): -1 | 0 | 1 {
    return this.value.comparedTo(Exact.plain(other))
  }

  eq(other: Given): boolean {
    return this.comparedTo(other) === 0
  }

  lt(other: Given): boolean {
    return this.comparedTo(other) < 0
  }

  gt(other: Given): boolean {
    return this.comparedTo(other) > 0
  }

  lte(other: Given): boolean {
    return this.comparedTo(other) <= 0
  }

  gte(other: Given): boolean {
    return this.comparedTo(other) >= 0
  }

  isZero(): boolean {
    return this.value.isZero()
  }

  isNegative(): boolean {
    return this.value.isNegative()
  }

  isInteger(): boolean {
    return this.value.isInteger()
  }

  decimalPlaces(): number {
    return this.value.decimalPlaces()
  }

  /** Whether it has at most so many digits before the point, or zeros after it. */
  within(digits: number): boolean {
    return this.isZero() || Math.abs(this.value.exponent()) <= digits
  }

  /** Decimal text without an exponent; with exactly `digits` decimals, half up, where they are given. */
  toFixed(digits?: number): string {
    return this.value.toFixed(digits, ROUNDING.halfUp)
  }

  toString(): string {
    return this.toFixed()
  }

  toNumber(): number {
    return this.value.toNumber()
  }

  private static kept(value: Decimal): Exact {
    return new Exact(value.precision(false) > DIGITS ? value.toSignificantDigits(DIGITS, ROUNDING.halfUp) : value)
  }

  private static plain(given: Given): Decimal | number | string {
    return given instanceof Exact ? given.value : given
  }
}

const PLAIN = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/
/** More digits than any business number has; refused, so that writing one out stays cheap. */
const MOST_DIGITS = 60

/** A number or a decimal text as an exact number; `undefined` for anything else (empty text included). */
export function toExact(value: unknown): Exact | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? sized(new Exact(value)) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text.length <= 100 && PLAIN.test(text) ? sized(new Exact(text.replace('+', ''))) : undefined
}

/** The number, unless it has more digits than any business number. */
export function sized(value: Exact): Exact | undefined {
  return value.within(MOST_DIGITS) ? value : undefined
}

/** Decimal text without an exponent and without trailing zeros after the point. */
export function exactText(value: Exact): string {
  return value.toFixed()
}

/** Decimal text with exactly `digits` decimals, half up. */
export function roundedText(value: Exact, digits: number): string {
  const text = value.toFixed(digits)
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text
}

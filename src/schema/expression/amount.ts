/**
 * Exact numbers within an evaluation. Amounts travel as decimal text, of which JavaScript's operators would compare and join
 * the characters; where the kind of a field says that its text is a number, the evaluation reads an `Amount` instead.
 */
import { exactText, sized, toExact, type Exact } from '../formats/decimal'
import type { BinaryOperator } from './ast'
import { NOWHERE, problemAt, type Span } from './problem'

/** An exact number. It never leaves an evaluation: results are decimal text again. */
export class Amount {
  constructor(
    readonly value: Exact,
    /** ISO 4217; null for money whose currency is not known, undefined for a number that is no money. */
    readonly currency?: string | null,
    /** The text that it stands for where that has more than its digits, e.g. `1.50`. */
    private readonly written?: string,
  ) {}

  get text(): string {
    return this.written ?? exactText(this.value)
  }

  toJSON(): string {
    return this.text
  }
}

/** The operators that reckon. */
export type Arithmetic = Exclude<BinaryOperator, '===' | '!==' | '==' | '!=' | '<' | '>' | '<=' | '>='>

export function isAmounts(a: unknown, b: unknown): boolean {
  return a instanceof Amount || b instanceof Amount
}

/** `===` and `!==`: equal as numbers, and of one currency where both have one. Decimal text and numbers count as numbers. */
export function sameAmount(a: unknown, b: unknown): boolean {
  const [first, second] = [numberIn(a), numberIn(b)]
  if (!first || !second || !first.eq(second)) return false
  return !(a instanceof Amount && b instanceof Amount) || a.currency === b.currency || !isMoney(a) || !isMoney(b)
}

/** -1, 0 or 1; undefined beside something that is not there. Nothing (null) counts as 0, as it does for numbers. */
export function compareAmounts(a: unknown, b: unknown, span: Span = NOWHERE): -1 | 0 | 1 | undefined {
  if (a === undefined || b === undefined) return undefined
  commonCurrency([a, b], span)
  return operand(a, span).comparedTo(operand(b, span))
}

/** `+ - * / % **` where one side is an `Amount`. Text that is no number is joined with `+`, as everywhere. */
export function calculate(operator: Arithmetic, a: unknown, b: unknown, span: Span): unknown {
  if (operator === '+' && (isWords(a) || isWords(b))) return `${shown(a)}${shown(b)}`
  const [first, second] = [operand(a, span), operand(b, span)]
  switch (operator) {
    case '+':
      return bounded(first.plus(second), commonCurrency([a, b], span), span)
    case '-':
      return bounded(first.minus(second), commonCurrency([a, b], span), span)
    case '*':
      return bounded(first.times(second), productCurrency([a, b], span), span)
    case '/':
      return bounded(first.dividedBy(divisor(second, span)), quotientCurrency(a, b, span), span)
    case '%':
      return bounded(first.modulo(divisor(second, span)), commonCurrency([a, b], span), span)
    case '**':
      return bounded(first.power(second), productCurrency([a, a, b], span), span)
  }
}

/** The result of a calculation, within the size that numbers may have. */
export function bounded(value: Exact | undefined, currency: string | null | undefined, span: Span = NOWHERE): Amount {
  // writing out and reading back is only for texts that may be too long
  const checked = value && sized(value) && (value.decimalPlaces() <= 36 ? value : toExact(exactText(value)))
  if (checked) return new Amount(checked, currency)
  throw problemAt(span, 'bad-argument', { zh: '结果数字过大。', en: 'The resulting number is too large.' })
}

/**
 * The currency of what is added or compared: plain numbers take part with any.
 * @throws ExpressionError for two currencies, or money of an unknown currency beside other money.
 */
export function commonCurrency(given: readonly unknown[], span: Span = NOWHERE): string | null | undefined {
  const money = given.filter(isMoney)
  const [first] = money
  const other = money.find(({ currency }) => currency !== first?.currency)
  if (other) throw differentCurrencies(span, first!.currency, other.currency)
  if (money.length > 1 && first!.currency === null) throw differentCurrencies(span, null, null)
  return first?.currency
}

/** @throws ExpressionError for a product of money with money. */
export function productCurrency(given: readonly unknown[], span: Span = NOWHERE): string | null | undefined {
  const money = given.filter(isMoney)
  if (money.length <= 1) return money[0]?.currency
  throw problemAt(span, 'different-currencies', {
    zh: '金额不能与金额相乘，请乘以数量或比率。',
    en: 'Money cannot be multiplied by money: multiply it by a quantity or a rate.',
  })
}

/** Money by a number stays money; money by money of its currency is a plain number. */
export function quotientCurrency(a: unknown, b: unknown, span: Span = NOWHERE): string | null | undefined {
  if (!isMoney(b)) return isMoney(a) ? a.currency : undefined
  if (isMoney(a)) return void commonCurrency([a, b], span)
  throw problemAt(span, 'different-currencies', {
    zh: '不能用数字除以金额。',
    en: 'A number cannot be divided by money.',
  })
}

/** What an evaluation answers: decimal text for every `Amount`, also within lists and objects that it made. */
export function withoutAmounts(value: unknown): unknown {
  if (value instanceof Amount) return value.text
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map(withoutAmounts)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, member, withoutAmounts(member)] as const)
  return entries.some(([, before, after]) => before !== after)
    ? Object.fromEntries(entries.map(([key, , after]) => [key, after]))
    : value
}

function isMoney(value: unknown): value is Amount {
  return value instanceof Amount && value.currency !== undefined
}

function numberIn(value: unknown): Exact | undefined {
  return value instanceof Amount ? value.value : toExact(value)
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && toExact(value) === undefined
}

const shown = (value: unknown): string => (value instanceof Amount ? value.text : String(value ?? ''))

function operand(value: unknown, span: Span): Exact {
  const found = numberIn(value ?? 0) ?? (value === '' ? toExact(0) : undefined)
  if (found) return found
  const text = typeof value === 'string' ? value.slice(0, 40) : typeof value
  throw problemAt(span, 'bad-argument', { zh: `“${text}”不是数字。`, en: `"${text}" is not a number.` })
}

function divisor(value: Exact, span: Span): Exact {
  if (!value.isZero()) return value
  throw problemAt(span, 'bad-argument', { zh: '不能除以 0。', en: 'Nothing can be divided by 0.' })
}

function differentCurrencies(span: Span, first: string | null | undefined, second: string | null | undefined): Error {
  const both = first && second ? [first, second].sort() : undefined
  return problemAt(
    span,
    'different-currencies',
    both
      ? {
          zh: `${both.join(' 与 ')} 的金额不能相加或比较，请先换算为一种货币。`,
          en: `Amounts in ${both.join(' and ')} cannot be added or compared: convert them to one currency first.`,
        }
      : {
          zh: '有金额的币种未知，不能与其他金额相加或比较。',
          en: 'The currency of an amount is not known: it cannot be added to or compared with other amounts.',
        },
  )
}

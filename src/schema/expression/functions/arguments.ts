/** Reads the arguments of a listed function, or says in a sentence what is wrong with them. */
import { exactText, toExact, type Exact } from '../../formats/decimal'
import { dayOf } from '../../formats/time'
import { Amount, bounded, compareAmounts, isAmounts } from '../amount'
import type { Call, Lambda } from '../call'
import { NOWHERE, problemAt } from '../problem'
import { itemsOf, primitive, textOf } from '../values'

export function badArgument(zh: string, en: string): Error {
  return problemAt(NOWHERE, 'bad-argument', { zh, en })
}

/** Nothing, an empty text, or what could not be reckoned because something in it is empty. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (typeof value === 'number' && !Number.isFinite(value))
}

/** The items of a list; nothing counts as an empty list. */
export function listOf(value: unknown, call: Call): unknown[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw badArgument('参数须是列表。', 'The argument has to be a list.')
  return itemsOf(value, call)
}

export function lambdaOf(value: unknown): Lambda {
  if (typeof value !== 'function') throw badArgument('参数须是箭头函数。', 'The argument has to be an arrow function.')
  return value as Lambda
}

/** Text of a plain value; nothing counts as ''. Costs a step for every 16 characters. */
export function stringOf(value: unknown, call: Call): string {
  const text = textOf(value, NOWHERE, call)
  call.charge(text.length >> 4)
  return text
}

/** Exact number; nothing counts as 0. */
export function exactOf(value: unknown): Exact {
  if (value instanceof Amount) return value.value
  if (isEmpty(value)) return toExact(0)!
  const exact = toExact(value)
  if (exact) return exact
  const shown = String(primitive(value, NOWHERE)).slice(0, 40)
  throw badArgument(`“${shown}”不是数字。`, `"${shown}" is not a number.`)
}

/** As what went in: an amount (of the currency) where there was one, else decimal text where there was text, else a number. */
export function sameKind(result: Exact, inputs: readonly unknown[], currency?: string | null): number | string | Amount {
  const amount = bounded(result, currency)
  if (inputs.some((input) => input instanceof Amount)) return amount
  return inputs.some((input) => typeof input === 'string' && input !== '') ? exactText(amount.value) : amount.value.toNumber()
}

/** A whole number between bounds. */
export function wholeOf(value: unknown, least: number, most: number, fallback?: number): number {
  if (isEmpty(value) && fallback !== undefined) return fallback
  const number = Number(primitive(value, NOWHERE))
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw badArgument(`此处须是 ${least} 到 ${most} 之间的整数。`, `A whole number from ${least} to ${most} is needed here.`)
}

/** Day of a day or an instant in the viewer's zone; null for nothing. */
export function dayOrNull(value: unknown, call: Call): string | null {
  if (isEmpty(value)) return null
  call.charge(10)
  const day = dayOf(value, call.environment.timeZone)
  if (day !== undefined) return day
  const shown = typeof value === 'string' ? value.slice(0, 40) : typeof value
  throw badArgument(`“${shown}”不是日期。`, `"${shown}" is not a date.`)
}

/** -1, 0 or 1: nothing first, numbers by size (decimal text included), other texts by character. */
export function compareValues(a: unknown, b: unknown): -1 | 0 | 1 {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) ? (isEmpty(b) ? 0 : -1) : 1
  if (isAmounts(a, b)) return compareAmounts(a, b) ?? 0
  const first = toExact(a)
  const second = toExact(b)
  if (first && second) return first.comparedTo(second) as -1 | 0 | 1
  const left = String(primitive(a, NOWHERE))
  const right = String(primitive(b, NOWHERE))
  return left < right ? -1 : left > right ? 1 : 0
}

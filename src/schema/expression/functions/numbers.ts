/**
 * Exact arithmetic. Amounts are decimal texts: where one of the inputs is text, the result is decimal text, else a number.
 * Nothing counts as 0 in sums and is left out of min, max and avg.
 */
import { Exact, roundedText, toExact, type Rounding } from '../../formats/decimal'
import { Amount, commonCurrency, productCurrency, quotientCurrency } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { badArgument, compareValues, exactOf, isEmpty, listOf, sameKind, wholeOf } from './arguments'

/** Room for the largest result of a division before it is cut to its decimals. */
const DIVISION_DIGITS = 20

function filled(value: unknown, call: Call): unknown[] {
  const items = listOf(value, call).filter((item) => !isEmpty(item))
  call.charge(items.length * 4)
  return items
}

function total(items: readonly unknown[]): Exact {
  return items.reduce<Exact>((sum, item) => sum.plus(exactOf(item)), new Exact(0))
}

type Currency = (given: readonly unknown[]) => string | null | undefined

function fold(operate: (a: Exact, b: Exact) => Exact, currency: Currency): FunctionSpec['run'] {
  return (call, given) => {
    call.charge(given.length * 4)
    const [head, ...rest] = given
    return sameKind(
      rest.reduce<Exact>((result, value) => operate(result, exactOf(value)), exactOf(head)),
      given,
      currency(given),
    )
  }
}

function divide(_call: Call, [a, b, digits]: readonly unknown[]): number | string | Amount | null {
  const divisor = exactOf(b)
  if (divisor.isZero()) return null
  const decimals = wholeOf(digits, 0, DIVISION_DIGITS, DIVISION_DIGITS)
  return sameKind(exactOf(a).dividedBy(divisor).toDecimalPlaces(decimals), [a, b], quotientCurrency(a, b))
}

function rounded(mode: Rounding): FunctionSpec['run'] {
  return (_call, [value, digits]) => {
    if (isEmpty(value)) return null
    const decimals = wholeOf(digits, 0, 20, 0)
    const exact = exactOf(value).toDecimalPlaces(decimals, mode)
    if (value instanceof Amount) return new Amount(exact, value.currency, roundedText(exact, decimals))
    return typeof value === 'string' ? roundedText(exact, decimals) : sameKind(exact, [value])
  }
}

function extreme(wanted: -1 | 1): FunctionSpec['run'] {
  return (call, [value]) => {
    let best: unknown = null
    for (const item of filled(value, call)) if (best === null || compareValues(item, best) === wanted) best = item
    return best
  }
}

function average(call: Call, [value]: readonly unknown[]): number | string | Amount | null {
  const items = filled(value, call)
  if (items.length === 0) return null
  return sameKind(total(items).dividedBy(items.length).toDecimalPlaces(DIVISION_DIGITS), items, commonCurrency(items))
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Amount) return value.value.toNumber()
  return toExact(value)?.toNumber() ?? null
}

export const NUMBER_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'add',
    signature: 'add(a, b, ...)',
    arity: [2, 20],
    run: fold((a, b) => a.plus(b), commonCurrency),
  },
  {
    name: 'sub',
    signature: 'sub(a, b, ...)',
    arity: [2, 20],
    run: fold((a, b) => a.minus(b), commonCurrency),
  },
  {
    name: 'mul',
    signature: 'mul(a, b, ...)',
    arity: [2, 20],
    run: fold((a, b) => a.times(b), productCurrency),
  },
  {
    name: 'div',
    signature: 'div(a, b, digits = 20)',
    arity: [2, 3],
    run: divide,
  },
  {
    name: 'round',
    signature: 'round(value, digits = 0)',
    arity: [1, 2],
    run: rounded('halfUp'),
  },
  {
    name: 'floor',
    signature: 'floor(value, digits = 0)',
    arity: [1, 2],
    run: rounded('floor'),
  },
  {
    name: 'ceil',
    signature: 'ceil(value, digits = 0)',
    arity: [1, 2],
    run: rounded('ceil'),
  },
  {
    name: 'abs',
    signature: 'abs(value)',
    arity: [1, 1],
    run: (_call, [value]) => (isEmpty(value) ? null : sameKind(exactOf(value).abs(), [value], commonCurrency([value]))),
  },
  {
    name: 'sum',
    signature: 'sum(list)',
    arity: [1, 1],
    run: (call, [value]) => {
      const items = filled(value, call)
      return sameKind(total(items), items, commonCurrency(items))
    },
  },
  {
    name: 'avg',
    signature: 'avg(list)',
    arity: [1, 1],
    run: average,
  },
  {
    name: 'min',
    signature: 'min(list)',
    arity: [1, 1],
    run: extreme(-1),
  },
  {
    name: 'max',
    signature: 'max(list)',
    arity: [1, 1],
    run: extreme(1),
  },
  {
    name: 'count',
    signature: 'count(list)',
    arity: [1, 1],
    run: (call, [value]) => filled(value, call).length,
  },
  {
    name: 'compare',
    signature: 'compare(a, b)',
    arity: [2, 2],
    run: (_call, [a, b]) => compareValues(a, b),
  },
  {
    name: 'number',
    signature: 'number(value)',
    arity: [1, 1],
    run: (_call, [value]) => {
      if (typeof value === 'object' && value !== null && !(value instanceof Amount))
        throw badArgument('number 不能用于列表或对象。', 'number does not work on lists and objects.')
      return toNumber(value)
    },
  },
]

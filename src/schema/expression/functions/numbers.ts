/**
 * Exact arithmetic. Amounts are decimal texts: where one of the inputs is text, the result is decimal text, else a number.
 * Nothing counts as 0 in sums and is left out of min, max and avg.
 */
import { Exact, roundedText, toExact, type Rounding } from '../../formats/decimal'
import { Amount, commonCurrency, productCurrency, quotientCurrency } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { badArgument, compareValues, exactOf, isEmpty, lambdaOf, listOf, sameKind, wholeOf } from './arguments'
import { seldom, wantSeldom } from './onDemand'

/** Room for the largest result of a division before it is cut to its decimals. */
const DIVISION_DIGITS = 20

/** What is not empty of a list, or of what an arrow function answers for its items. */
function filled([value, by]: readonly unknown[], call: Call): unknown[] {
  const listed = listOf(value, call)
  const change = by === undefined ? undefined : lambdaOf(by)
  const items = (change ? listed.map((item, index) => change(item, index)) : listed).filter((item) => !isEmpty(item))
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

/** Of the items of a list, or of several values. */
function extreme(wanted: -1 | 1): FunctionSpec['run'] {
  return (call, given) => {
    let best: unknown = null
    for (const item of filled([given.length === 1 ? given[0] : given], call))
      if (best === null || compareValues(item, best) === wanted) best = item
    return best
  }
}

function average(call: Call, given: readonly unknown[]): number | string | Amount | null {
  const items = filled(given, call)
  if (items.length === 0) return null
  return sameKind(total(items).dividedBy(items.length).toDecimalPlaces(DIVISION_DIGITS), items, commonCurrency(items))
}

/** Room for the digits of what becomes a power. */
const POWER_STEPS = 200

function power(call: Call, [base, exponent, digits]: readonly unknown[]): number | string | Amount | null {
  if (isEmpty(base) || isEmpty(exponent)) return null
  call.charge(POWER_STEPS)
  const decimals = wholeOf(digits, 0, DIVISION_DIGITS, DIVISION_DIGITS)
  const result = exactOf(base).power(exactOf(exponent))
  if (result) return sameKind(result.toDecimalPlaces(decimals), [base], productCurrency([base, base]))
  throw badArgument('此处没有这样的乘方。', 'There is no such power.')
}

function capitals(_call: Call, [value]: readonly unknown[]): string {
  if (isEmpty(value)) return ''
  const text = seldom().capitalsOf(exactOf(value))
  if (text !== undefined) return text
  throw badArgument(
    '金额过大，无法写成大写（最多 16 位整数）。',
    'The amount is too large for capitals (at most 16 digits before the point).',
  )
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
    name: 'roundEven',
    signature: 'roundEven(value, digits = 0)',
    arity: [1, 2],
    run: rounded('halfEven'),
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
    name: 'pow',
    signature: 'pow(base, exponent, digits = 20)',
    arity: [2, 3],
    run: power,
  },
  {
    name: 'sum',
    signature: 'sum(list, item => value?)',
    arity: [1, 2],
    lambda: 1,
    run: (call, given) => {
      const items = filled(given, call)
      return sameKind(total(items), items, commonCurrency(items))
    },
  },
  {
    name: 'avg',
    signature: 'avg(list, item => value?)',
    arity: [1, 2],
    lambda: 1,
    run: average,
  },
  {
    name: 'min',
    signature: 'min(list) or min(a, b, ...)',
    arity: [1, 20],
    run: extreme(-1),
  },
  {
    name: 'max',
    signature: 'max(list) or max(a, b, ...)',
    arity: [1, 20],
    run: extreme(1),
  },
  {
    name: 'count',
    signature: 'count(list, item => value?)',
    arity: [1, 2],
    lambda: 1,
    run: (call, given) => filled(given, call).length,
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
  {
    name: 'capitals',
    signature: 'capitals(amount)',
    arity: [1, 1],
    want: wantSeldom,
    run: capitals,
  },
]

/**
 * Exact arithmetic. Amounts are decimal texts: where one of the inputs is text, the result is decimal text, else a number.
 * Nothing counts as 0 in sums and is left out of min, max and avg.
 */
import { Decimal } from 'decimal.js'
import { Exact, roundedText, toExact } from '../../formats/decimal'
import { Amount, commonCurrency, productCurrency, quotientCurrency } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { badArgument, compareValues, exactOf, isEmpty, listOf, sameKind, wholeOf } from './arguments'

const amounts = { rows: [{ amount: '0.10' }, { amount: '0.20' }, { amount: null }] }

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
  return sameKind(exactOf(a).dividedBy(divisor).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP), [a, b], quotientCurrency(a, b))
}

function rounded(mode: Decimal.Rounding): FunctionSpec['run'] {
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
    group: 'number',
    summary: { zh: '精确相加。', en: 'Exact sum.' },
    arity: [2, 20],
    examples: [
      { expression: "add('0.1', '0.2')", result: '0.3' },
      { expression: 'add(0.1, 0.2)', result: 0.3 },
    ],
    run: fold((a, b) => a.plus(b), commonCurrency),
  },
  {
    name: 'sub',
    signature: 'sub(a, b, ...)',
    group: 'number',
    summary: { zh: '精确相减。', en: 'Exact difference.' },
    arity: [2, 20],
    examples: [{ expression: "sub('1.00', '0.9')", result: '0.1' }],
    run: fold((a, b) => a.minus(b), commonCurrency),
  },
  {
    name: 'mul',
    signature: 'mul(a, b, ...)',
    group: 'number',
    summary: { zh: '精确相乘。', en: 'Exact product.' },
    arity: [2, 20],
    examples: [{ expression: "mul('0.035', quantity)", scope: { quantity: 1000 }, result: '35' }],
    run: fold((a, b) => a.times(b), productCurrency),
  },
  {
    name: 'div',
    signature: 'div(a, b, digits = 20)',
    group: 'number',
    summary: {
      zh: '相除，四舍五入到指定小数位；除数为 0 时为 null。',
      en: 'Quotient, rounded half up to the decimals given; null when the divisor is 0.',
    },
    arity: [2, 3],
    examples: [
      { expression: "div('2', 3, 4)", result: '0.6667' },
      { expression: 'div(1, 0)', result: null },
    ],
    run: divide,
  },
  {
    name: 'round',
    signature: 'round(value, digits = 0)',
    group: 'number',
    summary: { zh: '四舍五入；文本数字保留指定的小数位。', en: 'Rounds half up; decimal text keeps exactly that many decimals.' },
    arity: [1, 2],
    examples: [
      { expression: "round('1.005', 2)", result: '1.01' },
      { expression: 'round(-2.5)', result: -3 },
    ],
    run: rounded(Decimal.ROUND_HALF_UP),
  },
  {
    name: 'floor',
    signature: 'floor(value, digits = 0)',
    group: 'number',
    summary: { zh: '向下取整。', en: 'Rounds down.' },
    arity: [1, 2],
    examples: [{ expression: 'floor(-1.2)', result: -2 }],
    run: rounded(Decimal.ROUND_FLOOR),
  },
  {
    name: 'ceil',
    signature: 'ceil(value, digits = 0)',
    group: 'number',
    summary: { zh: '向上取整。', en: 'Rounds up.' },
    arity: [1, 2],
    examples: [{ expression: 'ceil(1.21, 1)', result: 1.3 }],
    run: rounded(Decimal.ROUND_CEIL),
  },
  {
    name: 'abs',
    signature: 'abs(value)',
    group: 'number',
    summary: { zh: '绝对值。', en: 'Without its sign.' },
    arity: [1, 1],
    examples: [{ expression: "abs('-1.50')", result: '1.5' }],
    run: (_call, [value]) => (isEmpty(value) ? null : sameKind(exactOf(value).abs(), [value], commonCurrency([value]))),
  },
  {
    name: 'sum',
    signature: 'sum(list)',
    group: 'number',
    summary: { zh: '精确求和，空值不计。', en: 'Exact sum of a list, nothing left out.' },
    arity: [1, 1],
    examples: [
      { expression: 'sum(rows.amount)', scope: amounts, result: '0.3' },
      { expression: 'sum([])', result: 0 },
    ],
    run: (call, [value]) => {
      const items = filled(value, call)
      return sameKind(total(items), items, commonCurrency(items))
    },
  },
  {
    name: 'avg',
    signature: 'avg(list)',
    group: 'number',
    summary: { zh: '平均值，空值不计；空列表为 null。', en: 'Mean of what is there; null for an empty list.' },
    arity: [1, 1],
    examples: [{ expression: 'avg([1, 2, null])', result: 1.5 }],
    run: average,
  },
  {
    name: 'min',
    signature: 'min(list)',
    group: 'number',
    summary: {
      zh: '最小的项（数字按大小，日期和文本按字符）；空列表为 null。',
      en: 'The smallest item (numbers by size, dates and texts by character); null for an empty list.',
    },
    arity: [1, 1],
    examples: [{ expression: "min(['10', '9'])", result: '9' }],
    run: extreme(-1),
  },
  {
    name: 'max',
    signature: 'max(list)',
    group: 'number',
    summary: { zh: '最大的项；空列表为 null。', en: 'The largest item; null for an empty list.' },
    arity: [1, 1],
    examples: [{ expression: "max(['2025-01-31', '2025-02-01'])", result: '2025-02-01' }],
    run: extreme(1),
  },
  {
    name: 'count',
    signature: 'count(list)',
    group: 'number',
    summary: { zh: '非空的项数。', en: 'How many items are not empty.' },
    arity: [1, 1],
    examples: [{ expression: "count([1, null, ''])", result: 1 }],
    run: (call, [value]) => filled(value, call).length,
  },
  {
    name: 'compare',
    signature: 'compare(a, b)',
    group: 'number',
    summary: {
      zh: '比较大小：-1、0 或 1。金额是文本，用它比较而不用“<”。',
      en: '-1, 0 or 1. Amounts are texts: compare them with this and not with "<".',
    },
    arity: [2, 2],
    examples: [
      { expression: "compare('9.5', '10') < 0", result: true },
      { expression: "compare('1.0', 1)", result: 0 },
    ],
    run: (_call, [a, b]) => compareValues(a, b),
  },
  {
    name: 'number',
    signature: 'number(value)',
    group: 'number',
    summary: { zh: '转为数字；不是数字则为 null。', en: 'As a number; null when it is none.' },
    arity: [1, 1],
    examples: [
      { expression: "number('12.50')", result: 12.5 },
      { expression: "number('')", result: null },
    ],
    run: (_call, [value]) => {
      if (typeof value === 'object' && value !== null && !(value instanceof Amount))
        throw badArgument('number 不能用于列表或对象。', 'number does not work on lists and objects.')
      return toNumber(value)
    },
  },
]

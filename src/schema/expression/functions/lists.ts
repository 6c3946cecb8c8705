/** Functions over lists. Nothing (`null`, `undefined`) counts as an empty list everywhere. */
import { exactText } from '../../formats/decimal'
import { Amount, isAmounts, sameAmount } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { entriesOf, limitedItems } from '../values'
import { badArgument, compareValues, isEmpty, lambdaOf, listOf, stringOf, wholeOf } from './arguments'

function sizeOf(value: unknown, call: Call): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (typeof value === 'object') return entriesOf(value, call).length
  throw badArgument('len 须用于文本、列表或对象。', 'len works on a text, a list or an object.')
}

function contains(call: Call, [where, what]: readonly unknown[]): boolean {
  if (typeof where === 'string') {
    call.charge(where.length >> 4)
    return where.includes(stringOf(what, call))
  }
  const items = listOf(where, call)
  return items.includes(what) || items.some((item) => isAmounts(item, what) && sameAmount(item, what))
}

/** Each once; amounts by size and currency. */
function distinct(items: readonly unknown[]): unknown[] {
  const key = (item: unknown): unknown => (item instanceof Amount ? `${String(item.currency)} ${exactText(item.value)}` : item)
  const seen = new Map<unknown, unknown>()
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item)
  return [...seen.values()]
}

function cut(call: Call, [value, start, end]: readonly unknown[]): unknown {
  const from = wholeOf(start, -1e9, 1e9, 0)
  const to = isEmpty(end) ? undefined : wholeOf(end, -1e9, 1e9)
  return typeof value === 'string' ? value.slice(from, to) : listOf(value, call).slice(from, to)
}

function sortBy(call: Call, [value, by]: readonly unknown[]): unknown[] {
  const key = lambdaOf(by)
  const keyed = listOf(value, call).map((item) => ({ item, key: key(item) }))
  call.charge(Math.ceil(keyed.length * Math.log2(keyed.length + 1)) * 4)
  return keyed.sort((a, b) => compareValues(a.key, b.key)).map(({ item }) => item)
}

function mapped(call: Call, [value, by]: readonly unknown[]): unknown[] {
  const change = lambdaOf(by)
  const items = listOf(value, call)
  limitedItems(items.length)
  return items.map((item, index) => change(item, index))
}

export const LIST_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'len',
    signature: 'len(value)',
    arity: [1, 1],
    run: (call, [value]) => sizeOf(value, call),
  },
  {
    name: 'includes',
    signature: 'includes(listOrText, item)',
    arity: [2, 2],
    run: contains,
  },
  {
    name: 'map',
    signature: 'map(list, (item, index) => value)',
    arity: [2, 2],
    lambda: 1,
    run: mapped,
  },
  {
    name: 'filter',
    signature: 'filter(list, item => condition)',
    arity: [2, 2],
    lambda: 1,
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).filter((item, index) => meets(item, index))
    },
  },
  {
    name: 'some',
    signature: 'some(list, item => condition)',
    arity: [2, 2],
    lambda: 1,
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).some((item, index) => Boolean(meets(item, index)))
    },
  },
  {
    name: 'every',
    signature: 'every(list, item => condition)',
    arity: [2, 2],
    lambda: 1,
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).every((item, index) => Boolean(meets(item, index)))
    },
  },
  {
    name: 'find',
    signature: 'find(list, item => condition)',
    arity: [2, 2],
    lambda: 1,
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).find((item, index) => Boolean(meets(item, index))) ?? null
    },
  },
  {
    name: 'sortBy',
    signature: 'sortBy(list, item => key)',
    arity: [2, 2],
    lambda: 1,
    run: sortBy,
  },
  {
    name: 'unique',
    signature: 'unique(list, ...)',
    arity: [1, 8],
    run: (call, lists) => distinct(lists.flatMap((list) => listOf(list, call))),
  },
  {
    name: 'first',
    signature: 'first(list)',
    arity: [1, 1],
    run: (call, [value]) => listOf(value, call)[0] ?? null,
  },
  {
    name: 'last',
    signature: 'last(list)',
    arity: [1, 1],
    run: (call, [value]) => listOf(value, call).at(-1) ?? null,
  },
  {
    name: 'slice',
    signature: 'slice(listOrText, start, end?)',
    arity: [2, 3],
    run: cut,
  },
  {
    name: 'keys',
    signature: 'keys(object)',
    arity: [1, 1],
    run: (call, [value]) => (typeof value === 'object' && value !== null ? entriesOf(value, call).map(([key]) => key) : []),
  },
  {
    name: 'values',
    signature: 'values(object)',
    arity: [1, 1],
    run: (call, [value]) =>
      typeof value === 'object' && value !== null ? entriesOf(value, call).map(([, member]) => member) : [],
  },
]

/** Functions over lists. Nothing (`null`, `undefined`) counts as an empty list everywhere. */
import { exactText } from '../../formats/decimal'
import { Amount, isAmounts, sameAmount } from '../amount'
import type { Call, FunctionSpec } from '../call'
import { entriesOf, limitedItems } from '../values'
import { badArgument, compareValues, isEmpty, lambdaOf, listOf, stringOf, wholeOf } from './arguments'

const rows = [
  { name: 'b', amount: '2.50' },
  { name: 'a', amount: '10' },
]

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
    group: 'list',
    summary: {
      zh: '文本的字符数、列表的项数或对象的成员数；空值为 0。',
      en: 'Characters of a text, items of a list, members of an object; 0 for nothing.',
    },
    arity: [1, 1],
    examples: [
      { expression: "len('abc')", result: 3 },
      { expression: 'len(rows)', scope: { rows }, result: 2 },
      { expression: 'len(null)', result: 0 },
    ],
    run: (call, [value]) => sizeOf(value, call),
  },
  {
    name: 'includes',
    signature: 'includes(listOrText, item)',
    group: 'list',
    summary: { zh: '列表含有某项，或文本含有某段文字。', en: 'Does the list hold the item, or the text the other text?' },
    arity: [2, 2],
    examples: [
      { expression: "includes(['CN', 'HK'], country)", scope: { country: 'HK' }, result: true },
      { expression: "includes('telecom', 'com')", result: true },
    ],
    run: contains,
  },
  {
    name: 'map',
    signature: 'map(list, (item, index) => value)',
    group: 'list',
    summary: { zh: '对每一项求值，得到新列表。', en: 'A new list with a value for each item.' },
    arity: [2, 2],
    lambda: 1,
    examples: [{ expression: 'map(rows, (r, i) => `${i + 1}. ${r.name}`)', scope: { rows }, result: ['1. b', '2. a'] }],
    run: mapped,
  },
  {
    name: 'filter',
    signature: 'filter(list, item => condition)',
    group: 'list',
    summary: { zh: '只留下满足条件的项。', en: 'The items that meet the condition.' },
    arity: [2, 2],
    lambda: 1,
    examples: [{ expression: 'filter([1, 2, 3], n => n > 1)', result: [2, 3] }],
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).filter((item, index) => meets(item, index))
    },
  },
  {
    name: 'some',
    signature: 'some(list, item => condition)',
    group: 'list',
    summary: { zh: '至少有一项满足条件。', en: 'Does at least one item meet the condition?' },
    arity: [2, 2],
    lambda: 1,
    examples: [{ expression: 'some([1, 2, 3], n => n > 2)', result: true }],
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).some((item, index) => Boolean(meets(item, index)))
    },
  },
  {
    name: 'every',
    signature: 'every(list, item => condition)',
    group: 'list',
    summary: { zh: '每一项都满足条件；空列表为真。', en: 'Do all items meet the condition? True for an empty list.' },
    arity: [2, 2],
    lambda: 1,
    examples: [{ expression: 'every([1, 2, 3], n => n > 2)', result: false }],
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).every((item, index) => Boolean(meets(item, index)))
    },
  },
  {
    name: 'find',
    signature: 'find(list, item => condition)',
    group: 'list',
    summary: { zh: '第一个满足条件的项；没有则为 null。', en: 'The first item that meets the condition; null when none does.' },
    arity: [2, 2],
    lambda: 1,
    examples: [
      { expression: "find(rows, r => r.name === 'a').amount", scope: { rows }, result: '10' },
      { expression: 'find([1], n => n > 1)', result: null },
    ],
    run: (call, [value, by]) => {
      const meets = lambdaOf(by)
      return listOf(value, call).find((item, index) => Boolean(meets(item, index))) ?? null
    },
  },
  {
    name: 'sortBy',
    signature: 'sortBy(list, item => key)',
    group: 'list',
    summary: {
      zh: '按键升序排列（数字按大小，空值在前）。',
      en: 'In ascending order of a key (numbers by size, nothing first).',
    },
    arity: [2, 2],
    lambda: 1,
    examples: [{ expression: 'sortBy(rows, r => r.amount).name', scope: { rows }, result: ['b', 'a'] }],
    run: sortBy,
  },
  {
    name: 'unique',
    signature: 'unique(list)',
    group: 'list',
    summary: { zh: '去掉重复的项。', en: 'Each item once.' },
    arity: [1, 1],
    examples: [{ expression: 'unique([1, 2, 1])', result: [1, 2] }],
    run: (call, [value]) => distinct(listOf(value, call)),
  },
  {
    name: 'first',
    signature: 'first(list)',
    group: 'list',
    summary: { zh: '第一项；没有则为 null。', en: 'The first item; null when there is none.' },
    arity: [1, 1],
    examples: [{ expression: 'first([3, 4])', result: 3 }],
    run: (call, [value]) => listOf(value, call)[0] ?? null,
  },
  {
    name: 'last',
    signature: 'last(list)',
    group: 'list',
    summary: { zh: '最后一项；没有则为 null。', en: 'The last item; null when there is none.' },
    arity: [1, 1],
    examples: [{ expression: 'last([3, 4])', result: 4 }],
    run: (call, [value]) => listOf(value, call).at(-1) ?? null,
  },
  {
    name: 'slice',
    signature: 'slice(listOrText, start, end?)',
    group: 'list',
    summary: {
      zh: '从 start 到 end（不含）的一段；负数从末尾算起。',
      en: 'The part from start up to end (not included); negative numbers count from the end.',
    },
    arity: [2, 3],
    examples: [
      { expression: "slice('telecom', 0, 4)", result: 'tele' },
      { expression: 'slice([1, 2, 3], -2)', result: [2, 3] },
    ],
    run: cut,
  },
  {
    name: 'keys',
    signature: 'keys(object)',
    group: 'list',
    summary: { zh: '对象的成员名。', en: 'The names of the members of an object.' },
    arity: [1, 1],
    examples: [{ expression: 'keys({ a: 1, b: 2 })', result: ['a', 'b'] }],
    run: (call, [value]) => (typeof value === 'object' && value !== null ? entriesOf(value, call).map(([key]) => key) : []),
  },
  {
    name: 'values',
    signature: 'values(object)',
    group: 'list',
    summary: { zh: '对象的成员值。', en: 'The values of the members of an object.' },
    arity: [1, 1],
    examples: [{ expression: 'values({ a: 1, b: 2 })', result: [1, 2] }],
    run: (call, [value]) =>
      typeof value === 'object' && value !== null ? entriesOf(value, call).map(([, member]) => member) : [],
  },
]

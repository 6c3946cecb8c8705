import type { DocumentedFunctions } from './documented'

const rows = [
  { name: 'b', amount: '2.50' },
  { name: 'a', amount: '10' },
]

export const LIST_DOCUMENTATION: DocumentedFunctions = {
  len: {
    group: 'list',
    summary: {
      zh: '文本的字符数、列表的项数或对象的成员数；空值为 0。',
      en: 'Characters of a text, items of a list, members of an object; 0 for nothing.',
    },
    examples: [
      { expression: "len('abc')", result: 3 },
      { expression: 'len(rows)', scope: { rows }, result: 2 },
      { expression: 'len(null)', result: 0 },
    ],
  },
  includes: {
    group: 'list',
    summary: { zh: '列表含有某项，或文本含有某段文字。', en: 'Does the list hold the item, or the text the other text?' },
    examples: [
      { expression: "includes(['CN', 'HK'], country)", scope: { country: 'HK' }, result: true },
      { expression: "includes('telecom', 'com')", result: true },
    ],
  },
  map: {
    group: 'list',
    summary: { zh: '对每一项求值，得到新列表。', en: 'A new list with a value for each item.' },
    examples: [{ expression: 'map(rows, (r, i) => `${i + 1}. ${r.name}`)', scope: { rows }, result: ['1. b', '2. a'] }],
  },
  filter: {
    group: 'list',
    summary: { zh: '只留下满足条件的项。', en: 'The items that meet the condition.' },
    examples: [{ expression: 'filter([1, 2, 3], n => n > 1)', result: [2, 3] }],
  },
  some: {
    group: 'list',
    summary: { zh: '至少有一项满足条件。', en: 'Does at least one item meet the condition?' },
    examples: [{ expression: 'some([1, 2, 3], n => n > 2)', result: true }],
  },
  every: {
    group: 'list',
    summary: { zh: '每一项都满足条件；空列表为真。', en: 'Do all items meet the condition? True for an empty list.' },
    examples: [{ expression: 'every([1, 2, 3], n => n > 2)', result: false }],
  },
  find: {
    group: 'list',
    summary: { zh: '第一个满足条件的项；没有则为 null。', en: 'The first item that meets the condition; null when none does.' },
    examples: [
      { expression: "find(rows, r => r.name === 'a').amount", scope: { rows }, result: '10' },
      { expression: 'find([1], n => n > 1)', result: null },
    ],
  },
  sortBy: {
    group: 'list',
    summary: {
      zh: '按键升序排列（数字按大小，空值在前）。',
      en: 'In ascending order of a key (numbers by size, nothing first).',
    },
    examples: [{ expression: 'sortBy(rows, r => r.amount).name', scope: { rows }, result: ['b', 'a'] }],
  },
  unique: {
    group: 'list',
    summary: { zh: '去掉重复的项；多个列表合为一个。', en: 'Each item once, of several lists together.' },
    examples: [
      { expression: 'unique([1, 2, 1])', result: [1, 2] },
      { expression: 'unique([1, 2], [2, 3])', result: [1, 2, 3] },
    ],
  },
  first: {
    group: 'list',
    summary: { zh: '第一项；没有则为 null。', en: 'The first item; null when there is none.' },
    examples: [{ expression: 'first([3, 4])', result: 3 }],
  },
  last: {
    group: 'list',
    summary: { zh: '最后一项；没有则为 null。', en: 'The last item; null when there is none.' },
    examples: [{ expression: 'last([3, 4])', result: 4 }],
  },
  slice: {
    group: 'list',
    summary: {
      zh: '从 start 到 end（不含）的一段；负数从末尾算起。',
      en: 'The part from start up to end (not included); negative numbers count from the end.',
    },
    examples: [
      { expression: "slice('telecom', 0, 4)", result: 'tele' },
      { expression: 'slice([1, 2, 3], -2)', result: [2, 3] },
    ],
  },
  keys: {
    group: 'list',
    summary: { zh: '对象的成员名。', en: 'The names of the members of an object.' },
    examples: [{ expression: 'keys({ a: 1, b: 2 })', result: ['a', 'b'] }],
  },
  values: {
    group: 'list',
    summary: { zh: '对象的成员值。', en: 'The values of the members of an object.' },
    examples: [{ expression: 'values({ a: 1, b: 2 })', result: [1, 2] }],
  },
}

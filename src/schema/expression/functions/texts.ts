/** Functions over texts. Nothing counts as an empty text. */
import type { Call, FunctionSpec } from '../call'
import { LIMITS } from '../problem'
import { limitedItems, limitedText } from '../values'
import { badArgument, listOf, stringOf } from './arguments'

function replaceAll(call: Call, [value, from, to]: readonly unknown[]): string {
  const [text, search, replacement] = [stringOf(value, call), stringOf(from, call), stringOf(to, call)]
  if (search === '') return text
  const pieces = text.split(search)
  // counted before it is made
  const length = text.length + (pieces.length - 1) * (replacement.length - search.length)
  if (length > LIMITS.text) throw badArgument('替换后的文本过长。', 'The text would become too long.')
  return pieces.join(replacement)
}

function joined(call: Call, [value, separator]: readonly unknown[]): string {
  const between = separator === undefined ? ', ' : stringOf(separator, call)
  let text = ''
  listOf(value, call).forEach((item, index) => {
    text = limitedText(text + (index === 0 ? '' : between) + stringOf(item, call))
  })
  return text
}

function split(call: Call, [value, separator]: readonly unknown[]): string[] {
  const text = stringOf(value, call)
  if (text === '') return []
  const pieces = text.split(stringOf(separator, call))
  call.charge(pieces.length)
  limitedItems(pieces.length)
  return pieces
}

export const TEXT_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'concat',
    signature: 'concat(text, ...)',
    group: 'text',
    summary: { zh: '连接文本；空值为空文本。', en: 'The texts one after another; nothing is an empty text.' },
    arity: [1, 50],
    examples: [{ expression: "concat(name, ' (', null, code, ')')", scope: { name: 'Li', code: 7 }, result: 'Li (7)' }],
    run: (call, given) => given.reduce<string>((text, value) => limitedText(text + stringOf(value, call)), ''),
  },
  {
    name: 'startsWith',
    signature: 'startsWith(text, beginning)',
    group: 'text',
    summary: { zh: '文本以某段文字开头。', en: 'Does the text start with the other one?' },
    arity: [2, 2],
    examples: [{ expression: "startsWith('+86 138', '+86')", result: true }],
    run: (call, [text, beginning]) => stringOf(text, call).startsWith(stringOf(beginning, call)),
  },
  {
    name: 'endsWith',
    signature: 'endsWith(text, ending)',
    group: 'text',
    summary: { zh: '文本以某段文字结尾。', en: 'Does the text end with the other one?' },
    arity: [2, 2],
    examples: [{ expression: "endsWith('quote.xlsx', '.xlsx')", result: true }],
    run: (call, [text, ending]) => stringOf(text, call).endsWith(stringOf(ending, call)),
  },
  {
    name: 'lower',
    signature: 'lower(text)',
    group: 'text',
    summary: { zh: '转为小写。', en: 'In lower case.' },
    arity: [1, 1],
    examples: [{ expression: "lower('ACME Ltd')", result: 'acme ltd' }],
    run: (call, [text]) => limitedText(stringOf(text, call).toLowerCase()),
  },
  {
    name: 'upper',
    signature: 'upper(text)',
    group: 'text',
    summary: { zh: '转为大写。', en: 'In upper case.' },
    arity: [1, 1],
    examples: [{ expression: "upper('cny')", result: 'CNY' }],
    run: (call, [text]) => limitedText(stringOf(text, call).toUpperCase()),
  },
  {
    name: 'trim',
    signature: 'trim(text)',
    group: 'text',
    summary: { zh: '去掉首尾空白。', en: 'Without the white space around it.' },
    arity: [1, 1],
    examples: [{ expression: "trim('  a b ')", result: 'a b' }],
    run: (call, [text]) => stringOf(text, call).trim(),
  },
  {
    name: 'join',
    signature: "join(list, separator = ', ')",
    group: 'text',
    summary: { zh: '把列表连成文本。', en: 'The items of a list as one text.' },
    arity: [1, 2],
    examples: [
      { expression: "join(['a', 'b'], '/')", result: 'a/b' },
      { expression: 'join([1, 2])', result: '1, 2' },
    ],
    run: joined,
  },
  {
    name: 'split',
    signature: 'split(text, separator)',
    group: 'text',
    summary: { zh: '按分隔符拆成列表；空文本为空列表。', en: 'The pieces between separators; an empty list for an empty text.' },
    arity: [2, 2],
    examples: [{ expression: "split('a;b', ';')", result: ['a', 'b'] }],
    run: split,
  },
  {
    name: 'replaceAll',
    signature: 'replaceAll(text, from, to)',
    group: 'text',
    summary: { zh: '替换全部出现之处（按字面，不是正则）。', en: 'Replaces every occurrence, taken literally.' },
    arity: [3, 3],
    examples: [{ expression: "replaceAll('a.b.c', '.', '-')", result: 'a-b-c' }],
    run: replaceAll,
  },
]

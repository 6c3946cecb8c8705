import type { DocumentedFunctions } from './documented'

export const TEXT_DOCUMENTATION: DocumentedFunctions = {
  concat: {
    group: 'text',
    summary: { zh: '连接文本；空值为空文本。', en: 'The texts one after another; nothing is an empty text.' },
    examples: [{ expression: "concat(name, ' (', null, code, ')')", scope: { name: 'Li', code: 7 }, result: 'Li (7)' }],
  },
  startsWith: {
    group: 'text',
    summary: { zh: '文本以某段文字开头。', en: 'Does the text start with the other one?' },
    examples: [{ expression: "startsWith('+86 138', '+86')", result: true }],
  },
  endsWith: {
    group: 'text',
    summary: { zh: '文本以某段文字结尾。', en: 'Does the text end with the other one?' },
    examples: [{ expression: "endsWith('quote.xlsx', '.xlsx')", result: true }],
  },
  lower: {
    group: 'text',
    summary: { zh: '转为小写。', en: 'In lower case.' },
    examples: [{ expression: "lower('ACME Ltd')", result: 'acme ltd' }],
  },
  upper: {
    group: 'text',
    summary: { zh: '转为大写。', en: 'In upper case.' },
    examples: [{ expression: "upper('cny')", result: 'CNY' }],
  },
  trim: {
    group: 'text',
    summary: { zh: '去掉首尾空白。', en: 'Without the white space around it.' },
    examples: [{ expression: "trim('  a b ')", result: 'a b' }],
  },
  join: {
    group: 'text',
    summary: { zh: '把列表连成文本。', en: 'The items of a list as one text.' },
    examples: [
      { expression: "join(['a', 'b'], '/')", result: 'a/b' },
      { expression: 'join([1, 2])', result: '1, 2' },
    ],
  },
  split: {
    group: 'text',
    summary: { zh: '按分隔符拆成列表；空文本为空列表。', en: 'The pieces between separators; an empty list for an empty text.' },
    examples: [{ expression: "split('a;b', ';')", result: ['a', 'b'] }],
  },
  replaceAll: {
    group: 'text',
    summary: { zh: '替换全部出现之处（按字面，不是正则）。', en: 'Replaces every occurrence, taken literally.' },
    examples: [{ expression: "replaceAll('a.b.c', '.', '-')", result: 'a-b-c' }],
  },
}

import type { DocumentedFunctions } from './documented'

export const VALUE_DOCUMENTATION: DocumentedFunctions = {
  isEmpty: {
    group: 'value',
    summary: { zh: '空值、空白文本、空列表或空对象。', en: 'Nothing, blank text, an empty list or an empty object.' },
    examples: [
      { expression: "isEmpty(' ')", result: true },
      { expression: 'isEmpty(0)', result: false },
    ],
  },
  coalesce: {
    group: 'value',
    summary: { zh: '第一个非空的值；都为空则为 null。', en: 'The first value that is not empty; null when all are.' },
    examples: [{ expression: "coalesce('', null, 'x')", result: 'x' }],
  },
  string: {
    group: 'value',
    summary: { zh: '转为文本；空值为空文本。', en: 'As text; nothing is an empty text.' },
    examples: [{ expression: 'string(12)', result: '12' }],
  },
  boolean: {
    group: 'value',
    summary: {
      zh: '转为是或否；文本 "false"、"0"、"no" 为否。',
      en: 'As true or false; the texts "false", "0" and "no" are false.',
    },
    examples: [
      { expression: "boolean('false')", result: false },
      { expression: 'boolean(1)', result: true },
    ],
  },
  format: {
    group: 'environment',
    summary: {
      zh: '按查看者的语言和时区显示：日期用 YYYY-MM-DD 这样的模式，数字用种类。',
      en: "As shown in the viewer's language and time zone: dates by a pattern such as YYYY-MM-DD, numbers by kind.",
    },
    examples: [
      { expression: "format('2025-03-01', 'YYYY/MM/DD')", result: '2025/03/01' },
      { expression: "format('1234.5', 'money', 'USD')", result: '1,234.50' },
      { expression: "format('12.5', 'percent')", result: '12.5%' },
    ],
  },
  can: {
    group: 'environment',
    summary: { zh: '当前用户有此权限。', en: 'Has the signed-in person this permission?' },
    examples: [{ expression: "can('crm:customer:add')", result: true }],
  },
  text: {
    group: 'environment',
    summary: {
      zh: '查看者语言的文本；缺少时取另一种语言。',
      en: "The text in the viewer's language, or in the other one where it is missing.",
    },
    examples: [{ expression: "text({ zh: '客户', en: 'Customer' })", result: '客户' }],
  },
  label: {
    group: 'environment',
    summary: {
      zh: '字典中编码的名称；没有时为编码本身。',
      en: 'The label of a code (or of a list of codes) in a dictionary; the code where it has none.',
    },
    examples: [{ expression: "label('customerLevel', 'a')", result: 'A 级' }],
  },
}

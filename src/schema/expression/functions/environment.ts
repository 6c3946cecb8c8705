/** Functions of plain values, and those that ask the world around the expression: rights, language, dictionaries, formats. */
import { formatValue } from '../format'
import type { Call, FunctionSpec } from '../call'
import { limitedText, readMember } from '../values'
import { NOWHERE } from '../problem'
import { badArgument, isEmpty, listOf, stringOf } from './arguments'

function isBlank(value: unknown): boolean {
  if (isEmpty(value)) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function can(call: Call, [key]: readonly unknown[]): boolean {
  const ask = call.environment.can
  if (!ask) throw badArgument('此处不能使用 can：没有当前用户。', 'can cannot be used here: there is no signed-in person.')
  return ask(stringOf(key, call))
}

function label(call: Call, [dictionary, code]: readonly unknown[]): string {
  const find = call.environment.dictionaryLabel
  if (!find) throw badArgument('此处不能使用 label：没有字典。', 'label cannot be used here: there are no dictionaries.')
  const name = stringOf(dictionary, call)
  const codes = Array.isArray(code) ? listOf(code, call) : isEmpty(code) ? [] : [code]
  const labels = codes.map((one) => find(name, stringOf(one, call)) ?? stringOf(one, call))
  return limitedText(labels.join(call.environment.locale === 'zh' ? '、' : ', '))
}

function text(call: Call, [value]: readonly unknown[]): string {
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return value
  const { locale } = call.environment
  const own = readMember(value, locale, NOWHERE, call)
  return stringOf(isEmpty(own) ? readMember(value, locale === 'zh' ? 'en' : 'zh', NOWHERE, call) : own, call)
}

export const VALUE_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'isEmpty',
    signature: 'isEmpty(value)',
    group: 'value',
    summary: { zh: '空值、空白文本、空列表或空对象。', en: 'Nothing, blank text, an empty list or an empty object.' },
    arity: [1, 1],
    examples: [
      { expression: "isEmpty(' ')", result: true },
      { expression: 'isEmpty(0)', result: false },
    ],
    run: (_call, [value]) => isBlank(value),
  },
  {
    name: 'coalesce',
    signature: 'coalesce(value, ...)',
    group: 'value',
    summary: { zh: '第一个非空的值；都为空则为 null。', en: 'The first value that is not empty; null when all are.' },
    arity: [1, 20],
    examples: [{ expression: "coalesce('', null, 'x')", result: 'x' }],
    run: (_call, given) => given.find((value) => !isBlank(value)) ?? null,
  },
  {
    name: 'string',
    signature: 'string(value)',
    group: 'value',
    summary: { zh: '转为文本；空值为空文本。', en: 'As text; nothing is an empty text.' },
    arity: [1, 1],
    examples: [{ expression: 'string(12)', result: '12' }],
    run: (call, [value]) => stringOf(value, call),
  },
  {
    name: 'boolean',
    signature: 'boolean(value)',
    group: 'value',
    summary: {
      zh: '转为是或否；文本 "false"、"0"、"no" 为否。',
      en: 'As true or false; the texts "false", "0" and "no" are false.',
    },
    arity: [1, 1],
    examples: [
      { expression: "boolean('false')", result: false },
      { expression: 'boolean(1)', result: true },
    ],
    run: (_call, [value]) =>
      typeof value === 'string' ? !['', 'false', '0', 'no'].includes(value.trim().toLowerCase()) : Boolean(value),
  },
  {
    name: 'format',
    signature: "format(value, pattern | 'integer' | 'decimal' | 'percent' | 'money' | 'date' | 'dateTime', currencyOrDigits?)",
    group: 'environment',
    summary: {
      zh: '按查看者的语言和时区显示：日期用 YYYY-MM-DD 这样的模式，数字用种类。',
      en: "As shown in the viewer's language and time zone: dates by a pattern such as YYYY-MM-DD, numbers by kind.",
    },
    arity: [2, 3],
    examples: [
      { expression: "format('2025-03-01', 'YYYY/MM/DD')", result: '2025/03/01' },
      { expression: "format('1234.5', 'money', 'USD')", result: '1,234.50' },
      { expression: "format('12.5', 'percent')", result: '12.5%' },
    ],
    run: formatValue,
  },
  {
    name: 'can',
    signature: 'can(permissionKey)',
    group: 'environment',
    summary: { zh: '当前用户有此权限。', en: 'Has the signed-in person this permission?' },
    arity: [1, 1],
    examples: [{ expression: "can('crm:customer:add')", result: true }],
    run: can,
  },
  {
    name: 'text',
    signature: 'text({ zh, en })',
    group: 'environment',
    summary: {
      zh: '查看者语言的文本；缺少时取另一种语言。',
      en: "The text in the viewer's language, or in the other one where it is missing.",
    },
    arity: [1, 1],
    examples: [{ expression: "text({ zh: '客户', en: 'Customer' })", result: '客户' }],
    run: text,
  },
  {
    name: 'label',
    signature: 'label(dictionary, code)',
    group: 'environment',
    summary: {
      zh: '字典中编码的名称；没有时为编码本身。',
      en: 'The label of a code (or of a list of codes) in a dictionary; the code where it has none.',
    },
    arity: [2, 2],
    examples: [{ expression: "label('customerLevel', 'a')", result: 'A 级' }],
    run: label,
  },
]

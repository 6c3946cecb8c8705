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
    arity: [1, 1],
    run: (_call, [value]) => isBlank(value),
  },
  {
    name: 'coalesce',
    signature: 'coalesce(value, ...)',
    arity: [1, 20],
    run: (_call, given) => given.find((value) => !isBlank(value)) ?? null,
  },
  {
    name: 'string',
    signature: 'string(value)',
    arity: [1, 1],
    run: (call, [value]) => stringOf(value, call),
  },
  {
    name: 'boolean',
    signature: 'boolean(value)',
    arity: [1, 1],
    run: (_call, [value]) =>
      typeof value === 'string' ? !['', 'false', '0', 'no'].includes(value.trim().toLowerCase()) : Boolean(value),
  },
  {
    name: 'format',
    signature: "format(value, pattern | 'integer' | 'decimal' | 'percent' | 'money' | 'date' | 'dateTime', currencyOrDigits?)",
    arity: [2, 3],
    run: formatValue,
  },
  {
    name: 'can',
    signature: 'can(permissionKey)',
    arity: [1, 1],
    run: can,
  },
  {
    name: 'text',
    signature: 'text({ zh, en })',
    arity: [1, 1],
    run: text,
  },
  {
    name: 'label',
    signature: 'label(dictionary, code)',
    arity: [2, 2],
    run: label,
  },
]

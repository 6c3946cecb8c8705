import { isObject } from '../../../schema/overlay'
import type { BilingualText, Locale } from '../../../schema/problem'
import type { Language, Meta, Word } from './meta'

/** What a form of a value is called that its words do not tell: by the word that only this form has. */
const KINDS: Readonly<Record<string, BilingualText>> = {
  rules: { zh: '规则集的参数', en: 'Parameters of a rule set' },
  first: { zh: '第一条记录', en: 'First record' },
  count: { zh: '记录数', en: 'Number of records' },
  sum: { zh: '字段合计', en: 'Sum of a field' },
  refusal: { zh: '流转的拒绝原因', en: 'Why a transition is refused' },
  function: { zh: '模块函数的答案', en: 'Answer of a function' },
  field: { zh: '字段所指的人', en: 'Whom a field names' },
  path: { zh: '引用记录上的人', en: 'Whom a referenced record names' },
  leaderOf: { zh: '某人的领导', en: "Somebody's leader" },
  role: { zh: '权限组成员', en: 'Holders of a role' },
  parent: { zh: '随上级记录', en: 'That of a parent record' },
  staff: { zh: '字段所指的员工', en: 'The member of staff in a field' },
  pattern: { zh: '按范围编号', en: 'A series by scope' },
  transition: { zh: '改走另一个流转', en: 'Another transition instead' },
}
const SOMEBODY: BilingualText = { zh: '与记录有关的人', en: 'Somebody of the record' }
const OF_TYPES: Readonly<Record<string, BilingualText>> = {
  Target: { zh: '一些记录', en: 'Records' },
  Expression: { zh: '表达式', en: 'Expression' },
  integer: { zh: '固定数', en: 'A number' },
  string: { zh: '一种格式', en: 'One pattern' },
  enum: { zh: '固定选项', en: 'One of a list' },
  const: { zh: '跳过该记录', en: 'Skip the record' },
}

/** The forms that a value can have, where the language leaves the choice. */
export const kindsOf = (language: Language, word: Word): readonly Word[] =>
  (word.oneOf ?? []).map((one: Meta) => language.resolve(one))

export const kindName = (kind: Word, locale: Locale): string => {
  const known =
    (kind.enum?.includes('creator') === true ? SOMEBODY : undefined) ??
    KINDS[kind.required?.[0] ?? ''] ??
    OF_TYPES[kind.def ?? ''] ??
    OF_TYPES[kind.enum ? 'enum' : kind.const === undefined ? String(kind.type) : 'const']
  return known?.[locale] ?? kind.description ?? ''
}

/** The value has that form. */
export const isOfKind = (kind: Word, value: unknown): boolean => {
  if (kind.const !== undefined) return value === kind.const
  if (kind.enum) return kind.enum.some((one) => one === value)
  if (kind.type === 'string') return typeof value === 'string'
  if (kind.type === 'integer') return typeof value === 'number'
  return isObject(value) && (kind.required ?? []).every((name) => value[name] !== undefined)
}

/** A value of that form in which nothing is said yet; undefined: it has to be typed. */
export const beginningOfKind = (language: Language, word: Word): unknown => {
  if (word.const !== undefined) return word.const
  if (word.enum) return word.enum[0]
  if (word.oneOf) return beginningOfKind(language, kindsOf(language, word)[0] ?? {})
  if (word.type === 'array') return []
  if (word.type === 'integer') return word.minimum ?? 0
  if (word.type !== 'object') return word.def === 'Expression' ? undefined : ''
  const required = new Set(word.required ?? [])
  return Object.fromEntries(
    language.words(word).flatMap(([name, inner]) => (required.has(name) ? [[name, beginningOfKind(language, inner) ?? '']] : [])),
  )
}

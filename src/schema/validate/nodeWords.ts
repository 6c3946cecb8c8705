import { pointer } from '../diagnosis'
import { isExpression } from '../expression'
import type { FormNode } from '../generated/page'
import type { BilingualText } from '../problem'
import type { Checker } from './checker'

/** Bounds of a node that may follow other fields, and those that are fixed. */
const MOVING_BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum'] as const
const FIXED_BOUNDS = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'] as const

/** Every word of a node that something reads, once JSON Schema's words are in those of a form. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['$field', '$ref', 'type', 'title', 'description', 'required', 'default', 'enum', 'const', 'properties', 'items'],
  ...['oneOf', 'anyOf', 'format', 'pattern', 'uniqueItems', ...MOVING_BOUNDS, ...FIXED_BOUNDS],
  ...['x-visible', 'x-hidden', 'x-display', 'x-pattern', 'x-editable', 'x-disabled', 'x-read-only', 'x-read-pretty'],
  ...['x-required', 'x-value', 'x-reactions', 'x-validator', 'x-data', 'x-content', 'x-index'],
  ...['x-component', 'x-component-props', 'x-decorator', 'x-decorator-props'],
  ...['x-options', 'x-fieldOf', 'x-unit', 'x-permission'],
  // notes for whoever reads the file, by their definition without an effect
  ...['$schema', '$id', '$comment'],
])

const CONDITION: BilingualText = {
  zh: '请在字段上写 "x-visible" 或 "x-required"，例如 "x-required": "{{ $values.kind === \'a\' }}"；条件可用 const、enum、上下限和 required，结果可用 required 和新字段。',
  en: 'Say it at the field: "x-visible" or "x-required", e.g. "x-required": "{{ $values.kind === \'a\' }}". Of a condition const, enum, bounds and required are read, of what follows required and new fields.',
}
const RULE: BilingualText = {
  zh: '请用 x-validator 的规则，或在实体的 x-rules 中写条件和提示。',
  en: 'Write a rule in x-validator, or a condition with its sentence in x-rules of the entity.',
}
const MEMBERS: BilingualText = {
  zh: '表单只有写出的字段。名称由填表人决定的内容请用列表：type 为 array，行中有名称和值两列（ArrayTable）；任意内容用 "format": "json"。',
  en: 'A form has the fields that it names. For names that people choose use rows: type array, with a column for the name and one for the value (ArrayTable); for anything at all "format": "json".',
}
const ENTRIES: BilingualText = {
  zh: '列表的各行相同：用 items 写一行；内容的要求写在实体的 x-rules，例如 {{ !some(rows, r => r.main) }}。',
  en: 'The rows of a list are alike: items describes one. What they hold together is a rule of the entity (x-rules), e.g. {{ !some(rows, r => r.main) }}.',
}
const FILES: BilingualText = { zh: '文件用 "format": "file"。', en: 'A file has "format": "file".' }
const DATA_SOURCE: BilingualText = { zh: '选项用 enum 或 x-options。', en: 'Choices are given by enum or x-options.' }

/** What says the same in a form, by the word that somebody knows from JSON Schema or from Formily. */
const WAYS: Readonly<Record<string, BilingualText>> = {
  allOf: {
    zh: '其中两处的说法不能同时成立：请合写成一个节点。',
    en: 'Its parts say different things of the same word: write them as one node.',
  },
  ...Object.fromEntries(
    ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies'].map((word) => [word, CONDITION]),
  ),
  not: RULE,
  ...Object.fromEntries(['additionalProperties', 'patternProperties', 'unevaluatedProperties'].map((word) => [word, MEMBERS])),
  ...Object.fromEntries(['propertyNames', 'minProperties', 'maxProperties'].map((word) => [word, MEMBERS])),
  ...Object.fromEntries(['prefixItems', 'additionalItems', 'unevaluatedItems'].map((word) => [word, ENTRIES])),
  ...Object.fromEntries(['contains', 'minContains', 'maxContains'].map((word) => [word, ENTRIES])),
  ...Object.fromEntries(['contentEncoding', 'contentMediaType', 'contentSchema'].map((word) => [word, FILES])),
  definitions: { zh: 'definitions 写在表单的最外层。', en: 'Definitions stand at the top of the form.' },
  $defs: { zh: '$defs 写在表单的最外层。', en: '$defs stands at the top of the form.' },
  readOnly: { zh: '由其他字段决定时请写 "x-read-only"。', en: 'Where it depends on other fields write "x-read-only".' },
  writeOnly: { zh: '请用 "x-component": "Password"。', en: 'Use "x-component": "Password".' },
  deprecated: {
    zh: '不再使用的字段请从表单中去掉；实体中用 x-retired。',
    en: 'Leave the field out of the form; in its entity say x-retired.',
  },
  examples: {
    zh: '请写 "x-component-props": { "placeholder": "…" }；实体的字段可写 examples。',
    en: 'Write "x-component-props": { "placeholder": "…" }; a field of an entity may have examples.',
  },
  formatMinimum: {
    zh: '请写 "x-validator": [{ "minimum": "2026-01-01" }]。',
    en: 'Write "x-validator": [{ "minimum": "2026-01-01" }].',
  },
  formatMaximum: {
    zh: '请写 "x-validator": [{ "maximum": "2026-01-01" }]。',
    en: 'Write "x-validator": [{ "maximum": "2026-01-01" }].',
  },
  dataSource: DATA_SOURCE,
  'x-data-source': DATA_SOURCE,
  'x-rules': { zh: '校验写在 x-validator。', en: 'Rules of a form are written in x-validator.' },
  'x-props': {
    zh: '请写 x-component-props 或 x-decorator-props。',
    en: 'Write x-component-props or x-decorator-props.',
  },
  'x-linkages': { zh: '联动写在 x-reactions。', en: 'Linkages are written in x-reactions.' },
  'x-effect': { zh: '字段变化时做什么，写在 x-reactions。', en: 'What follows a change is written in x-reactions.' },
  'x-mega-props': {
    zh: '排列用 x-component “FormLayout”“FormGrid”或 x-decorator-props。',
    en: 'Arrange with x-component "FormLayout" or "FormGrid", or with x-decorator-props.',
  },
  'x-slot-node': {
    zh: '说明文字用 x-content，图标用组件自己的设置。',
    en: 'A text is x-content; icons are settings of the component.',
  },
  'x-compile-omitted': {
    zh: '带双花括号的内容总是表达式；文字请换一种写法。',
    en: 'What stands in double braces is always an expression: write a text in another way.',
  },
  name: { zh: '名称是它在 properties 中的键。', en: 'Its name is its key in properties.' },
  key: { zh: '名称是它在 properties 中的键。', en: 'Its name is its key in properties.' },
}

/** Words of a node that nobody would read, each with what says the same: what they say would be left out in silence. */
export function checkNodeWords(checker: Checker, node: FormNode, at: string): void {
  for (const [word, value] of Object.entries(node)) {
    const here = pointer(at, word)
    if (!KNOWN.has(word)) unread(checker, word, here)
    else if (word === 'required' && Array.isArray(value)) missing(checker, node, value as unknown[], here)
    else if (word === 'type' && Array.isArray(value))
      add(checker, here, value, {
        zh: '一个字段只有一种类型（"null" 除外）：请用一个字段选择种类，再用 x-visible 显示各自的部分。',
        en: 'A field has one type (beside "null"): let a field choose the kind and show each part with x-visible.',
      })
    else if (word === 'const' && isExpression(value))
      add(checker, here, value, { zh: '随其他字段变化的值请写 x-value。', en: 'A value that follows other fields is x-value.' })
    else checkBound(checker, word, value, here)
  }
}

const add = (checker: Checker, at: string, value: unknown, message: BilingualText): void =>
  checker.add('invalid-shape', at, message, { value })

function unread(checker: Checker, word: string, at: string): void {
  const way = Object.hasOwn(WAYS, word) ? WAYS[word] : undefined
  const message = {
    zh: `表单节点不读取“${word}”。${way?.zh ?? ''}`,
    en: `A form does not read "${word}".${way ? ` ${way.en}` : ''}`,
  }
  checker.add('invalid-shape', at, message, way ? { value: word } : { value: word, known: KNOWN })
}

function missing(checker: Checker, node: FormNode, names: readonly unknown[], at: string): void {
  const known = Object.keys(node.properties ?? {})
  for (const name of names)
    checker.add(
      'unknown-field',
      at,
      { zh: `required 中的“${String(name)}”不是这里的字段。`, en: `"${String(name)}" in required is no field here.` },
      { value: name, known },
    )
}

function checkBound(checker: Checker, word: string, value: unknown, at: string): void {
  const moving = (MOVING_BOUNDS as readonly string[]).includes(word)
  if (!moving && !(FIXED_BOUNDS as readonly string[]).includes(word)) return
  if (typeof value === 'number' || (moving && isExpression(value))) return
  add(
    checker,
    at,
    value,
    moving
      ? {
          zh: '须是数字或表达式；最早、最晚的日期写作 "x-validator": [{ "minimum": "2026-01-01" }]。',
          en: 'It must be a number or an expression; the earliest or latest day is "x-validator": [{ "minimum": "2026-01-01" }].',
        }
      : {
          zh: '须是数字；随其他字段变化的要求写在 x-validator。',
          en: 'It must be a number; what follows other fields is a rule in x-validator.',
        },
  )
}

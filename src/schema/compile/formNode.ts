import { findForbidden, isExpression, wholeExpression } from '../expression'
import { controlOfFormat } from '../controls'
import { pointer } from '../diagnosis'
import type { FormNode } from '../generated/page'
import type { FieldKind, PageField, FormNodeModel } from '../model'
import type { BilingualText } from '../problem'
import { compileOptions } from './options'
import { withPartSettings } from './partSettings'
import { ROOTS } from './roots'
import type { EntityReader } from './entityReader'
import type { Workspace } from './workspace'

const TYPES: Readonly<Record<FieldKind, FormNodeModel['type']>> = {
  string: 'string',
  text: 'string',
  richText: 'string',
  integer: 'number',
  decimal: 'string',
  money: 'string',
  percent: 'string',
  boolean: 'boolean',
  date: 'string',
  dateTime: 'string',
  dictionary: 'string',
  dictionaries: 'array',
  ref: 'string',
  refs: 'array',
  country: 'string',
  countries: 'array',
  phone: 'string',
  email: 'string',
  url: 'string',
  file: 'object',
  files: 'array',
  currency: 'string',
  mccmnc: 'string',
  json: 'object',
  strings: 'array',
  lines: 'array',
}
const KNOWN_TYPES: ReadonlySet<string> = new Set(['object', 'array', 'string', 'number', 'boolean', 'void'])

/** Words that the compiler reads itself; every other word goes to the form as it is. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  '$field',
  'type',
  'title',
  'description',
  'required',
  'default',
  'enum',
  'properties',
  'items',
  'oneOf',
  'anyOf',
  'format',
  'x-options',
  'x-permission',
])

const isText = (value: unknown): value is BilingualText =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as BilingualText).zh === 'string' &&
  typeof (value as BilingualText).en === 'string'

/** Defaults that are expressions: evaluated once, for a new record, into the initial values. */
export interface InitialExpression {
  path: readonly string[]
  text: string
  at: string
}

export interface FormNodeContext {
  work: Workspace
  /** Values with their path; void nodes add no step. */
  path: readonly string[]
  initial: InitialExpression[]
  /** Below an array: each row has values of its own, so a default stays at the node. */
  inRow: boolean
  /** Entity of the form: a node that is named like one of its fields is that field. */
  entity?: EntityReader
}

/**
 * A node with its `$field` expanded, texts in the locale and options filled in. What a node says itself wins over what
 * it inherits. A child that is wrong is left out and noted; one whose `x-permission` the viewer lacks, or whose field is
 * hidden from him, is left out.
 */
export const compileFormNode = (context: FormNodeContext, node: FormNode, at: string): FormNodeModel => {
  const { work } = context
  const field = node.$field === undefined ? undefined : fieldOf(work, node.$field, pointer(at, '$field'))
  if (node.$ref !== undefined) refuseReference(work, node, at)
  const words = checkedWords(work, node, at)
  const type = typeOf(work, node, field, at)
  const title = textOf(work, node.title, pointer(at, 'title')) ?? field?.label
  const description = textOf(work, node.description, pointer(at, 'description')) ?? field?.help
  // names that are no fields of this node are told by the check
  const asked = Array.isArray(node.required) ? undefined : node.required
  const required =
    checked(work, asked, pointer(at, 'required')) ?? (field && field.required && !field.readOnly ? true : undefined)
  const standard = defaultOf(context, node, field, at)
  const chosen = compileOptions(work, node, field, at)
  const options = chosen.enum ?? (chosen['x-options'] ? undefined : optionsOf(work, node, field, at))
  return {
    type,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
    ...(standard === undefined ? {} : { default: standard }),
    ...inherited(field, words),
    ...words,
    ...(field || node.format === undefined ? {} : withFormat(words, node.format)),
    ...chosen,
    ...(options ? { enum: options } : {}),
    ...(field ? { 'x-field': field } : {}),
    ...(node['x-fieldOf']
      ? { 'x-fields': fieldsFor(work, node['x-fieldOf'].entity, type, pointer(at, 'x-fieldOf', 'entity')) }
      : {}),
    ...(node.properties ? { properties: compileProperties(context, node.properties, pointer(at, 'properties')) } : {}),
    ...(chosenFrom(node.items) ? {} : rowsOf(context, node, field, pointer(at, 'items'))),
  }
}

function refuseReference(work: Workspace, node: FormNode, at: string): never {
  return work.refuse(
    'invalid-shape',
    pointer(at, '$ref'),
    {
      zh: '这里的 $ref 找不到定义，或者引用了它自己。请写成 "#/definitions/名称"，并在表单的 definitions 中给出。',
      en: 'This $ref names no definition, or the one it stands in. Write "#/definitions/<name>" and give it in the definitions of the form.',
    },
    { value: node.$ref },
  )
}

/** The rows of a list: as the node says, or of a field of lines the fields of their entity. */
function rowsOf(
  context: FormNodeContext,
  node: FormNode,
  field: PageField | undefined,
  at: string,
): Pick<FormNodeModel, 'items'> {
  const columns = field?.lines?.columns ?? []
  const items: FormNode | undefined =
    node.items ??
    (columns.length === 0
      ? undefined
      : {
          type: 'object',
          properties: Object.fromEntries(columns.map(({ entity, name }) => [name, { $field: `${entity}.${name}` }])),
        })
  return items ? { items: compileFormNode({ ...context, inRow: true }, items, at) } : {}
}

function compileProperties(
  context: FormNodeContext,
  properties: Readonly<Record<string, FormNode>>,
  at: string,
): Record<string, FormNodeModel> {
  const { work } = context
  const entries = Object.entries(properties).flatMap(([name, child]): [string, FormNodeModel][] => {
    const here = pointer(at, name)
    const permission = child['x-permission']
    if (typeof permission === 'string' && !work.allowed(permission)) return []
    if (isHidden(context, name, child)) return []
    const path = child.type === 'void' ? context.path : [...context.path, name]
    const made = work.block(() => compileFormNode({ ...context, path }, child, here))
    return made ? [[name, made]] : []
  })
  return Object.fromEntries(entries)
}

function isHidden({ work, entity, path }: FormNodeContext, name: string, node: FormNode): boolean {
  if (node.$field === undefined) return node.type !== 'void' && path.length === 0 && entity?.access(name) === 'hide'
  const named = splitField(node.$field)
  return work.entityIfKnown(named.entity) !== undefined && work.entity(named.entity, '').access(named.field) === 'hide'
}

/** `crm.customer.name`: the entity is everything before the last dot. */
export const splitField = (text: string): { entity: string; field: string } => {
  const dot = text.lastIndexOf('.')
  return { entity: text.slice(0, Math.max(0, dot)), field: text.slice(dot + 1) }
}

function fieldOf(work: Workspace, text: string, at: string): PageField {
  const { entity, field } = splitField(text)
  return work.entity(entity, at).field(field, at)
}

/** The fields of an entity, by name, whose values a node of this type holds: a row of a table says which of them it is about. */
function fieldsFor(
  work: Workspace,
  entity: string,
  type: FormNodeModel['type'],
  at: string,
): Readonly<Record<string, PageField>> {
  const reader = work.entity(entity, at)
  const fields = [...reader.fieldNames].flatMap((name) => (reader.access(name) === 'hide' ? [] : [reader.field(name, at)]))
  return Object.fromEntries(fields.filter(({ kind }) => TYPES[kind] === type).map((field) => [field.name, field]))
}

function typeOf(work: Workspace, node: FormNode, field: PageField | undefined, at: string): FormNodeModel['type'] {
  const given = Array.isArray(node.type) ? node.type.find((one) => one !== 'null') : node.type
  const type = plainType(given) ?? (field ? TYPES[field.kind] : node.properties ? 'object' : 'string')
  if (KNOWN_TYPES.has(type)) return type as FormNodeModel['type']
  return work.refuse(
    'invalid-shape',
    pointer(at, 'type'),
    { zh: `“${type}”不是表单节点的类型。`, en: `"${type}" is not a type of a form node.` },
    { value: type, known: KNOWN_TYPES },
  )
}

/** Formily's documentation also writes `string[]`, `integer`, `date` and the like: what the value is made of. */
const plainType = (type: string | undefined): string | undefined =>
  type?.endsWith('[]')
    ? 'array'
    : type === 'integer'
      ? 'number'
      : ['date', 'datetime', 'time'].includes(type ?? '')
        ? 'string'
        : type

/** Formily's own words and ours, checked: expressions parse, no code. */
function checkedWords(work: Workspace, node: FormNode, at: string): Record<`x-${string}`, unknown> {
  const given = Object.entries(withPartSettings(node)).filter(([word]) => !OWN_WORDS.has(word))
  const [code] = findForbidden(Object.fromEntries(given))
  if (code) work.refuse('forbidden-code', at + code.at, code.message, { value: code.value })
  const words: Record<string, unknown> = {}
  for (const [word, value] of given) {
    const here = pointer(at, word)
    if (word !== 'x-validator') words[word] = checked(work, inLocale(work, value), here)
    else checkExpressions(work, (words[word] = rulesOf(work, value)), here)
  }
  return words
}

/** A value with its texts in the locale, however deep they stand: the label of a tab, the heading of a column. */
function inLocale(work: Workspace, value: unknown): unknown {
  if (isText(value)) return work.text(value)
  if (Array.isArray(value)) return value.map((item) => inLocale(work, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inLocale(work, item)]))
}

/** The format of a node that is no field of an entity is its control (a picker of days) or, of a text, one more rule of it. */
const withFormat = (words: Readonly<Record<string, unknown>>, given: string): Record<`x-${string}`, unknown> => {
  const control = controlOfFormat(given)
  if (control !== undefined) return words['x-component'] === undefined ? { 'x-component': control } : {}
  const format = given === 'uri' ? 'url' : given
  return { 'x-validator': [...[words['x-validator'] ?? []].flat(), { format }] }
}

/** Rules of the form with their messages in the locale. */
function rulesOf(work: Workspace, rules: unknown): unknown {
  if (Array.isArray(rules)) return rules.map((rule: unknown) => rulesOf(work, rule))
  const message = typeof rules === 'object' && rules !== null && 'message' in rules ? rules.message : undefined
  return isText(message) ? { ...(rules as object), message: work.text(message) } : rules
}

/**
 * A value whose texts may be expressions over the form, each as one whole, as Formily takes them; refuses what does not parse
 * or is code.
 */
function checked<T>(work: Workspace, value: T, at: string): T {
  checkExpressions(work, value, at)
  return withWholes(value) as T
}

function withWholes(value: unknown): unknown {
  if (typeof value === 'string') return isExpression(value) ? wholeExpression(value) : value
  if (Array.isArray(value)) return value.map(withWholes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWholes(item)]))
}

function checkExpressions(work: Workspace, value: unknown, at: string): void {
  if (typeof value === 'string') {
    if (isExpression(value)) work.expression(value, at, ROOTS.form)
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, item] of Object.entries(value)) checkExpressions(work, item, pointer(at, key))
}

function textOf(work: Workspace, text: FormNode['title'], at: string): string | undefined {
  return text === undefined ? undefined : checked(work, isText(text) ? work.text(text) : text, at)
}

/** What a field brings along that Formily has words for. */
function inherited(field: PageField | undefined, words: Readonly<Record<string, unknown>>): Record<`x-${string}`, unknown> {
  if (!field) return {}
  const locked =
    field.readOnly && !['x-pattern', 'x-editable', 'x-read-pretty', 'x-read-only', 'x-disabled'].some((word) => word in words)
  return locked ? { 'x-pattern': 'readPretty' } : {}
}

function defaultOf(context: FormNodeContext, node: FormNode, field: PageField | undefined, at: string): unknown {
  const { work } = context
  // The gateway fills in the default of a field that the viewer may only read, and refuses one that comes from him.
  if (field && work.entity(field.entity, at).access(field.name) === 'read') return undefined
  const value = node.default ?? field?.default
  if (!isExpression(value)) return value
  if (context.inRow) return checked(work, value, node.default === undefined ? at : pointer(at, 'default'))
  context.initial.push({ path: context.path, text: value, at: node.default === undefined ? at : pointer(at, 'default') })
  return undefined
}

const VARIANTS = ['oneOf', 'anyOf'] as const

/** The entries of a list that are chosen, not written: JSON Schema says the choices at them. */
const chosenFrom = (items: FormNode | undefined): boolean =>
  items !== undefined &&
  items.properties === undefined &&
  items['x-component'] === undefined &&
  ['enum', ...VARIANTS].some((word) => items[word] !== undefined)

function optionsOf(work: Workspace, node: FormNode, field: PageField | undefined, at: string): FormNodeModel['enum'] {
  if (typeof node.enum === 'string') return checked(work, node.enum, pointer(at, 'enum'))
  if (node.enum) return checked(work, node.enum, pointer(at, 'enum')).map((option) => optionOf(work, option))
  for (const word of VARIANTS) if (node[word] !== undefined) return variantsOf(work, node[word], pointer(at, word))
  if (node.items && chosenFrom(node.items)) return optionsOf(work, node.items, undefined, pointer(at, 'items'))
  return field?.dictionary?.options.filter((option) => !option.retired).map(({ code, label }) => ({ label, value: code }))
}

/** JSON Schema's way to name choices: `{ "const": "r", "title": "Red" }`. Variants of other shapes have no control. */
function variantsOf(work: Workspace, variants: unknown, at: string): FormNodeModel['enum'] {
  const options = Array.isArray(variants) ? (variants as readonly unknown[]) : []
  if (options.length > 0 && options.every((one) => typeof one === 'object' && one !== null && 'const' in one))
    return checked(work, options as readonly { const: unknown; title?: unknown }[], at).map(({ const: value, title }) =>
      optionOf(work, { value, label: title ?? value }),
    )
  return work.refuse('invalid-shape', at, {
    zh: '这里只能列出选项，例如 { "const": "a", "title": "甲" }。如果要在几种内容之间选择，请用一个字段选择种类，再用 x-visible 显示各自的部分。',
    en: 'This lists choices only, such as { "const": "a", "title": "First" }. To choose between parts, let a field choose the kind and show each part with x-visible.',
  })
}

/** Trees and tables keep what else their options say: children, key, title, disabled, the cells of a row. */
function optionOf(work: Workspace, option: unknown): { label: string; value: unknown } {
  if (typeof option !== 'object' || option === null) return { label: String(option), value: option }
  const { label, value, title, key, children, ...rest } = option as Readonly<Record<string, unknown>>
  const below = Array.isArray(children) ? { children: children.map((child: unknown) => optionOf(work, child)) } : {}
  const worth = value ?? key
  const said = label ?? title
  // a row of a table to choose from: it is submitted as it stands
  if (said === undefined && value === undefined && Object.keys(rest).length > 0)
    return { ...rest, ...(key === undefined ? {} : { key }), ...below } as unknown as { label: string; value: unknown }
  const name = isText(said) ? work.text(said) : String(said ?? worth)
  return {
    ...rest,
    ...(key === undefined ? {} : { key }),
    ...(title === undefined ? {} : { title: name }),
    ...below,
    label: name,
    value: worth,
  }
}

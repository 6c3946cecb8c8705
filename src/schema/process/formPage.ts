import type { FormField, ProcessDocument } from '../generated/process'
import type { FormNode, FormPage } from '../generated/page'
import { referenceOf } from './fields'
import { formEntityName, rowEntityName } from './formEntity'
import { FormWords } from './formWords'
import { formFields, HEAD_FIELDS, HEAD_GROUP } from './head'
import { isEditable, namedFields, type Right, type Rights } from './rights'

/** How a form is opened. */
export interface FormPageOptions {
  /** It holds what was filled in before: nothing that is there is suggested anew. */
  kept?: boolean
  /** What tells the gateway the form when it is asked for facts, e.g. the version that an application was made with; default its code. */
  facts?: Readonly<Record<string, unknown>>
}

/** Everything that a form may ask the gateway for. */
export interface FormFacts {
  /** Look-ups by name, and paths through references of the form: accountId.balance. */
  of: readonly string[]
  /** Members that are read of a look-up; `''`: the look-up itself, where it is no record. */
  parts: ReadonlyMap<string, ReadonlySet<string>>
}

/** What the form of a process may ask for, whoever fills it in. */
export function factsOf(process: Pick<ProcessDocument, 'name' | 'label' | 'form'>): FormFacts {
  const words = new FormWords(process)
  const all = Object.fromEntries(namedFields(process).map(([name]): [string, Right] => [name, 'E']))
  groupNodes({ process, rights: all, words, editable: true, kept: false })
  return { of: words.facts, parts: words.parts }
}

const OTHER = { id: 'otherFields', title: { zh: '其他信息', en: 'Other' } }
const TYPED: readonly Right[] = ['E', 'M']

/**
 * The page that draws a form with the rights of a node: its groups in their order, then what no group names, then what every form asks. H is left out,
 * R is text, E a control, M one that has to be filled. Rights come from `rightsOf`.
 */
export function formPage(
  process: Pick<ProcessDocument, 'name' | 'label' | 'form'>,
  rights: Rights,
  { kept = false, facts: told = { code: process.name } }: FormPageOptions = {},
): FormPage {
  const words = new FormWords(process)
  const editable = isEditable(rights)
  const making: Making = { process, rights, words, editable, kept }
  const properties = groupNodes(making)
  const { facts } = words
  return {
    formatVersion: 3,
    kind: 'form',
    title: process.label,
    entity: formEntityName(process),
    rest: false,
    draft: false,
    record: "{{ '' }}",
    ...(editable ? { initial: initialOf(making) } : { readPretty: true }),
    schema: { type: 'object', properties },
    submit: { call: 'POST /v2/workflow/operate/start', params: { processId: process.name, formData: '{{ values }}' } },
    ...(facts.length > 0 ? { facts: { call: 'POST /v2/workflow/form/facts', params: told, of: facts, reads: words.reads } } : {}),
  }
}

interface Making {
  process: Pick<ProcessDocument, 'name' | 'label' | 'form'>
  rights: Rights
  words: FormWords
  editable: boolean
  kept: boolean
}

interface Group {
  id: string
  title?: { zh: string; en: string }
  fields: readonly string[]
  when?: string
}

/** A group has a name of its own among the nodes: a field may be called like it. */
const groupKey = (id: string, { form }: Pick<ProcessDocument, 'form'>): string =>
  Object.hasOwn(formFields(form), id) ? `${id}Group` : id

function groupsOf({ form }: Pick<ProcessDocument, 'form'>): Group[] {
  const named = new Set((form.groups ?? []).flatMap(({ fields }) => fields))
  const rest = Object.keys(form.fields).filter((name) => !named.has(name))
  const others: Group[] = rest.length === 0 ? [] : form.groups ? [{ ...OTHER, fields: rest }] : [{ id: 'fields', fields: rest }]
  const own = (form.groups ?? []).map(({ fields, ...group }) => ({
    ...group,
    fields: fields.filter((name) => Object.hasOwn(form.fields, name)),
  }))
  return [...own, ...others, { ...HEAD_GROUP, fields: Object.keys(HEAD_FIELDS) }]
}

/** The groups of the form with the nodes of what they show; one that shows nothing is left out. */
function groupNodes(making: Making): Record<string, FormNode> {
  const properties: Record<string, FormNode> = {}
  for (const { id, title, fields, when } of groupsOf(making.process)) {
    const nodes = fields.flatMap((name): [string, FormNode][] => {
      const node = nodeOf(making, name)
      return node ? [[name, node]] : []
    })
    if (nodes.length === 0) continue
    const inside = Object.fromEntries(nodes)
    if (title)
      properties[groupKey(id, making.process)] = {
        type: 'void',
        title,
        'x-component': 'Group',
        ...(when === undefined ? {} : { 'x-visible': making.words.say(when) }),
        properties: inside,
      }
    else Object.assign(properties, inside)
  }
  return properties
}

function nodeOf(making: Making, name: string): FormNode | undefined {
  const { process, rights, words } = making
  const field = formFields(process.form)[name]
  const right = rights[name] ?? 'R'
  if (!field || right === 'H') return undefined
  const node: FormNode = { $field: `${formEntityName(process)}.${name}`, ...wordsOf(making, field, right) }
  if (!field.rows) return node
  const cells = Object.entries(field.rows.fields).flatMap(([cell, inner]): [string, FormNode][] => {
    const own = rights[`${name}.${cell}`] ?? 'R'
    if (own === 'H') return []
    return [[cell, { $field: `${rowEntityName(process, name)}.${cell}`, ...wordsOf(making, inner, own, name) }]]
  })
  if (cells.length === 0) return undefined
  const typed = cells.some(([cell]) => TYPED.includes(rights[`${name}.${cell}`] ?? 'R'))
  const { 'x-pattern': _locked, ...rest } = node
  const { from } = field.rows
  return {
    ...(typed ? rest : node),
    type: 'array',
    ...(typed && (right === 'R' || from !== undefined) ? { 'x-component-props': { fixed: true } } : {}),
    ...(from === undefined || !TYPED.includes(right) ? {} : { 'x-reactions': [rowsFrom(words, field.rows, from, making.kept)] }),
    items: { type: 'object', properties: Object.fromEntries(cells) },
  }
}

function wordsOf({ words, editable, kept }: Making, field: FormField, right: Right, rows?: string): Partial<FormNode> {
  const { visible, requiredIf, value, suggest } = field
  const typed = TYPED.includes(right)
  return {
    ...(typed ? {} : { 'x-pattern': 'readPretty' as const }),
    ...(right === 'M' ? { required: true } : {}),
    ...(right === 'E' && requiredIf !== undefined ? { 'x-required': words.say(requiredIf, rows) } : {}),
    ...(visible === undefined ? {} : { 'x-visible': words.say(visible, rows) }),
    // what is only looked at stays as it was worked out when it was filled in
    ...(value === undefined || !editable ? {} : { 'x-value': words.say(value, rows) }),
    ...(typed && suggest !== undefined ? { 'x-reactions': [suggestion(words.say(suggest, rows), kept)] } : {}),
  }
}

/** The inside of an expression, to be a part of another one. */
const inside = (text: string): string => text.trim().replace(/^\{\{/, '').replace(/\}\}$/, '').trim()

const suggestion = (text: string, kept: boolean) => ({
  when: kept ? "{{ !$self.modified && ($self.value ?? '') === '' }}" : '{{ !$self.modified }}',
  fulfill: { state: { value: text } },
})

/**
 * Rows that follow a list: they are told apart by the reference that they begin with, and keep what was typed in them. Without one they are made anew only
 * when their number changes.
 */
function rowsFrom(words: FormWords, rows: NonNullable<FormField['rows']>, from: string, kept: boolean) {
  const list = `(${inside(words.say(from))} ?? [])`
  const held = '($self.value ?? [])'
  const key = Object.entries(rows.fields).find(([, cell]) => referenceOf(cell) !== undefined)?.[0]
  const differ =
    key === undefined
      ? `len(${list}) !== len(${held})`
      : `join(map(${list}, (row) => row?.${key}), ' ') !== join(map(${held}, (row) => row?.${key}), ' ')`
  const made = key === undefined ? list : `map(${list}, (row) => (find(${held}, (one) => one?.${key} === row?.${key}) ?? row))`
  return {
    when: `{{ ${kept ? `len(${list}) > 0 && ` : ''}${differ} }}`,
    fulfill: { state: { value: `{{ ${made} }}` } },
  }
}

/** What the address of the page says: records that it names are filled in (money 8.0). */
function initialOf({ process, rights }: Making): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.form.fields).flatMap(([name, field]): [string, string][] => {
      if (field['x-ref'] === undefined || field.rows || field.default !== undefined || !TYPED.includes(rights[name] ?? 'R'))
        return []
      if (field.value !== undefined) return []
      const given = `query.${name}`
      return [[name, field.type === 'array' ? `{{ ${given} ? split(${given}, ',') : null }}` : `{{ ${given} ?? null }}`]]
    }),
  )
}

import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import { titlesWithUnit } from '../../src/schema/formats'
import type { FormNode } from '../../src/schema/generated/page'
import type { Text } from '../platform/http'

type Schema = Readonly<Record<string, unknown>>
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const

/** The form with the choices of dictionaries (`x-options`) written down. */
export function withChoices(node: FormNode, dictionary: (name: string) => DictionaryDocument | undefined): FormNode {
  const named = node['x-options']?.dictionary
  const items = named === undefined ? undefined : dictionary(named)?.items
  const { properties } = node
  return {
    ...node,
    ...(items ? { enum: items.map(({ code, label }) => ({ value: code, label })) } : {}),
    ...(node.items ? { items: withChoices(node.items, dictionary) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, child]) => [name, withChoices(child, dictionary)]),
          ),
        }
      : {}),
  }
}

/** The JSON schema of a rule's parameters, read from the form that people fill in. `partial`: nothing is required (exceptions). */
export function paramsSchema(form: FormNode, partial = false): Schema {
  const children = flatten(form)
  const required = partial ? [] : children.filter(([, node]) => node.required === true).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(children.map(([name, node]) => [name, schemaOf(node, partial)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** What a parameter is called, and how its values are said. */
export interface ParamName {
  title: Text
  /** By the member of a list's entries; '' stands for the values themselves. */
  words?: ParamWords
}
/** What values are called; `departments`: they are ids of departments, whose names are looked up when they are said. */
export type ParamWords = Readonly<
  Record<string, { title?: Text; choices?: Readonly<Record<string, Text>>; countries?: true; departments?: true }>
>
/** A member of a list's entries that takes the control of the field of `entity` that another member, `by`, names. */
export interface MemberOfField {
  list: string
  member: string
  entity: string
  by: string
}

/** Names of parameters by their path, for people who read what changed; those inside a group are named with it. */
export function paramNames(form: FormNode, path = '', group?: Text): Map<string, ParamName> {
  const names = new Map<string, ParamName>()
  for (const [name, node] of flatten(form)) {
    const at = path === '' ? name : `${path}.${name}`
    const own = titleOf(node) ?? { zh: at, en: at }
    const title = group ? { zh: `${group.zh} · ${own.zh}`, en: `${group.en} · ${own.en}` } : own
    const words = wordsOf(node)
    names.set(at, { title, ...(words ? { words } : {}) })
    if (node.type === 'object') for (const [inner, called] of paramNames(node, at, title)) names.set(inner, called)
  }
  return names
}

/** With what a number counts: it is named apart from its form. */
const titleOf = ({ title, 'x-unit': unit }: FormNode): Text | undefined =>
  typeof title === 'object' ? titlesWithUnit(title, unit) : undefined

/** Members whose values are those of fields (`x-fieldOf`): what a code means depends on the entry. */
export const membersOfFields = (form: FormNode): MemberOfField[] =>
  flatten(form).flatMap(([list, node]) =>
    flatten(node.items ?? {}).flatMap(([member, { 'x-fieldOf': of }]) => (of ? [{ list, member, ...of }] : [])),
  )

function wordsOf(node: FormNode): ParamName['words'] {
  const members: [string, FormNode][] = [['', node], ...(node.items?.properties ? flatten(node.items) : [])]
  const words = members.flatMap(([name, member]) => {
    const choices =
      choicesOf(member)
        ?.filter(isChoice)
        .map(({ value, label }) => [String(value), label] as const) ?? []
    const title = name === '' ? undefined : titleOf(member)
    const said = {
      ...(title ? { title } : {}),
      ...(choices.length > 0 ? { choices: Object.fromEntries(choices) } : {}),
      ...(member['x-component'] === 'country' || member['x-component'] === 'countries' ? { countries: true as const } : {}),
      ...(member['x-component'] === 'department' ? { departments: true as const } : {}),
    }
    return Object.keys(said).length > 0 ? [[name, said] as const] : []
  })
  return words.length > 0 ? Object.fromEntries(words) : undefined
}

/** What can be chosen, where it is written down. */
const choicesOf = ({ enum: choices }: FormNode): readonly unknown[] | undefined =>
  typeof choices === 'string' ? undefined : choices

const isChoice = (option: unknown): option is { value: unknown; label: Text } =>
  typeof option === 'object' && option !== null && 'label' in option && typeof option.label === 'object'

/** Children without the void nodes that only arrange them, and without those that are only shown: they are no parameters. */
function flatten(node: FormNode): [string, FormNode][] {
  return Object.entries(node.properties ?? {})
    .filter(([, child]) => child['x-pattern'] !== 'readPretty')
    .flatMap(([name, child]) => (child.type === 'void' ? flatten(child) : [[name, child] satisfies [string, FormNode]]))
}

function schemaOf(node: FormNode, partial: boolean): Schema {
  if (node.type === 'object') return paramsSchema(node, partial)
  const bounds = Object.fromEntries(BOUNDS.flatMap((word) => (node[word] === undefined ? [] : [[word, node[word]]])))
  const choices = choicesOf(node)?.map((option) =>
    typeof option === 'object' && option !== null && 'value' in option ? (option as { value: unknown }).value : option,
  )
  if (node.type === 'array') {
    const items = node.items ? (node.items.properties ? paramsSchema(node.items) : schemaOf(node.items, false)) : {}
    return { type: 'array', items: choices ? { enum: choices } : items, ...bounds }
  }
  const optional = node.required !== true
  if (choices) return { enum: optional ? [...choices, null] : choices, ...bounds }
  const type = node['x-component'] === 'integer' ? 'integer' : (node.type ?? 'string')
  return { type: optional ? [type, 'null'] : type, ...bounds }
}

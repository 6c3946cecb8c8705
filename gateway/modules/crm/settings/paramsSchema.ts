import type { FormNode } from '../../../../src/schema/generated/page'
import type { Text } from '../../../platform/http'

type Schema = Readonly<Record<string, unknown>>
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const

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

/** Titles of parameters by their path, for people who read what changed. */
export function paramTitles(form: FormNode, path = ''): Map<string, Text> {
  const titles = new Map<string, Text>()
  for (const [name, node] of flatten(form)) {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof node.title === 'object') titles.set(at, node.title)
    if (node.type === 'object') for (const [inner, title] of paramTitles(node, at)) titles.set(inner, title)
  }
  return titles
}

/** Children without the void nodes that only arrange them. */
function flatten(node: FormNode): [string, FormNode][] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.type === 'void' ? flatten(child) : [[name, child] satisfies [string, FormNode]],
  )
}

function schemaOf(node: FormNode, partial: boolean): Schema {
  if (node.type === 'object') return paramsSchema(node, partial)
  const bounds = Object.fromEntries(BOUNDS.flatMap((word) => (node[word] === undefined ? [] : [[word, node[word]]])))
  const choices = node.enum?.map((option) =>
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

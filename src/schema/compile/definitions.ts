import type { FormNode } from '../generated/page'
import { withJsonSchema } from './jsonSchema'

/** So many uses of definitions a form may have: some that use one another twice each would fill the memory. */
const MOST_USES = 500
const DEFINITION = /^#\/(?:definitions|\$defs)\/([^/]+)$/

/** Words below which parts may be used: of nodes by name, and of one node. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'dependentSchemas'])
const SINGLE: ReadonlySet<string> = new Set(['items', 'then', 'else'])
const isNode = (value: unknown): value is FormNode => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of a form as it is compiled: parts in their places, JSON Schema's words in those of a form. */
export const plainSchema = (schema: FormNode): FormNode => withJsonSchema(withDefinitions(schema))

/**
 * A schema with each `{ "$ref": "#/definitions/address" }` replaced by what its `definitions` say of the name; what the node says
 * itself wins. One that names nothing, or itself, stays as it is: the compiler refuses it.
 */
const withDefinitions = (schema: FormNode): FormNode => {
  const known = { ...(schema.$defs as object | undefined), ...(schema.definitions as object | undefined) } as Readonly<
    Record<string, FormNode>
  >
  let uses = 0
  const expand = (node: FormNode, within: readonly string[]): FormNode => {
    const { $ref, ...own } = node
    const name = typeof $ref === 'string' ? DEFINITION.exec($ref)?.[1] : undefined
    const found = name === undefined || within.includes(name) || !Object.hasOwn(known, name) ? undefined : known[name]
    if (name !== undefined && found && ++uses <= MOST_USES) return expand({ ...found, ...own }, [...within, name])
    const entries = Object.entries(node).map(([word, value]): readonly [string, unknown] => {
      if (NAMED.has(word) && isNode(value))
        return [word, Object.fromEntries(Object.entries(value).map(([key, child]) => [key, below(child, within)]))]
      if (word === 'allOf' && Array.isArray(value)) return [word, value.map((part: unknown) => below(part, within))]
      return [word, SINGLE.has(word) ? below(value, within) : value]
    })
    return Object.fromEntries(entries)
  }
  const below = (value: unknown, within: readonly string[]): unknown => (isNode(value) ? expand(value, within) : value)
  if (schema.definitions === undefined && schema.$defs === undefined) return schema
  const { definitions: _definitions, $defs: _defs, ...rest } = schema
  return expand(rest, [])
}

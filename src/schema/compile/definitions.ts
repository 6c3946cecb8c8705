import type { FormNode } from '../generated/page'

/** So many uses of definitions a form may have: some that use one another twice each would fill the memory. */
const MOST_USES = 500
const DEFINITION = /^#\/definitions\/([^/]+)$/

/**
 * A schema with each `{ "$ref": "#/definitions/address" }` replaced by what its `definitions` say of the name; what the node says
 * itself wins. One that names nothing, or itself, stays as it is: the compiler refuses it.
 */
export const withDefinitions = (schema: FormNode): FormNode => {
  const known = (schema.definitions ?? {}) as Readonly<Record<string, FormNode>>
  let uses = 0
  const expand = (node: FormNode, within: readonly string[]): FormNode => {
    const { $ref, ...own } = node
    const name = typeof $ref === 'string' ? DEFINITION.exec($ref)?.[1] : undefined
    const found = name === undefined || within.includes(name) || !Object.hasOwn(known, name) ? undefined : known[name]
    if (name !== undefined && found && ++uses <= MOST_USES) return expand({ ...found, ...own }, [...within, name])
    const { properties, items } = node
    if (!properties && !items) return node
    return {
      ...node,
      ...(properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, expand(child, within)])) }
        : {}),
      ...(items ? { items: expand(items, within) } : {}),
    }
  }
  if (schema.definitions === undefined) return schema
  const { definitions: _definitions, ...rest } = schema
  return expand(rest, [])
}

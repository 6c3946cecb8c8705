/** Conditions that JSON Schema writes as schemas (`if`, `dependentRequired`), as expressions over the form. */

type Part = Readonly<Record<string, unknown>>

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** What is compared with a bound or a value, as one expression; undefined where none says it. */
const COMPARED: Readonly<Record<string, (read: string, value: unknown) => string | undefined>> = {
  const: (read, value) => (isPlain(value) ? `${read} === ${JSON.stringify(value)}` : undefined),
  enum: (read, value) =>
    Array.isArray(value) && value.every(isPlain) ? `includes(${JSON.stringify(value)}, ${read})` : undefined,
  minimum: (read, value) => bound(read, '>=', value),
  maximum: (read, value) => bound(read, '<=', value),
  exclusiveMinimum: (read, value) => bound(read, '>', value),
  exclusiveMaximum: (read, value) => bound(read, '<', value),
  minLength: (read, value) => bound(`len(${read})`, '>=', value),
  maxLength: (read, value) => bound(`len(${read})`, '<=', value),
  minItems: (read, value) => bound(`len(${read})`, '>=', value),
  maxItems: (read, value) => bound(`len(${read})`, '<=', value),
  contains: (read, value) =>
    isPart(value) && Object.keys(value).join() === 'const' && isPlain(value.const)
      ? `includes(${read}, ${JSON.stringify(value.const)})`
      : undefined,
}
/** Words that hold of every value of the field, or say nothing of it. */
const SILENT: ReadonlySet<string> = new Set(['type', 'title', 'description', '$comment'])

const bound = (read: string, operator: string, value: unknown): string | undefined =>
  typeof value === 'number' ? `${read} ${operator} ${value}` : undefined

/** All of these, or undefined where one of them cannot be said. */
function together(parts: readonly (string | undefined)[], operator: '&&' | '||', nothing: string): string | undefined {
  if (parts.some((part) => part === undefined)) return undefined
  if (parts.length === 0) return nothing
  return parts.length === 1 ? parts[0] : parts.map((part) => `(${part})`).join(` ${operator} `)
}

/**
 * When a schema holds of the value at `read`, as an expression without braces: of `const`, `enum`, bounds, `required`, `properties`,
 * `not`, `allOf` and `anyOf`. As JSON Schema has it, what is said of a member holds while the member is empty, unless it is required.
 * @returns undefined where something is said for which there is no expression (a pattern)
 */
export function conditionOf(schema: unknown, read: string): string | undefined {
  if (typeof schema === 'boolean') return String(schema)
  if (!isPart(schema)) return undefined
  const said = Object.entries(schema).flatMap(([word, value]): (string | undefined)[] => {
    if (SILENT.has(word)) return []
    if (word === 'properties') return isPart(value) ? membersOf(value, schema.required, read) : [undefined]
    if (word === 'required') return namesIn(value)?.map((name) => filled(member(read, name))) ?? [undefined]
    if (word === 'not') return [negated(conditionOf(value, read))]
    if (word === 'allOf' || word === 'anyOf') {
      if (!Array.isArray(value)) return [undefined]
      const parts = value.map((one: unknown) => conditionOf(one, read))
      return [together(parts, word === 'allOf' ? '&&' : '||', 'true')]
    }
    return [Object.hasOwn(COMPARED, word) ? COMPARED[word]?.(read, value) : undefined]
  })
  return together(said, '&&', 'true')
}

function membersOf(properties: Part, required: unknown, read: string): (string | undefined)[] {
  const needed = new Set(namesIn(required))
  return Object.entries(properties).map(([name, schema]) => {
    const at = member(read, name)
    const holds = conditionOf(schema, at)
    if (holds === undefined || holds === 'true' || needed.has(name)) return holds
    return `isEmpty(${at}) || ${holds}`
  })
}

const negated = (condition: string | undefined): string | undefined => (condition === undefined ? undefined : `!(${condition})`)

/** That a member has a value. */
export const filled = (read: string): string => `!isEmpty(${read})`

/** A member of what an expression reads; nothing is behind what is empty. */
export const member = (read: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name)
    ? `${read}${read.startsWith('$') && !read.includes('.') ? '.' : '?.'}${name}`
    : `${read}?.[${JSON.stringify(name)}]`

/** A list of names, as `required` of JSON Schema has it. */
export const namesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') ? (value as string[]) : undefined

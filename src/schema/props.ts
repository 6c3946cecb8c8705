/** The part of JSON Schema (2020-12) that properties of widgets and effects use. */
export interface PropsSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  description?: string
  properties?: Readonly<Record<string, PropsSchema>>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: PropsSchema
  enum?: readonly (string | number | boolean | null)[]
  const?: string | number | boolean | null
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

type Simple<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { type: 'string' }
      ? string
      : S extends { type: 'number' | 'integer' }
        ? number
        : S extends { type: 'boolean' }
          ? boolean
          : S extends { type: 'null' }
            ? null
            : S extends { type: 'array'; items: infer I }
              ? readonly PropsOf<I>[]
              : S extends { type: 'array' }
                ? readonly unknown[]
                : S extends { properties: infer P }
                  ? Members<P, S extends { required: readonly (infer R)[] } ? R : never>
                  : S extends { type: 'object' }
                    ? Readonly<Record<string, unknown>>
                    : unknown

type Members<P, R> = { readonly [K in keyof P as K extends R ? K : never]: PropsOf<P[K]> } & {
  readonly [K in keyof P as K extends R ? never : K]?: PropsOf<P[K]>
}

/** The TypeScript type that a schema of properties describes: the schema is the only place where properties are written down. */
export type PropsOf<S> = Simple<S>

/** One wrong property. */
export interface PropsProblem {
  /** JSON pointer below the properties. */
  at: string
  message: { zh: string; en: string }
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const fits = (value: unknown, type: NonNullable<PropsSchema['type']>): boolean => {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  return typeOf(value) === type
}

/** Checks properties against their schema; empty when they fit. Small on purpose: Ajv would cost 35 kB on every page. */
export const checkProps = (schema: PropsSchema, value: unknown, at = ''): PropsProblem[] => {
  const problem = (zh: string, en: string): PropsProblem[] => [{ at: at || '/', message: { zh, en } }]
  if (schema.const !== undefined && value !== schema.const)
    return problem(`须为 ${JSON.stringify(schema.const)}`, `has to be ${JSON.stringify(schema.const)}`)
  if (schema.enum && !schema.enum.some((entry) => entry === value)) {
    const list = schema.enum.map((entry) => JSON.stringify(entry)).join(', ')
    return problem(`须为其中之一：${list}`, `has to be one of ${list}`)
  }
  if (schema.type && !fits(value, schema.type))
    return problem(`须为 ${schema.type}，现为 ${typeOf(value)}`, `has to be ${schema.type}, not ${typeOf(value)}`)
  if (typeof value === 'string') {
    if (value.length < (schema.minLength ?? 0))
      return problem(`至少 ${schema.minLength} 个字符`, `needs at least ${schema.minLength} characters`)
    if (value.length > (schema.maxLength ?? Infinity))
      return problem(`最多 ${schema.maxLength} 个字符`, `takes at most ${schema.maxLength} characters`)
  }
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity)) return problem(`不小于 ${schema.minimum}`, `has to be at least ${schema.minimum}`)
    if (value > (schema.maximum ?? Infinity)) return problem(`不大于 ${schema.maximum}`, `has to be at most ${schema.maximum}`)
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0))
      return problem(`至少 ${schema.minItems} 项`, `needs at least ${schema.minItems} items`)
    if (value.length > (schema.maxItems ?? Infinity))
      return problem(`最多 ${schema.maxItems} 项`, `takes at most ${schema.maxItems} items`)
    const { items } = schema
    return items ? value.flatMap((entry, index) => checkProps(items, entry, `${at}/${index}`)) : []
  }
  if (typeOf(value) !== 'object' || !schema.properties) return []
  const given = value as Record<string, unknown>
  const known = schema.properties
  return [
    ...(schema.required ?? [])
      .filter((name) => given[name] === undefined)
      .map((name) => ({ at: `${at}/${name}`, message: { zh: '没有给出', en: 'is missing' } })),
    ...Object.entries(given).flatMap(([name, entry]) => {
      const part = Object.hasOwn(known, name) ? known[name] : undefined
      if (part) return entry === undefined ? [] : checkProps(part, entry, `${at}/${name}`)
      return schema.additionalProperties === true
        ? []
        : [{ at: `${at}/${name}`, message: { zh: '没有这个参数', en: 'is not a property of this widget' } }]
    }),
  ]
}

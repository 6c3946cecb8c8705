import { compileExpression, functionsOf, isExpression, parseExpression, rootsOf, type CompiledExpression } from '../expression'
import type { EntityDocument, EntityField } from '../generated/entity'
import { allFields, VALIDITY } from './fields'

/** A field behind references, by the name that expressions call it: `customerId.level`, `head.currency`. */
export interface FieldPath {
  readonly name: string
  /** The references that lead there, the first one of the entity itself, and the field at the end. */
  readonly steps: readonly string[]
}

/** A value that follows others and is stored. */
export interface Derivation {
  /** The expression that says it; else a function does. */
  readonly value?: CompiledExpression
  /** Name of the function of a module that works it out for many records at once. */
  readonly by?: string
  /** Fields of the record itself that are read. */
  readonly own: readonly string[]
  readonly paths: readonly FieldPath[]
  /** States in which it follows; in the others it stays as it is. */
  readonly states?: ReadonlySet<string>
}

/** What differs with whoever reads, and when: a value made of it cannot be stored. */
const PASSING: ReadonlySet<string> = new Set(['now', 'today', 'user', 'query', 'locale', 'record', 'values'])
/** Functions whose answer depends on who reads, or on exchange rates, which are corrected later. */
const OF_THE_READER: ReadonlySet<string> = new Set(['can', 'text', 'label', 'format', 'convert', 'exchangeRate'])
/** The record that a line belongs to, whatever its reference is called. */
export const HEAD = 'head'

const known = new WeakMap<EntityDocument['properties'], ReadonlySet<string>>()

/** Derived fields that are worked out when they are read: they read the moment or the reader, themselves or through others of the record. */
export function computedNames(entity: Pick<EntityDocument, 'properties' | 'x-effective'>): ReadonlySet<string> {
  const remembered = known.get(entity.properties)
  if (remembered) return remembered
  const reads = new Map<string, readonly string[]>()
  const computed = new Set<string>(entity['x-effective'] ? [VALIDITY] : [])
  for (const [name, field] of Object.entries(entity.properties)) {
    const text = field['x-derived']?.value
    if (!isExpression(text)) continue
    const parsed = parseExpression(text)
    if (!parsed.ok) continue
    const roots = rootsOf(parsed.expression)
    reads.set(name, roots)
    const asks = functionsOf(parsed.expression).some((called) => OF_THE_READER.has(called))
    if (asks || roots.some((root) => PASSING.has(root))) computed.add(name)
  }
  for (let grown = true; grown;) {
    grown = false
    for (const [name, roots] of reads) {
      if (computed.has(name) || !roots.some((root) => computed.has(root))) continue
      computed.add(name)
      grown = true
    }
  }
  known.set(entity.properties, computed)
  return computed
}

/** The reference of a line to what it belongs to. */
export function headField(entity: Pick<EntityDocument, 'x-scope'>): string | undefined {
  const scope = entity['x-scope']
  return typeof scope === 'object' && 'parent' in scope ? scope.parent : undefined
}

/** Whether a dotted name begins at a reference of the entity, or at the record that a line belongs to. */
export function pathsOf(entity: EntityDocument): (path: string) => boolean {
  const starts = new Set(allFields(entity).flatMap(({ name, field }) => (isReference(field) ? [name] : [])))
  if (headField(entity) !== undefined) starts.add(HEAD)
  return (path) => {
    const dot = path.indexOf('.')
    return dot > 0 && starts.has(path.slice(0, dot))
  }
}

export const isReference = (field: EntityField): boolean => field['x-ref'] !== undefined && field.type !== 'array'

/** The path as the fields that lead there. */
export function stepsOf(entity: Pick<EntityDocument, 'x-scope'>, path: string): string[] {
  const [first = '', ...rest] = path.split('.')
  return [first === HEAD ? (headField(entity) ?? first) : first, ...rest]
}

/** Makes a stored derived value ready. @throws ExpressionError for an expression that does not parse */
export function derivationOf(
  entity: EntityDocument,
  derived: NonNullable<EntityField['x-derived']>,
  roots: readonly string[],
): Derivation {
  const states = derived.in ? { states: new Set(derived.in) } : {}
  if (derived.function !== undefined) return { by: derived.function, own: derived.reads ?? [], paths: [], ...states }
  const isPath = pathsOf(entity)
  const value = compileExpression(derived.value ?? '', { roots, paths: isPath })
  const paths = value.dependencies.filter(isPath)
  const own = value.dependencies.filter((name) => !isPath(name)).map((name) => name.split('.', 1)[0]!)
  return {
    value,
    own: [...new Set(own)],
    paths: paths.map((name) => ({ name, steps: stepsOf(entity, name) })),
    ...states,
  }
}

export type Rollup = NonNullable<EntityField['x-rollup']>
type Function = 'count' | 'sum' | 'min' | 'max' | 'last'

/** The entity of the records that are summed up, and their reference to this one. */
export function splitRollup({ of }: Pick<Rollup, 'of'>): { entity: string; reference: string } {
  const dot = of.lastIndexOf('.')
  return { entity: of.slice(0, dot), reference: of.slice(dot + 1) }
}

/** What is kept over them, and of which field. */
export function measureOf(rollup: Rollup): { function: Function; field?: string } {
  for (const name of ['sum', 'min', 'max', 'last'] as const) {
    const field = rollup[name]
    if (field !== undefined) return { function: name, field }
  }
  return { function: 'count' }
}

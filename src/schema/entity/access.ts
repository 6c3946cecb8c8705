import type { EntityField } from '../generated/entity'
import { dependenciesOf, type EntityModel, type EntityView } from './model'

/** What somebody may do with a field; from the strictest to the least strict. */
export type FieldAccess = 'hide' | 'mask' | 'read' | 'write'
const STRICTNESS: readonly FieldAccess[] = ['hide', 'mask', 'read', 'write']

/** Somebody as far as fields are concerned. */
export interface FieldViewer {
  /** Holds the permission key. */
  has(key: string): boolean
  /** Rules of the roles by `entity.field`; no entry = no rule. */
  readonly fieldRules: Readonly<Record<string, string>>
}

/** Of several accesses the one that allows least. */
export const strictest = (all: readonly FieldAccess[]): FieldAccess =>
  all.reduce((first, second) => (STRICTNESS.indexOf(second) < STRICTNESS.indexOf(first) ? second : first), 'write')

/** The rule as an access; what is no rule restricts nothing. */
export const accessOfRule = (rule: string | undefined): FieldAccess =>
  rule === 'hide' || rule === 'mask' || rule === 'read' ? rule : 'write'

/**
 * The fields that the viewer may not simply write, by name: rules of the roles, copies of ruled fields, sensitive fields, and the rules
 * the strictest of them holds. Internal fields are hidden from everybody.
 */
export function restrictedFields(model: EntityModel, viewer: FieldViewer, view?: EntityView): ReadonlyMap<string, FieldAccess> {
  const restricted = new Map<string, FieldAccess>()
  for (const field of model.fields.values()) {
    const sensitive = field.field['x-sensitive']
    const access = strictest([
      field.internal ? 'hide' : 'write',
      sensitive !== undefined && !viewer.has(sensitive) ? 'mask' : 'write',
      accessOfRule(viewer.fieldRules[`${model.name}.${field.name}`]),
      ...sourcesOf(field.field).map((source) => sourceAccess(source, model.find, viewer)),
      accessOfRule(view?.fieldRules?.[field.name]),
    ])
    if (access !== 'write') restricted.set(field.name, access)
  }
  // a computed value says as much as the fields that it is made of
  for (const field of model.computed) {
    const parts = dependenciesOf(field.computed!, model.fields).filter((name) => !model.fields.get(name)!.internal)
    const access = strictest([restricted.get(field.name) ?? 'write', ...parts.map((name) => withoutRead(restricted.get(name)))])
    if (access !== 'write') restricted.set(field.name, access)
  }
  return restricted
}

/** The fields that a field was copied from, as `entity.field`. */
export function sourcesOf(field: EntityField): readonly string[] {
  const sources = field['x-copyOf']
  return sources === undefined ? [] : typeof sources === 'string' ? [sources] : sources
}

/**
 * A copy is closed to whoever the copied field is closed to, by a rule, by its key, or because of what it is copied from or computed
 * of itself. Reading it only is no matter of the copy.
 */
function sourceAccess(
  path: string,
  find: EntityModel['find'],
  viewer: FieldViewer,
  seen: ReadonlySet<string> = new Set(),
): FieldAccess {
  if (seen.has(path)) return 'write'
  const [entity, name] = splitSource(path)
  const model = find(entity)
  const field = model?.fields.get(name)
  const sensitive = field?.field['x-sensitive']
  const parts = model && field?.computed ? dependenciesOf(field.computed, model.fields).map((part) => `${entity}.${part}`) : []
  const further = new Set([...seen, path])
  return strictest([
    withoutRead(accessOfRule(viewer.fieldRules[path])),
    sensitive !== undefined && !viewer.has(sensitive) ? 'mask' : 'write',
    ...[...(field ? sourcesOf(field.field) : []), ...parts].map((each) => sourceAccess(each, find, viewer, further)),
  ])
}

/** `crm.customer.name` as entity and field. */
export function splitSource(path: string): [entity: string, field: string] {
  const dot = path.lastIndexOf('.')
  return [path.slice(0, dot), path.slice(dot + 1)]
}

const withoutRead = (access: FieldAccess | undefined): FieldAccess =>
  access === undefined || access === 'read' ? 'write' : access

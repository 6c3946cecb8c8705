import type { EntityField } from '../generated/entity'
import type { FieldModel } from './fieldModel'
import { dependenciesOf, referenceOf, type EntityModel, type EntityView } from './model'
import { measureOf, splitRollup } from './derived'

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
  for (const field of inOrderOfMaking(model)) {
    const own = ownParts(model, field).filter((name) => !model.fields.get(name)!.internal)
    const access = strictest([
      restricted.get(field.name) ?? 'write',
      ...own.map((name) => withoutRead(restricted.get(name))),
      ...foreignParts(model, field).map((source) => sourceAccess(source, model.find, viewer)),
    ])
    if (access !== 'write') restricted.set(field.name, access)
  }
  return restricted
}

const made = new WeakMap<EntityModel, readonly FieldModel[]>()

/** Fields whose value is made of others, after those of the record that they are made of: a value says as much as its parts. */
function inOrderOfMaking(model: EntityModel): readonly FieldModel[] {
  const known = made.get(model)
  if (known) return known
  const ordered = new Set<FieldModel>()
  const open = new Set<FieldModel>()
  const visit = (field: FieldModel): void => {
    if (open.has(field) || !(field.computed || field.kept)) return
    open.add(field)
    for (const name of ownParts(model, field)) visit(model.fields.get(name)!)
    ordered.add(field)
  }
  for (const field of model.fields.values()) visit(field)
  made.set(model, [...ordered])
  return [...ordered]
}

/** The fields of the same record that a value is made of. */
function ownParts(model: EntityModel, { computed, derivation }: FieldModel): readonly string[] {
  if (computed) return dependenciesOf(computed, model.fields)
  const first = derivation?.paths.map(({ steps }) => steps[0]!) ?? []
  return [...(derivation?.own ?? []), ...first].filter((name) => model.fields.has(name))
}

/** The fields of other records that a value is made of, as `entity.field`: every step of its paths, and what a rollup counts. */
function foreignParts(model: EntityModel, { derivation, field }: FieldModel): readonly string[] {
  const parts: string[] = []
  for (const { steps } of derivation?.paths ?? []) {
    let at: EntityModel | undefined = model
    for (const [index, name] of steps.entries()) {
      if (index > 0 && at) parts.push(`${at.name}.${name}`)
      const step: FieldModel | undefined = at?.fields.get(name)
      const target: string | undefined = step && referenceOf(step)
      at = target === undefined ? undefined : model.find(target)
    }
  }
  const rollup = field['x-rollup']
  if (!rollup) return parts
  const { entity } = splitRollup(rollup)
  const { field: value } = measureOf(rollup)
  const names = [...(value === undefined ? [] : [value]), ...(rollup.where ?? []).map((condition) => condition.field)]
  return [...parts, ...names.map((name) => `${entity}.${name}`)]
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
  const parts =
    model && field ? [...ownParts(model, field).map((part) => `${entity}.${part}`), ...foreignParts(model, field)] : []
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

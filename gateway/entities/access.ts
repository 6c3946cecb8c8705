import { dependenciesOf, type EntityModel, type EntityView } from '../../src/schema/entity'
import { can, fieldRuleOf, type RequestContext } from '../platform/http'

/** What the caller may do with a field; from the strictest to the least strict. */
type FieldAccess = 'hide' | 'mask' | 'read' | 'write'
const STRICTNESS: readonly FieldAccess[] = ['hide', 'mask', 'read', 'write']

/** Access to every field of an entity for one caller, in one view. */
export interface EntityAccess {
  of(field: string): FieldAccess
  /** Plain values may be read. */
  readable(field: string): boolean
  /** Nothing is hidden or masked. */
  readonly open: boolean
}

const remembered = new WeakMap<RequestContext, Map<string, EntityAccess>>()

/** Field rules of the caller's roles, sensitive fields, and the rules of the view; the strictest of them holds. */
export function accessOf(model: EntityModel, context: RequestContext, view?: EntityView): EntityAccess {
  let known = remembered.get(context)
  if (!known) remembered.set(context, (known = new Map()))
  const key = `${model.name} ${view?.id ?? ''}`
  let access = known.get(key)
  if (!access) known.set(key, (access = decide(model, context, view)))
  return access
}

function decide(model: EntityModel, context: RequestContext, view?: EntityView): EntityAccess {
  const restricted = new Map<string, FieldAccess>()
  for (const field of model.fields.values()) {
    const sensitive = field.field['x-sensitive']
    const access = strictest([
      field.internal ? 'hide' : 'write',
      sensitive !== undefined && !can(context, sensitive) ? 'mask' : 'write',
      fieldRuleOf(context, model.name, field.name) ?? 'write',
      (context.kind === 'system' ? undefined : view?.fieldRules?.[field.name]) ?? 'write',
    ])
    if (access !== 'write') restricted.set(field.name, access)
  }
  // a computed value says as much as the fields that it is made of
  for (const field of model.computed) {
    const parts = dependenciesOf(field.computed!, model.fields).filter((name) => !model.fields.get(name)!.internal)
    const access = strictest([restricted.get(field.name) ?? 'write', ...parts.map((name) => withoutRead(restricted.get(name)))])
    if (access !== 'write') restricted.set(field.name, access)
  }
  const of = (field: string): FieldAccess => restricted.get(field) ?? 'write'
  return {
    of,
    readable: (field) => of(field) === 'write' || of(field) === 'read',
    open: ![...restricted].some(([name, access]) => access !== 'read' && !model.fields.get(name)!.internal),
  }
}

function withoutRead(access: FieldAccess | undefined): FieldAccess {
  return access === undefined || access === 'read' ? 'write' : access
}

function strictest(all: readonly FieldAccess[]): FieldAccess {
  return all.reduce((first, second) => (STRICTNESS.indexOf(second) < STRICTNESS.indexOf(first) ? second : first), 'write')
}

import { restrictedFields, type EntityModel, type EntityView, type FieldAccess } from '../../src/schema/entity'
import { can, type RequestContext } from '../platform/http'

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
  const system = context.kind === 'system'
  const viewer = { has: (key: string) => can(context, key), fieldRules: system ? {} : context.fieldRules }
  const restricted = restrictedFields(model, viewer, system ? undefined : view)
  const of = (field: string): FieldAccess => restricted.get(field) ?? 'write'
  return {
    of,
    readable: (field) => of(field) === 'write' || of(field) === 'read',
    open: ![...restricted].some(([name, access]) => access !== 'read' && !model.fields.get(name)!.internal),
  }
}

import { strictest, type FieldAccess } from '../entity/access'
import type { PageField } from '../model'
import type { EntityReader } from './entityReader'
import type { Workspace } from './workspace'

export interface FoundField {
  field: PageField
  /** Path of the value in the row: one name, or two for one step through a reference. */
  path: readonly string[]
  /** Label; of a step also the label of the reference. */
  title: string
  /** Of all steps the strictest. */
  access: FieldAccess
}

/** Further steps that a condition, a filter or an order goes at most. */
export const FURTHEST = 3

/**
 * `name`, or a path through references, `customerId.code`: a field of the entity (in a row view), or one of the entity that a
 * reference field names. What is shown stands at most one step away; what rows are only compared by, up to `furthest`.
 */
export const findField = (
  work: Workspace,
  entity: EntityReader,
  name: string,
  at: string,
  view?: string,
  furthest = 1,
): FoundField => {
  const [first = '', ...rest] = name.split('.')
  const reference = entity.field(first, at)
  const access = entity.access(first, view)
  if (rest.length === 0) return { field: reference, path: [first], title: reference.label, access }
  const behind = rest.join('.')
  if (!reference.ref || reference.kind !== 'ref') {
    return work.refuse('field-kind-mismatch', at, {
      zh: `“${reference.name}”不是引用字段，不能再取“${behind}”。`,
      en: `"${reference.name}" is not a reference, so "${behind}" cannot be read through it.`,
    })
  }
  if (rest.length > furthest) {
    return work.refuse('field-kind-mismatch', at, {
      zh: `“${name}”经过的引用太多，最多 ${furthest} 步。`,
      en: `"${name}" goes through too many references; at most ${furthest} can be followed here.`,
    })
  }
  const found = findField(work, work.entity(reference.ref.entity, at), behind, at, undefined, furthest - 1)
  return {
    field: found.field,
    path: [reference.name, ...found.path],
    title: `${reference.label} · ${found.title}`,
    access: strictest([access, found.access]),
  }
}

/** Whether the plain value at a path may be read: every step decides. What the entity does not have is refused elsewhere. */
export const readableAt = (work: Workspace, entity: EntityReader, name: string, view?: string): boolean => {
  const [first = '', ...rest] = name.split('.')
  if (!entity.readable(first, view)) return false
  const target = rest.length === 0 ? undefined : entity.definition(first)?.['x-ref']
  return target === undefined || !work.entityIfKnown(target) || readableAt(work, work.entity(target, ''), rest.join('.'))
}

/** Notes that an id stands twice in a list: the second one would be unreachable. */
export const refuseRepeated = (work: Workspace, seen: Set<string>, id: string, at: string): void => {
  if (!seen.has(id)) {
    seen.add(id)
    return
  }
  work.refuse('duplicate-id', at, { zh: `标识“${id}”重复。`, en: `The id "${id}" is used twice.` }, { value: id })
}

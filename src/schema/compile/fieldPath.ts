import { strictest, type FieldAccess } from '../entity/access'
import type { FieldModel } from '../model'
import type { EntityReader } from './entityReader'
import type { Workspace } from './workspace'

export interface FoundField {
  field: FieldModel
  /** Path of the value in the row: one name, or two for one step through a reference. */
  path: readonly string[]
  /** Label; of a step also the label of the reference. */
  title: string
  /** Of all steps the strictest. */
  access: FieldAccess
}

/** `name`, or `customerId.code`: a field of the entity (in a row view), or one of the entity that a reference field names. */
export const findField = (work: Workspace, entity: EntityReader, name: string, at: string, view?: string): FoundField => {
  const dot = name.indexOf('.')
  if (dot < 0) {
    const field = entity.field(name, at)
    return { field, path: [name], title: field.label, access: entity.access(name, view) }
  }
  const reference = entity.field(name.slice(0, dot), at)
  if (!reference.ref || reference.kind !== 'ref') {
    return work.refuse('field-kind-mismatch', at, {
      zh: `“${reference.name}”不是引用字段，不能再取“${name.slice(dot + 1)}”。`,
      en: `"${reference.name}" is not a reference, so "${name.slice(dot + 1)}" cannot be read through it.`,
    })
  }
  const target = work.entity(reference.ref.entity, at)
  const field = target.field(name.slice(dot + 1), at)
  return {
    field,
    path: [reference.name, field.name],
    title: `${reference.label} · ${field.label}`,
    access: strictest([entity.access(reference.name, view), target.access(field.name)]),
  }
}

/** Whether the plain value at a path may be read: every step decides. What the entity does not have is refused elsewhere. */
export const readableAt = (work: Workspace, entity: EntityReader, name: string, view?: string): boolean => {
  const [first = '', rest] = name.split('.')
  if (!entity.readable(first, view)) return false
  const target = rest === undefined ? undefined : entity.definition(first)?.['x-ref']
  return rest === undefined || target === undefined || !work.entityIfKnown(target) || work.entity(target, '').readable(rest)
}

/** Notes that an id stands twice in a list: the second one would be unreachable. */
export const refuseRepeated = (work: Workspace, seen: Set<string>, id: string, at: string): void => {
  if (!seen.has(id)) {
    seen.add(id)
    return
  }
  work.refuse('duplicate-id', at, { zh: `标识“${id}”重复。`, en: `The id "${id}" is used twice.` }, { value: id })
}

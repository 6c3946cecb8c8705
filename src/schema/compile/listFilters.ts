import { pointer } from '../diagnosis'
import { formatOf } from '../formats'
import type { Filter } from '../generated/page'
import type { FilterModel } from '../model'
import { BlockProblem } from './context'
import type { EntityReader } from './entityReader'
import { findField, FURTHEST, refuseRepeated } from './fieldPath'
import type { Workspace } from './workspace'

/** Fields that an address may compare besides the filters; looked up when one does. */
export const furtherFilters = (work: Workspace, entity: EntityReader, view: string | undefined) => {
  const found = new Map<string, FilterModel | undefined>()
  const look = (name: string): FilterModel | undefined => {
    try {
      const { field, path, title, access } = findField(work, entity, name, '', view)
      const [operator] = field.operators
      if (access === 'hide' || access === 'mask' || operator === undefined) return undefined
      const { filterControl: control } = formatOf(field.kind)
      return { id: name, title, field, path, operator, control, more: true, source: work.source('') }
    } catch (error) {
      if (error instanceof BlockProblem) return undefined
      throw error
    }
  }
  return (name: string): FilterModel | undefined => {
    if (!found.has(name)) found.set(name, look(name))
    return found.get(name)
  }
}

/** Filters; those that are not said are the fields marked with x-filter. */
export const compileFilters = (
  work: Workspace,
  entity: EntityReader,
  filters: readonly Filter[] | undefined,
  at: string,
  roots: readonly string[],
  view?: string,
): FilterModel[] => {
  const filterable = () => entity.marked('x-filter', view).filter((name) => entity.field(name, at).operators.length > 0)
  const given = filters ?? filterable().map((field): Filter => ({ field }))
  const seen = new Set<string>()
  return work.blocks(given, at, (filter, here): FilterModel | undefined => {
    if (!work.allowed(filter.permission)) return undefined
    const { field, path, title, access } = findField(work, entity, filter.field, pointer(here, 'field'), view, FURTHEST)
    if (access === 'hide' || access === 'mask') return undefined
    const id = filter.id ?? filter.field
    refuseRepeated(work, seen, id, here)
    const operator = filter.operator ?? field.operators[0]
    if (operator === undefined || !field.operators.includes(operator)) {
      return work.refuse(
        'field-kind-mismatch',
        filter.operator === undefined ? pointer(here, 'field') : pointer(here, 'operator'),
        field.operators.length === 0
          ? {
              zh: `字段“${field.name}”由计算得出，不能筛选。`,
              en: `The field "${field.name}" is computed and cannot be filtered.`,
            }
          : {
              zh: `字段“${field.name}”不支持“${String(operator)}”，可用：${field.operators.join('、')}。`,
              en: `The field "${field.name}" cannot be filtered with "${String(operator)}"; possible: ${field.operators.join(', ')}.`,
            },
        { value: filter.operator ?? filter.field },
      )
    }
    return {
      id,
      title: work.text(filter.title) ?? title,
      field,
      path,
      operator,
      control: filter.control ?? formatOf(field.kind).filterControl,
      ...(filter.default === undefined ? {} : { default: work.values(filter.default, pointer(here, 'default'), roots) }),
      more: filter.more ?? false,
      source: work.source(here),
    }
  })
}

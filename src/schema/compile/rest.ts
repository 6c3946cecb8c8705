import type { EntityField } from '../generated/entity'
import type { ListBody, ListPage } from '../generated/page'
import type { EntityReader } from './entityReader'

/** Id of the section and of the group that hold the fields which a page does not name. */
export const REST_ID = 'otherFields'

/**
 * Own fields of the entity that a page does not name, in the order of the file: a new field shows everywhere without
 * another file being touched. Left out are internal and retired fields and those that say `x-rest: false`.
 */
export const restOf = (
  entity: EntityReader,
  named: ReadonlySet<string>,
  wanted: (field: EntityField, name: string) => boolean = () => true,
): string[] =>
  Object.entries(entity.document.properties)
    .filter(([name, field]) => !named.has(name) && field['x-rest'] !== false && !field['x-condition'] && !field['x-internal'] && !field['x-retired'])
    .filter(([name, field]) => wanted(field, name))
    .map(([name]) => name)

/** Somebody may type it: it is no state, number, computed or read-only field. */
export const isWritable = (entity: EntityReader, field: EntityField, name: string): boolean =>
  !field.readOnly &&
  field['x-computed'] === undefined &&
  field['x-sequence'] === undefined &&
  !field['x-provided'] &&
  !field['x-condition'] &&
  !(entity.document['x-states'] ?? []).some((state) => state.field === name)

/** Further columns or filters of a list that says its own; what the row view hides or the list has fixed is none. */
export const restOfList = (
  entity: EntityReader,
  document: ListBody | ListPage,
  mark: 'x-list' | 'x-filter',
  given: readonly { field?: string }[] | undefined,
): string[] => {
  if (!given?.length || document.rest === false) return []
  const view = (entity.document['x-views'] ?? []).find(({ id }) => id === document.view)
  const hidden = Object.entries(view?.fieldRules ?? {}).flatMap(([name, rule]) => (rule === 'hide' ? [name] : []))
  const fixed = [...(document.where ?? []), ...(view?.where ?? [])].flatMap(({ field, operator = 'eq' }) =>
    operator === 'eq' ? [field] : [],
  )
  const named = given.flatMap(({ field }) => (field === undefined ? [] : [field]))
  return restOf(entity, new Set([...named, ...hidden, ...fixed]), (field) => field[mark] === true)
}

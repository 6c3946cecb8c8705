import { isByHand } from '../entity'
import type { EntityDocument, Transition } from '../generated/entity'
import type { Action, PageDocument } from '../generated/page'
import type { BilingualText } from '../problem'

/** Everything that the default pages of an entity are made of. */
export interface Site {
  readonly entities: ReadonlyMap<string, EntityDocument>
  /** By module/file. */
  readonly pages: ReadonlyMap<string, PageDocument>
}

/** `srm.supplierAccount` as `srm/supplier-account`. */
export const pageNameOf = (entity: string): string =>
  entity.replace('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The form that saves records of an entity: the one that is named like it, else the only one. */
export function formOf({ pages }: Site, entity: string): string | undefined {
  const named = pageNameOf(entity)
  const forms = [...pages].flatMap(([name, page]) =>
    page.kind === 'form' && page.entity === entity && !page.submit?.call && page.submit?.transition === undefined ? [name] : [],
  )
  return forms.includes(named) || forms.length > 1 ? forms.find((name) => name === named) : forms[0]
}

/** Route of the page that shows one record: the one that is named like the entity, else the only one. */
export function detailPathOf({ pages }: Site, entity: string): string | undefined {
  const named = `${pageNameOf(entity)}-details`
  const details = [...pages].flatMap(([name, page]) =>
    page.kind === 'detail' && page.entity === entity && page.path !== undefined && page.view === undefined
      ? [{ name, path: page.path }]
      : [],
  )
  return details.length === 1 ? details[0]!.path : details.find(({ name }) => name === named)?.path
}

/** The transitions that somebody takes himself, each id once. */
export function movesOf(entity: EntityDocument): Transition[] {
  const moves = (entity['x-states'] ?? []).flatMap(({ transitions }) => transitions)
  return [...new Map(moves.filter(isByHand).map((move) => [move.id, move])).values()]
}

const ADD: BilingualText = { zh: '新增', en: 'Add' }
const EDIT: BilingualText = { zh: '编辑', en: 'Edit' }
const READ_ONLY: BilingualText = { zh: '您只能查看', en: 'You may only read it' }

/** Adds a record by its form, with these values. */
export function addAction(
  site: Site,
  { name, 'x-permissions': keys }: EntityDocument,
  values?: Record<string, string>,
): Action[] {
  const form = formOf(site, name)
  if (keys?.add === undefined || form === undefined) return []
  return [
    {
      id: 'add',
      label: ADD,
      icon: 'plus',
      primary: true,
      form,
      permission: keys.add,
      ...(values === undefined ? {} : { values }),
    },
  ]
}

/** Edits a record, or the record of a row, by its form. */
export function editAction(site: Site, { name, 'x-permissions': keys }: EntityDocument, about: 'record' | 'row'): Action[] {
  const form = keys?.edit === undefined ? undefined : formOf(site, name)
  return form === undefined ? [] : [editBy(form, keys?.edit, about)]
}

/** Edits a record by this form; for whoever may edit, where the entity has a key for it. */
export const editBy = (form: string, key: string | undefined, about: 'record' | 'row'): Action => ({
  ...{ id: 'edit', label: EDIT, icon: 'edit', form, values: { id: `{{ ${about}.id }}` } },
  ...(key === undefined ? {} : { permission: key, disabled: `{{ !${about}.$write }}`, disabledReason: READ_ONLY }),
})

/** What can be done with one record: its transitions, what the entity says beside them, `edit`, deletion. */
export function recordActions(entity: EntityDocument, edit: readonly Action[]): Action[] {
  const said = (entity['x-actions'] ?? []).map(({ id }): Action => ({ id })).filter(({ id }) => id !== 'add')
  const operations: Action[] = entity['x-permissions']?.delete === undefined ? [] : [{ id: 'delete', operation: 'delete' }]
  const own = [...edit, ...operations].map((action) => said.find(({ id }) => id === action.id) ?? action)
  const further = said.filter(({ id }) => !own.some((action) => action.id === id))
  return byId([...movesOf(entity).map(({ id }): Action => ({ id })), ...further, ...own])
}

export const rowActions = (site: Site, entity: EntityDocument): Action[] => recordActions(entity, editAction(site, entity, 'row'))

/** The first of each id. */
export const byId = <T extends { id: string }>(items: readonly T[]): T[] =>
  items.filter(({ id }, index) => items.findIndex((other) => other.id === id) === index)

/**
 * What a page says of a part over its default: what it names comes first in its order, over the default item of that id; the others
 * follow, unless the page says that nothing else does. An empty list is none.
 */
export function over<T extends object>(
  own: readonly T[] | undefined,
  base: readonly T[],
  idOf: (item: T) => string | undefined,
  rest: boolean,
): T[] {
  if (own === undefined) return [...base]
  if (own.length === 0) return []
  const named = new Set(own.map(idOf))
  const laid = own.map((item) => ({ ...base.find((one) => idOf(one) === idOf(item)), ...item }))
  return [...laid, ...(rest ? base.filter((item) => !named.has(idOf(item))) : [])]
}

import { EFFECT_WORDS } from '../compile'
import { renameRoot } from '../expression/rename'
import type { EntityDocument } from '../generated/entity'
import type { Action, ListBody, ListPage, PageDocument } from '../generated/page'
import { isObject } from '../overlay'
import { addAction, editAction, editBy, type Site } from './site'

/** What an action is about, by its name in expressions; undefined at the head of a list. */
type About = 'record' | 'row' | 'rows' | undefined

/**
 * The page with what its actions leave to their entity: one that says no effect is what the entity says of its id in `x-actions`, else the
 * transition of that id (which the compiler takes), else the operation. What the page says of it lies over that.
 */
export function withNamedActions(page: PageDocument, site: Site): PageDocument {
  if (page.kind === 'list') return inList(page, site)
  const entity = page.kind === 'detail' ? site.entities.get(page.entity) : undefined
  if (page.kind !== 'detail' || !entity) return page
  const actions = filled(page.header?.actions, (action) => named(action, entity, 'record', site, page.editForm !== undefined))
  const tabs = filled(page.tabs, (tab) => {
    const list = tab.list && inList(tab.list, site)
    return list === tab.list || !list ? tab : { ...tab, list }
  })
  if (actions === page.header?.actions && tabs === page.tabs) return page
  return { ...page, ...(actions ? { header: { ...page.header, actions } } : {}), ...(tabs ? { tabs } : {}) }
}

function inList<T extends ListBody | ListPage>(list: T, site: Site): T {
  const entity = site.entities.get(list.entity)
  if (!entity) return list
  const places = [
    ['actions', undefined],
    ['rowActions', 'row'],
    ['bulkActions', 'rows'],
  ] as const
  return places.reduce((whole, [place, about]) => {
    const actions = filled(list[place], (action) => named(action, entity, about, site))
    return actions === list[place] ? whole : { ...whole, [place]: actions }
  }, list)
}

/** The same list when nothing of it changes. */
function filled<T>(items: T[] | undefined, fill: (item: T) => T): T[] | undefined {
  const result = items?.map(fill)
  return result?.every((item, index) => item === items?.[index]) ? items : result
}

const saysEffect = (action: Action): boolean => EFFECT_WORDS.some((word) => action[word] !== undefined)

function named(action: Action, entity: EntityDocument, about: About, site: Site, editForm = false): Action {
  // which form edits is all that such an action says: the record is its own
  if (action.id === 'edit' && action.form !== undefined && action.values === undefined && (about === 'record' || about === 'row'))
    return { ...editBy(action.form, entity['x-permissions']?.edit, about), ...action }
  if (saysEffect(action)) return action
  const said = entity['x-actions']?.find(({ id }) => id === action.id)
  const whole = said ? { ...spokenOf(said, about), ...action } : action
  const moves = (entity['x-states'] ?? []).some(({ transitions }) => transitions.some(({ id }) => id === action.id))
  if (moves || saysEffect(whole)) return whole
  const standard = standardOf(whole.id, entity, site, editForm)
  return standard ? { ...spokenOf(standard, about), ...whole } : whole
}

/** What an operation of the entity is where nobody says more. */
function standardOf(id: string, entity: EntityDocument, site: Site, editForm: boolean): Action | undefined {
  if (id === 'add') return addAction(site, entity)[0]
  if (id === 'edit') return editForm ? { id, operation: id } : editAction(site, entity, 'record')[0]
  const known = id === 'delete' || id === 'restore' || id === 'import' || id === 'export'
  return known && entity['x-permissions']?.[id] !== undefined ? { id, operation: id } : undefined
}

/** What is said of a record, said of the row that it is about; of several rows only what speaks of no single one. */
function spokenOf(action: Action, about: About): Action {
  if (about === undefined || about === 'record') return action
  if (about === 'row') return renamed(action) as Action
  const own = Object.entries(action).filter(([, value]) => JSON.stringify(renamed(value)) === JSON.stringify(value))
  return Object.fromEntries(own) as unknown as Action
}

function renamed(value: unknown): unknown {
  if (typeof value === 'string') return renameRoot(value, 'record', 'row')
  if (Array.isArray(value)) return value.map(renamed)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item)])) : value
}

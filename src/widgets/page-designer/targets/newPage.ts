import { explicitPage } from '../../../schema/explicit'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { MenuEntry, ModuleDocument } from '../../../schema/generated/module'
import type { PageDocument } from '../../../schema/generated/page'
import { joinAddress, type Change } from '../../../schema/overlay'
import type { BilingualText } from '../../../schema/problem'

export type NewPageKind = 'list' | 'detail' | 'form'

export interface NewPageTerms {
  kind: NewPageKind
  /** Second half of its name (module/file): letters, digits and hyphens. */
  name: string
  title: BilingualText
  path: string
  /** Key of its menu entry. Without one it stands outside of the menu: everybody who knows the address may open it; data keep their own keys. */
  permission?: string
}

/** Where a new page stands in the menu of a module, and who gets it with the release. */
export interface NewMenuTerms {
  /** Ids of the groups around it, outermost first; empty: the first level. */
  group: readonly string[]
  /** Id of the entry that it stands after; null: first; undefined: last. */
  after?: string | null
  icon?: string
  roles: readonly string[]
}

/** The module that the page of an entity belongs to. */
export const moduleOf = (entity: string): string => entity.slice(0, entity.indexOf('.'))

/** A page of an entity from the template of its kind, with every column, filter and field written down. */
export const newPage = ({ kind, title, path, permission }: NewPageTerms, entity: EntityDocument): PageDocument => {
  const key = permission === undefined || permission === '' ? { detail: true } : { permission }
  const head = { formatVersion: 3 as const, path, title, ...key, entity: entity.name }
  const page: PageDocument =
    kind === 'list'
      ? { ...head, kind }
      : kind === 'detail'
        ? { ...head, kind }
        : { ...head, kind, schema: { type: 'object', properties: {} } }
  return explicitPage(page, { [entity.name]: entity })
}

/** The entries of a menu that hold others or lead nowhere themselves: a page can be put into them. */
export interface MenuGroup {
  /** Ids from the outermost group to this one. */
  ids: readonly string[]
  titles: readonly BilingualText[]
  children: readonly MenuEntry[]
}

/** All groups of a module, its first level as the first one. */
export const groupsOf = (module: ModuleDocument): MenuGroup[] => {
  const below = (entries: readonly MenuEntry[], ids: readonly string[], titles: readonly BilingualText[]): MenuGroup[] =>
    entries.flatMap((entry) => {
      if (entry.path !== undefined && !entry.children) return []
      const group = { ids: [...ids, entry.id], titles: [...titles, entry.title ?? { zh: entry.id, en: entry.id }], children: entry.children ?? [] }
      return [group, ...below(group.children, group.ids, group.titles)]
    })
  return [{ ids: [], titles: [], children: module.menu }, ...below(module.menu, [], [])]
}

/** Id of the menu entry of a page. */
export const entryId = (group: readonly string[], name: string): string => {
  const id = [...group.slice(-1), name].join('.')
  return id.length <= MOST_OF_ID ? id : name
}
const MOST_OF_ID = 60

/** What the document of the module has to learn for the page to stand in its menu. */
export const menuChange = (page: NewPageTerms, { group, after, icon, roles }: NewMenuTerms): Change => ({
  at: joinAddress('', 'menu', ...group.flatMap((id) => [id, 'children'])),
  add: {
    id: entryId(group, page.name),
    title: page.title,
    international: page.permission,
    path: page.path,
    ...(icon === undefined ? {} : { icon }),
    ...(roles.length > 0 ? { roles: [...roles] } : {}),
  },
  ...(after === undefined ? {} : { after }),
})

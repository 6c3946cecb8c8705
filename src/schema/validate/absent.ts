import type { EntityField } from '../generated/entity'
import type { MenuEntry } from '../generated/module'
import type { PageDocument } from '../generated/page'
import type { AcceptedDocument } from './accepted'

/**
 * The documents as they stand without modules that others only use (`uses` of a module) and that are not there: what would show their
 * records or listen to them is left out with the pages below it and the keys of its menu entries, and a field that names one is a text.
 */
export function withoutAbsent(documents: readonly AcceptedDocument[], known: readonly AcceptedDocument[]): AcceptedDocument[] {
  const all = [...known, ...documents]
  const modules = all.flatMap((document) => (document.type === 'module' ? [document.value] : []))
  const present = new Set([
    ...modules.map(({ name }) => name),
    ...all.flatMap((document) => (document.type === 'entity' ? [moduleOf(document.value.name)] : [])),
  ])
  const absent = new Set(modules.flatMap(({ uses = [] }) => uses.filter((name) => !present.has(name))))
  if (absent.size === 0) return [...documents]
  const gone = (entity: unknown): boolean => typeof entity === 'string' && absent.has(moduleOf(entity))
  const paths = pathsGone(documents, gone)
  const declared = new Set(modules.flatMap(({ routes }) => routes.map(({ path }) => path)))
  const opens = (path: string): boolean => !paths.has(path) || declared.has(path)
  const keys = new Set(modules.flatMap(({ menu }) => keysOf(menu, (path) => !opens(path))))
  const left = documents.filter(
    ({ type, value }) =>
      !(type === 'page' && (shows(value, gone) || isBelow(value, paths))) &&
      !(type === 'listener' && gone(value.on)) &&
      !(type === 'process' && asksFor(value.form, gone)),
  )
  return left.map((document): AcceptedDocument => {
    if (document.type === 'entity') {
      const { properties, 'x-participants': participants, 'x-tests': tests } = document.value
      if (!Object.values(properties).some((field) => namesGone(field, gone))) return document
      // an example that begins with records of what is gone cannot be tried
      const tried = tests?.filter(({ given = {} }) => !Object.values(given).some((one) => gone(one.entity)))
      const kept = Object.entries(properties).map(([name, field]) => [name, namesGone(field, gone) ? asText(field, gone) : field])
      // nobody takes part through a record that is gone
      const takePart = participants?.filter(({ through }) =>
        typeof through === 'object' ? !gone(through.rows) : through === undefined || !gone(properties[through]?.['x-ref']),
      )
      return {
        ...document,
        value: {
          ...document.value,
          properties: Object.fromEntries(kept) as typeof properties,
          ...(takePart ? { 'x-participants': takePart } : {}),
          ...(tried ? { 'x-tests': tried } : {}),
        },
      }
    }
    if (document.type === 'page') return { ...document, value: pruned(document.value, { gone, opens }) as typeof document.value }
    if (document.type === 'roles') {
      const roles = document.value.roles.map(({ menus, ...role }) => ({
        ...role,
        ...(menus ? { menus: menus.filter((key) => !keys.has(key)) } : {}),
      }))
      return { ...document, value: { ...document.value, roles } }
    }
    if (document.type !== 'module') return document
    const { menu, routes } = document.value
    const left = routes.filter(({ activeMenu }) => activeMenu === undefined || opens(activeMenu))
    return { ...document, value: { ...document.value, menu: opened(menu, opens), routes: left } }
  })
}

/** Paths of the pages that go: those that show what is gone, and those below them. */
function pathsGone(documents: readonly AcceptedDocument[], gone: (entity: unknown) => boolean): ReadonlySet<string> {
  const pages = documents.flatMap(({ type, value }) => (type === 'page' ? [value] : []))
  const paths = new Set(pages.flatMap((page) => (page.path !== undefined && shows(page, gone) ? [page.path] : [])))
  for (const page of pages) if (page.path !== undefined && isBelow(page, paths)) paths.add(page.path)
  return paths
}

const isBelow = (page: PageDocument, paths: ReadonlySet<string>): boolean =>
  'activeMenu' in page && page.activeMenu !== undefined && paths.has(page.activeMenu)

/** Keys of the menu entries that open nothing any more. */
const keysOf = (menu: readonly MenuEntry[], closed: (path: string) => boolean): string[] =>
  menu.flatMap(({ international, path, children = [] }) => [
    ...(path !== undefined && closed(path) ? [international] : []),
    ...keysOf(children, closed),
  ])

const moduleOf = (entity: string): string => entity.split('.', 1)[0]!

/** `crm.customer.name` names a field of `crm.customer`. */
const copies = ({ 'x-copyOf': from = [] }: EntityField): readonly string[] => (typeof from === 'string' ? [from] : from)

const namesGone = (field: EntityField, gone: (entity: unknown) => boolean): boolean =>
  gone(field['x-ref']) || copies(field).some(gone)

function asText(field: EntityField, gone: (entity: unknown) => boolean): EntityField {
  const { 'x-ref': reference, 'x-onDelete': policy, 'x-onMerge': merged, 'x-copyOf': _from, ...rest } = field
  const from = copies(field).filter((name) => !gone(name))
  return {
    ...rest,
    ...(gone(reference) || reference === undefined ? {} : { 'x-ref': reference }),
    ...(gone(reference) || policy === undefined ? {} : { 'x-onDelete': policy }),
    ...(gone(reference) || merged === undefined ? {} : { 'x-onMerge': merged }),
    ...(from.length > 0 ? { 'x-copyOf': from } : {}),
  } as EntityField
}

/** Names what is gone, in whatever place: nobody could fill such a form. */
function asksFor(value: unknown, gone: (entity: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => gone(inner) || asksFor(inner, gone))
}

/** A page of records that are gone, or a report that counts them, or a widget that is given what they name, too. */
const shows = (page: PageDocument, gone: (entity: unknown) => boolean): boolean =>
  ('entity' in page && gone(page.entity)) ||
  (page.kind === 'widget' && asksFor(page.props, gone)) ||
  (page.kind === 'report' &&
    [...(page.dimensions ?? []), ...(page.measures ?? [])].some((one) => 'entity' in one && gone(one.entity)))

/** What a list has that may have to go: a block of records, or an action that leads to a page. */
type Item = { entity?: unknown; list?: { entity?: unknown }; open?: unknown } | null

/** Without items of lists that name an entity that is gone, show a list of one, or lead to a page that is gone. */
function pruned(value: unknown, left: { gone(entity: unknown): boolean; opens(path: string): boolean }): unknown {
  const { gone, opens } = left
  const goes = (item: Item): boolean =>
    gone(item?.entity) || gone(item?.list?.entity) || (typeof item?.open === 'string' && !opens(item.open.split(/[?#]/, 1)[0]!))
  if (Array.isArray(value)) return (value as Item[]).flatMap((item) => (goes(item) ? [] : [pruned(item, left)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pruned(inner, left)]))
}

const opened = (menu: readonly MenuEntry[], opens: (path: string) => boolean): MenuEntry[] =>
  menu
    .filter(({ path }) => path === undefined || opens(path))
    .map((entry) => (entry.children ? { ...entry, children: opened(entry.children, opens) } : entry))

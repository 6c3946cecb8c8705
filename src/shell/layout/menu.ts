import type { BilingualText, Locale } from '../../schema/problem'
import type { RouteTable } from '../guard/routeTable'

/** A menu resource as the gateway returns it for the signed-in person. */
export interface MenuResource {
  id: string
  name: string
  nameEn?: string | null
  /** Path of the page; empty for groups. */
  router?: string | null
  /** e.g. crm:crm */
  international: string
  icon?: string | null
  /** Whether it shows in the web menu (R300). */
  webShowFlag?: boolean | number | string | null
  children?: readonly MenuResource[] | null
  /** The sub-application that provides the page. */
  iframeName?: string | null
  /** Opens in a new browser tab. */
  newWindow?: boolean | null
  parentId?: string | null
}

export interface MenuNode {
  key: string
  title: BilingualText
  icon: string | null
  /** Absent for groups. */
  path: string | null
  newWindow: boolean
  children: readonly MenuNode[]
}

export interface ModuleMenu {
  name: string
  title: BilingualText
  icon: string | null
  nodes: readonly MenuNode[]
}

/** The modules and entries that the person sees: only what was returned (R299), shown on the web (R300), and whose page exists. */
export function buildMenu(resources: readonly MenuResource[], table: RouteTable): readonly ModuleMenu[] {
  const modules = resources.filter(isShown).flatMap((resource): ModuleMenu[] => {
    const name = resource.international.split(':')[0] ?? resource.international
    const facts = table.module(name)
    const own = resource.router ? buildNodes([{ ...resource, children: [] }], table) : []
    const nodes = [...own, ...buildNodes(resource.children ?? [], table)]
    if (nodes.length === 0) return []
    return [{ name, title: facts?.title ?? titleOf(resource), icon: facts?.icon ?? resource.icon ?? null, nodes }]
  })
  const sort = (name: string) => table.module(name)?.sort ?? Number.MAX_SAFE_INTEGER
  return modules
    .map((item, index) => ({ item, index }))
    .sort((a, b) => sort(a.item.name) - sort(b.item.name) || a.index - b.index)
    .map(({ item }) => item)
}

function buildNodes(resources: readonly MenuResource[], table: RouteTable): readonly MenuNode[] {
  return resources.filter(isShown).flatMap((resource): MenuNode[] => {
    const children = buildNodes(resource.children ?? [], table)
    const path = resource.router || null
    const route = path === null ? null : table.route(path)
    const isThere = route === null || (route.page !== null && !route.detail) || route.redirect !== undefined
    const hasPage = path !== null && (isThere || Boolean(resource.iframeName))
    if (children.length === 0 && !hasPage) return []
    return [
      {
        key: resource.international || resource.id,
        title: route?.title ?? titleOf(resource),
        icon: resource.icon ?? null,
        path: hasPage && children.length === 0 ? path : null,
        newWindow: resource.newWindow === true,
        children,
      },
    ]
  })
}

/** Names of the modules that the menu answer holds, in capitals: those outside the portal (R071) show only by it (R299). */
export const moduleNames = (resources: readonly MenuResource[]): ReadonlySet<string> =>
  new Set(resources.filter(isShown).map(({ international }) => (international.split(':')[0] ?? '').toUpperCase()))

const isShown = (resource: MenuResource): boolean => ![false, 0, '0', 'false'].includes(resource.webShowFlag ?? true)

const titleOf = (resource: MenuResource): BilingualText => ({ zh: resource.name, en: resource.nameEn || resource.name })

/** All entries with a page, in menu order, with the titles of the groups above them. */
export interface MenuEntry {
  path: string
  title: BilingualText
  trail: readonly BilingualText[]
  module: string
  newWindow: boolean
}

export function entriesOf(menus: readonly ModuleMenu[]): readonly MenuEntry[] {
  const walk = (nodes: readonly MenuNode[], trail: readonly BilingualText[], module: string): MenuEntry[] =>
    nodes.flatMap((node) =>
      node.path === null
        ? walk(node.children, [...trail, node.title], module)
        : [{ path: node.path, title: node.title, trail, module, newWindow: node.newWindow }],
    )
  return menus.flatMap((menu) => walk(menu.nodes, [menu.title], menu.name))
}

/** Search in both languages: every word of the text stands somewhere in a title or its trail; titles that start with it first. */
export function searchEntries(entries: readonly MenuEntry[], text: string, locale: Locale): readonly MenuEntry[] {
  const words = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const both = (title: BilingualText) => `${title.zh} ${title.en}`.toLocaleLowerCase()
  const rank = (entry: MenuEntry) => {
    const first = words[0] ?? ''
    if (entry.title[locale].toLocaleLowerCase().startsWith(first)) return 0
    return words.every((word) => both(entry.title).includes(word)) ? 1 : 2
  }
  return entries
    .filter((entry) => {
      const all = [both(entry.title), ...entry.trail.map(both)].join(' ')
      return words.every((word) => all.includes(word))
    })
    .map((entry, index) => ({ entry, index, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry)
}

/** The menu entry that an address highlights: itself, its parent entry, or the longest entry above it (R039). */
export function highlightedPath(entries: readonly MenuEntry[], path: string, activeMenu: string | undefined): string | null {
  const paths = new Set(entries.map((entry) => entry.path))
  if (paths.has(path)) return path
  if (activeMenu !== undefined && paths.has(activeMenu)) return activeMenu
  let best: string | null = null
  for (const candidate of paths) if (path.startsWith(`${candidate}/`) && candidate.length > (best?.length ?? 0)) best = candidate
  return best
}

/** Whether the entry of a path opens in a new browser tab. */
export const opensNewWindow = (nodes: readonly MenuNode[], path: string): boolean =>
  nodes.some((node) => (node.path === path && node.newWindow) || opensNewWindow(node.children, path))

/** Keys of the groups above a path, outermost first. */
export function groupsAbove(nodes: readonly MenuNode[], path: string): readonly string[] {
  for (const node of nodes) {
    if (node.path === path) return []
    if (node.children.length > 0) {
      if (contains(node, path)) return [node.key, ...groupsAbove(node.children, path)]
    }
  }
  return []
}

const contains = (node: MenuNode, path: string): boolean =>
  node.path === path || node.children.some((child) => contains(child, path))

import type { Locale } from '../platform/http'
import type { MenuRow } from './store'

/** A menu resource as the portal gets it (R144), with its parts below it. */
export interface MenuNode {
  id: string
  /** In the caller's language. */
  name: string
  nameZh: string
  nameEn: string | null
  router: string | null
  international: string
  icon: string | null
  kind: string
  webShowFlag: boolean
  newWindow: boolean
  iframeName: string | null
  parentId: string | null
  children: MenuNode[]
}

/** The granted resources and the groups above them, as a tree in menu order. A group without anything granted is left out. */
export function menuTree(menus: readonly MenuRow[], granted: (menu: MenuRow) => boolean, locale: Locale): MenuNode[] {
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const shown = new Set<string>()
  for (const menu of menus) {
    if (!granted(menu)) continue
    for (let current: MenuRow | undefined = menu; current && !shown.has(current.id); current = byId.get(current.parentId ?? ''))
      shown.add(current.id)
  }
  const nodes = new Map(menus.filter((menu) => shown.has(menu.id)).map((menu) => [menu.id, nodeOf(menu, locale)]))
  const roots: MenuNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parentId ?? '')
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  return roots
}

export function nodeOf(menu: MenuRow, locale: Locale): MenuNode {
  return {
    id: menu.id,
    name: locale === 'en' && menu.nameEn ? menu.nameEn : menu.name,
    nameZh: menu.name,
    nameEn: menu.nameEn,
    router: menu.router,
    international: menu.international,
    icon: menu.icon,
    kind: menu.kind,
    webShowFlag: menu.webShowFlag !== false,
    newWindow: menu.newWindow === true,
    iframeName: menu.iframeName,
    parentId: menu.parentId,
    children: [],
  }
}

import type { RouteTable } from './routeTable'

/** Routers and permission keys of the signed-in person, as the gateway returned them (R298, R301). */
export interface Rights {
  /** Paths of the menu resources. */
  routers: ReadonlySet<string>
  /** International keys of menu and button resources. */
  keys: ReadonlySet<string>
  /** Sub-applications by the path of the menu resource that names them, with the module that the entry is in. */
  embeds?: ReadonlyMap<string, MenuEmbed>
}

export interface MenuEmbed {
  iframeName: string
  module: string
}

/** After a failed load the person has none (R382). */
export const NO_RIGHTS: Rights = { routers: new Set(), keys: new Set() }

/** Always allowed without a resource check (R045). */
export const ALWAYS_ALLOWED: readonly string[] = ['/home', '/login', '/authorize', '/refresh', '/ddNotice']

/** Open to signed-out visitors (R186). */
export const isOpenPath = (path: string): boolean => path === '/login' || path === '/authorize' || isBelow(path, '/offerManage')

export const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`)

/** The sub-application that a menu resource names for an address or for one above it; the longest wins. */
export function embedAt(path: string, { embeds }: Rights): (MenuEmbed & { exact: boolean }) | null {
  let best = ''
  for (const router of embeds?.keys() ?? []) if (isBelow(path, router) && router.length > best.length) best = router
  const found = embeds?.get(best)
  return found === undefined ? null : { ...found, exact: best === path }
}

/** The four conditions under which a page is shown (R261-R264). */
export function mayOpen(table: RouteTable, path: string, rights: Rights): boolean {
  if (ALWAYS_ALLOWED.includes(path)) return true
  const route = table.route(path)
  if (route === null || route.detail) return true
  return rights.routers.has(route.path) || (route.activeMenu !== undefined && rights.routers.has(route.activeMenu))
}

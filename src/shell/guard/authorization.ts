import type { RouteTable } from './routeTable'

/** Routers and permission keys of the signed-in person, as the gateway returned them (R298, R301). */
export interface Rights {
  /** Paths of the menu resources. */
  routers: ReadonlySet<string>
  /** International keys of menu and button resources. */
  keys: ReadonlySet<string>
}

/** After a failed load the person has none (R382). */
export const NO_RIGHTS: Rights = { routers: new Set(), keys: new Set() }

/** Always allowed without a resource check (R045). */
export const ALWAYS_ALLOWED: readonly string[] = ['/home', '/login', '/authorize', '/refresh', '/ddNotice']

/** Open to signed-out visitors (R186). */
export const isOpenPath = (path: string): boolean => path === '/login' || path === '/authorize' || isBelow(path, '/offerManage')

export const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`)

/** The four conditions under which a page is shown (R261-R264). */
export function mayOpen(table: RouteTable, path: string, rights: Rights): boolean {
  if (ALWAYS_ALLOWED.includes(path)) return true
  const route = table.route(path)
  if (route === null || route.detail) return true
  return rights.routers.has(route.path) || (route.activeMenu !== undefined && rights.routers.has(route.activeMenu))
}

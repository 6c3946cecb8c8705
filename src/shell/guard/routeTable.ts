import type { ModuleFacts, RouteFacts, RouteFactsTable } from '../../schema/routes'

export interface RouteTableData extends RouteFactsTable {
  revision: string
}

/** What an address means. */
export type RouteMatch =
  | { kind: 'route'; route: RouteFacts }
  | { kind: 'redirect'; to: string }
  /** Below a module, yet not in its table: the embedded sub-application answers (R035, R036). */
  | { kind: 'embed'; module: ModuleFacts; iframeName: string; bookmark: boolean }
  | { kind: 'unknown' }

export interface RouteTable {
  readonly data: RouteTableData
  match(path: string): RouteMatch
  route(path: string): RouteFacts | null
  module(name: string): ModuleFacts | null
}

export function createRouteTable(data: RouteTableData): RouteTable {
  const exact = new Map<string, RouteFacts>()
  const aliases = new Map<string, string>()
  const catchAlls = new Set<string>()
  const modules = new Map(data.modules.map((item) => [item.name, item]))
  for (const route of data.routes) {
    const star = /^\/([^/:]+)\/:[^/]+\*$/.exec(route.path)
    if (star?.[1] !== undefined) catchAlls.add(star[1])
    else if (!route.path.includes(':')) exact.set(route.path, route)
    for (const alias of route.aliases ?? []) aliases.set(alias, route.path)
  }
  return {
    data,
    route: (path) => exact.get(clean(path)) ?? null,
    module: (name) => modules.get(name) ?? null,
    match(input) {
      const path = clean(input)
      const route = exact.get(path)
      const target = route?.redirect ?? (route === undefined ? aliases.get(path) : undefined)
      if (target !== undefined && target !== path) return { kind: 'redirect', to: target }
      const name = path.split('/')[1] ?? ''
      const module = modules.get(name)
      if (route !== undefined && !(route.kind === 'embed' && route.page === null)) return { kind: 'route', route }
      if (module !== undefined && (catchAlls.has(name) || (route !== undefined && module.embed !== undefined))) {
        return { kind: 'embed', module, iframeName: module.embed ?? name, bookmark: route?.bookmark ?? true }
      }
      return route === undefined ? { kind: 'unknown' } : { kind: 'route', route }
    },
  }
}

/** Without a slash at the end. */
const clean = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/** Checks an answer or a kept copy before the portal relies on it. */
export function isRouteTableData(value: unknown): value is RouteTableData {
  if (typeof value !== 'object' || value === null) return false
  const { modules, routes } = value as Partial<Record<keyof RouteTableData, unknown>>
  return (
    Array.isArray(modules) &&
    Array.isArray(routes) &&
    routes.every(
      (route: unknown) => typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string',
    ) &&
    modules.every((module: unknown) => typeof module === 'object' && module !== null && 'name' in module)
  )
}

import { openSchemaRegistry } from '../../gateway/pages'
import type { MenuEntry, Route } from '../../src/schema/generated/module'
import { segmentOf } from '../../src/schema/routes'

export const registry = await openSchemaRegistry('schemas')
export const { modules } = registry
const places = modules.flatMap((module) => module.routes.map((route) => ({ ...route, module: segmentOf(module) })))
const declared = new Set(places.map(({ path }) => path))
/** Places without a page, and pages, which say themselves where they are. */
export const routes: readonly (Route & { module: string })[] = [
  ...places,
  ...registry.routes.routes
    .filter(({ path }) => !declared.has(path))
    .map(({ aliases, ...facts }) => ({ ...facts, ...(aliases ? { aliases: [...aliases] } : {}) })),
]
export const byPath = new Map(routes.map((route) => [route.path, route]))
export const entriesOf = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => [entry, ...entriesOf(entry.children ?? [])])
export const entries = modules.flatMap(({ menu }) => entriesOf(menu))

export const at = (path: string): Route & { module: string } => {
  const found = byPath.get(path)
  if (!found) throw new Error(`There is no route ${path}`)
  return found
}
export const isDetail = (path: string): boolean => (at(path).detail ?? at(path).kind === 'detail') && at(path).menu !== true
export const under = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}/${name}`)
export const below = (prefix: string): string[] => [...byPath.keys()].filter((path) => path.startsWith(`${prefix}/`))
export const inMenu = (path: string): boolean => entries.some((entry) => entry.path === path)

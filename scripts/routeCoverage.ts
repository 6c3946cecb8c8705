import type { RouteFacts, RouteFactsTable } from '../src/schema/routes'

/** The routes of a module: how many there are in all, and those where only a placeholder is shown. */
export interface ModuleRoutes {
  module: string
  routes: number
  missing: readonly RouteFacts[]
}

/**
 * Routes without a page, by module in the order of the top navigation. A redirect shows nothing itself, and the portal shows what is
 * of the kind `shell` or, without a page, `embed` (the sub-application behind a module's catch-all, R035): they do not count.
 */
export function placeholders({ modules, routes }: RouteFactsTable): ModuleRoutes[] {
  const counted = routes.filter(
    ({ kind, redirect, page }) => kind !== 'shell' && redirect === undefined && !(kind === 'embed' && page === null),
  )
  return modules.flatMap(({ name }) => {
    const own = counted.filter(({ module }) => module === name)
    return own.length === 0 ? [] : [{ module: name, routes: own.length, missing: own.filter(({ page }) => page === null) }]
  })
}

import { expect, it } from 'vitest'
import { placeholders } from '../../../scripts/routeCoverage'
import type { RouteFacts, RouteFactsTable } from '../../../src/schema/routes'

const route = (module: string, name: string, more: Partial<RouteFacts> = {}): RouteFacts => ({
  path: `/${module}/${name}`,
  module,
  title: { zh: '页', en: 'Page' },
  kind: 'list',
  menu: true,
  single: false,
  bookmark: true,
  aside: true,
  detail: false,
  page: null,
  ...more,
})
const table = (routes: RouteFacts[], ...modules: string[]): RouteFactsTable => ({
  modules: modules.map((name, sort) => ({ name, title: { zh: name, en: name }, sort })),
  routes,
})

it('A route without a page is missing; redirects and what the portal shows itself are not counted, nor are modules without routes', () => {
  const routes = [
    route('b', 'stands', { page: 'b/stands' }),
    route('b', 'missing'),
    route('a', 'moved', { redirect: '/b/stands' }),
    route('a', 'login', { kind: 'shell' }),
    route('a', ':page*', { kind: 'embed' }),
    route('a', 'stands', { page: 'x/stands' }),
  ]
  const found = placeholders(table(routes, 'b', 'a', 'none'))
  expect(found.map(({ module, routes: count, missing }) => [module, count, missing.map(({ path }) => path)])).toEqual([
    ['b', 2, ['/b/missing']],
    ['a', 1, []],
  ])
})

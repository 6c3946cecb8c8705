import type { MenuEntry, ModuleDocument, Route } from '../../src/schema/generated/module'
import type { PageDocument } from '../../src/schema/generated/page'
import { segmentOf, type RouteFacts, type RouteFactsTable } from '../../src/schema/routes'

export interface RegisteredPage {
  /** module/file, e.g. crm/follow-up. */
  name: string
  /** File of the page. */
  where: string
  document: PageDocument
}

/** A page that does not say otherwise shows the record of `id`. */
const RECORD = '{{ query.id }}'
const PARAMETER = /^\{\{\s*query\.([A-Za-z_$][\w$]*)\s*\}\}$/
const LAST = Number.MAX_SAFE_INTEGER

/** One table from the modules' routes and from the pages: a page's own facts win, a page without a route adds one. */
export function makeRouteTable(modules: readonly ModuleDocument[], pages: readonly RegisteredPage[]): RouteFactsTable {
  const pageAt = new Map(pages.flatMap((page) => (page.document.path === undefined ? [] : [[page.document.path, page] as const])))
  const resources = new Map(
    modules.flatMap(({ menu }) => [...flatten(menu)]).flatMap((entry) => (entry.path ? [[entry.path, entry.international]] : [])),
  )
  const segments = new Map(modules.map((module) => [module.name, segmentOf(module)]))
  const declared = modules.flatMap((module) =>
    module.routes.map((route) => factsOf(segmentOf(module), route, pageAt.get(route.path), resources.get(route.path))),
  )
  const known = new Set(declared.map(({ path }) => path))
  const added = [...pageAt.values()]
    .filter(({ document }) => !known.has(document.path ?? ''))
    .map((page) => factsOf(moduleOf(page, segments), undefined, page, resources.get(page.document.path ?? '')))
  return {
    modules: modules
      .map(({ title, icon, sort, international, embed, ...module }) => ({
        name: segmentOf(module),
        title,
        ...(icon === undefined ? {} : { icon }),
        sort: sort ?? LAST,
        ...(international === undefined ? {} : { international }),
        ...(embed === undefined ? {} : { embed }),
      }))
      .sort((a, b) => a.sort - b.sort),
    routes: [...declared, ...added],
  }
}

/** Modules whose menu entries all say what they are called: one that does not is called like its page, or the place of one. */
export function withTitles(modules: readonly ModuleDocument[], pages: readonly RegisteredPage[]): ModuleDocument[] {
  const titles = new Map([
    ...modules.flatMap(({ routes }) => routes.map(({ path, title }) => [path, title] as const)),
    ...pages.flatMap(({ document: { path, title } }) => (path === undefined ? [] : [[path, title] as const])),
  ])
  const titled = (entry: MenuEntry): MenuEntry => ({
    ...entry,
    title: entry.title ?? titles.get(entry.path ?? '') ?? { zh: entry.id, en: entry.id },
    ...(entry.children ? { children: entry.children.map(titled) } : {}),
  })
  return modules.map((module) => ({ ...module, menu: module.menu.map(titled) }))
}

/** Every entry of a menu tree, parents first. */
export function* flatten(menu: readonly MenuEntry[]): Generator<MenuEntry> {
  for (const entry of menu) {
    yield entry
    yield* flatten(entry.children ?? [])
  }
}

function factsOf(
  module: string,
  route: Route | undefined,
  page: RegisteredPage | undefined,
  resource: string | undefined,
): RouteFacts {
  const document: Partial<PageDocument> = page?.document ?? {}
  const detail = document.detail ?? route?.detail ?? (document.kind ?? route?.kind) === 'detail'
  const permission = detail ? undefined : (document.permission ?? resource)
  const activeMenu = document.activeMenu ?? route?.activeMenu
  const titleFrom = document.titleFrom ?? route?.titleFrom
  const record = page === undefined ? undefined : recordOf(page.document)
  return {
    path: document.path ?? route?.path ?? '',
    module,
    title: document.title ?? route?.title ?? { zh: '', en: '' },
    kind: document.kind ?? route?.kind ?? '',
    menu: (route?.menu ?? resource !== undefined) && page !== undefined && document.hidden !== true && !detail,
    ...(activeMenu === undefined ? {} : { activeMenu }),
    single: document.single ?? route?.single ?? false,
    bookmark: document.bookmark ?? route?.bookmark ?? true,
    aside: document.aside ?? route?.aside ?? true,
    detail,
    ...(permission === undefined ? {} : { permission }),
    ...(route?.aliases ? { aliases: route.aliases } : {}),
    ...(route?.redirect === undefined ? {} : { redirect: route.redirect }),
    ...(titleFrom === undefined ? {} : { titleFrom }),
    ...(record === undefined ? {} : { record }),
    page: page?.name ?? null,
  }
}

/** The query parameter by which a page finds its record; undefined when there is none, or more than a parameter says it. */
const recordOf = (document: PageDocument): string | undefined =>
  document.kind === 'detail' || document.kind === 'form' ? PARAMETER.exec(document.record ?? RECORD)?.[1] : undefined

/** The module of a page without a declared route: the first segment of its address, else that of the folder of its file. */
function moduleOf(page: RegisteredPage, segments: ReadonlyMap<string, string>): string {
  const segment = page.document.path?.split('/')[1] ?? ''
  const folder = page.name.split('/')[0] ?? ''
  return [...segments.values()].includes(segment) ? segment : (segments.get(folder) ?? folder)
}

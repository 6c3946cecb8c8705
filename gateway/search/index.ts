import type { FastifyInstance } from 'fastify'
import type { RouteFacts } from '../../src/schema/routes'
import type { EntityEngine, SearchTarget } from '../entities'
import type { SchemaRegistry } from '../pages'
import { flatten } from '../pages'
import { can, contextOf, ok, type RequestContext, type Text } from '../platform/http'

const LONGEST = 100

interface SearchParts {
  engine: EntityEngine
  schemas: Pick<SchemaRegistry, 'pages' | 'routes' | 'modules' | 'snapshot'>
}

/** `POST /v2/sys/search`: records of all entities whose pages the caller may open. Nobody needs a key for it: every entity asks for its own. */
export function registerSearch(app: FastifyInstance, { engine, schemas }: SearchParts): void {
  app.post<{ Body: { text: string } }>(
    '/v2/sys/search',
    {
      schema: {
        tags: ['search'],
        summary: 'Find records by name, code, phone, mail, pinyin or initials',
        body: {
          type: 'object',
          required: ['text'],
          properties: {
            text: { type: 'string', maxLength: LONGEST, description: 'What is looked for; two characters or more' },
          },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const text = request.body.text
      return ok(await engine.search(context, text, targetsOf(engine, schemas.snapshot(false), context)))
    },
  )
  app.get(
    '/v2/sys/search/actions',
    {
      schema: { tags: ['search'], summary: 'What the caller may make: the form of a new record, and its page where it has one' },
    },
    async (request) => ok(actionsOf(engine, schemas.snapshot(false), contextOf(request))),
  )
}

/** What somebody may begin from anywhere: the form of a new record, and the page on which it stands where it has one. */
interface StartAction {
  entity: string
  label: Text
  form?: string
  path?: string
}

/** The main actions of the lists that are open to somebody, where they lead to the form of a record of the list. */
function actionsOf(engine: EntityEngine, schemas: SearchParts['schemas'], context: RequestContext): StartAction[] {
  const { lists, forms } = openPages(schemas, context)
  const known = new Set(engine.names())
  const found = new Map<string, StartAction>()
  for (const { document } of lists) {
    if (document.kind !== 'list' || !known.has(document.entity)) continue
    for (const { id, label, primary, permission, open, form } of document.actions ?? []) {
      const name = form ?? [...forms].find(([, one]) => one.path !== undefined && one.path === open)?.[0]
      const page = name === undefined ? undefined : forms.get(name)
      const path = page?.path ?? open
      if (!(primary || id === 'add') || (path !== undefined && !/^\/[\w/-]+$/.test(path))) continue
      const key = permission ?? engine.model(document.entity).permissions.add
      const keys = [key, page?.permission].filter((one) => one !== undefined)
      const said = label ?? page?.title
      const place = path ?? name
      if (!said || place === undefined || found.has(place) || !keys.every((one) => can(context, one))) continue
      found.set(place, {
        entity: document.entity,
        label: said,
        ...(name === undefined ? {} : { form: name }),
        ...(path === undefined ? {} : { path }),
      })
    }
  }
  return [...found.values()]
}

/** Lists that are open to somebody, in the order of the menu, and the forms by their names. */
function openPages({ pages, routes, modules }: SearchParts['schemas'], context: RequestContext) {
  const facts = new Map(routes.routes.map((route) => [route.path, route]))
  const place = new Map(modules.flatMap(({ menu }) => [...flatten(menu)]).map(({ path }, index) => [path ?? '', index]))
  const placeOf = (route: RouteFacts): number => place.get(route.path) ?? place.get(route.activeMenu ?? '') ?? place.size
  const routed = pages.flatMap(({ document }) => {
    const route = document.path === undefined ? undefined : facts.get(document.path)
    return route ? [{ document, route }] : []
  })
  const isOpen = ({ permission }: RouteFacts): boolean => permission === undefined || can(context, permission)
  return {
    routed,
    lists: routed
      .filter(({ document, route }) => document.kind === 'list' && isOpen(route))
      .sort((a, b) => placeOf(a.route) - placeOf(b.route)),
    forms: new Map(pages.flatMap(({ name, document }) => (document.kind === 'form' ? [[name, document]] : []))),
  }
}

/**
 * What somebody may search: entities with a list that is open to him and a page that shows a record; rows of a pool on the page beside the
 * list of the pool. Records without a page of their own, like contacts, open that of the record that they belong to. In the order of the menu.
 */
function targetsOf(engine: EntityEngine, schemas: SearchParts['schemas'], context: RequestContext): SearchTarget[] {
  const { routed, lists } = openPages(schemas, context)
  // the shortest address is that of the page for all records, others are for some of them
  const details = routed
    .flatMap(({ document, route }) =>
      document.kind === 'detail' && route.record !== undefined ? [{ route, entity: document.entity, view: document.view }] : [],
    )
    .sort((a, b) => a.route.path.length - b.route.path.length)
  const targets = new Map<string, SearchTarget>()
  const add = (key: string, entity: string, { path, record = 'id' }: RouteFacts, view?: string) => {
    if (!targets.has(key)) targets.set(key, { entity, view, open: (id) => `${path}?${new URLSearchParams({ [record]: id })}` })
  }
  const known = new Set(engine.names())
  const named = lists.flatMap(({ document, route }) =>
    document.kind === 'list' && known.has(document.entity) ? [{ route, entity: document.entity, view: document.view }] : [],
  )
  const isPool = ({ entity, view }: (typeof named)[number]): boolean =>
    view !== undefined && engine.model(entity).views.get(view)?.scope === 'pool'
  const besides = ({ entity, route }: (typeof named)[number]) =>
    details.find((page) => page.entity === entity && page.route.path.startsWith(`${route.path}/`))
  for (const list of named) {
    const { entity, view } = list
    const own = isPool(list) ? besides(list) : undefined
    if (own) add(`${entity} ${view}`, entity, own.route, view)
    const lists = named.filter((one) => one.entity === entity && !isPool(one))
    const page =
      lists.map(besides).find((one) => one !== undefined) ??
      details.find((one) => one.entity === entity && one.view === undefined)
    if (page) add(entity, entity, page.route)
  }
  const shown = new Set(details.map(({ entity }) => entity))
  const parts = [...known].flatMap((entity) => {
    const { scope } = engine.model(entity)
    return scope.kind === 'parent' && !shown.has(entity) ? [{ entity, through: scope.field, parent: scope.entity }] : []
  })
  return [...targets].flatMap(([key, target]) => [
    target,
    ...parts.filter(({ parent }) => parent === key).map(({ entity, through }) => ({ entity, open: target.open, through })),
  ])
}

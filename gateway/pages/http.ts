import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, compressKept, contextOf, keptEncoding, ok, ServiceError, type RequestContext } from '../platform/http'
import type { PageBundle } from './bundle'
import { guardForms } from './forms/guard'
import type { FormMemory } from './forms/memory'
import type { SchemaRegistry } from './registry'
import type { RegisteredPage } from './routes'
import type { PageDocument } from '../../src/schema/generated/page'

interface Prepared {
  revision: string
  etag: string
  body: string
  /** The body as most browsers take it, made for the first of them: after a release all ask at once. */
  compressed: { br?: Promise<Buffer>; gzip?: Promise<Buffer> }
}

const prepare = (revision: string, data: unknown): Prepared => ({
  revision,
  etag: `"${revision}"`,
  body: JSON.stringify(ok(data)),
  compressed: {},
})

const REVISION_HEADER = 'x-schema-revision'

/** Of one page: a rule has a few exceptions, and roles a few rules, not one a person. */
const MOST_ADAPTATIONS = 50

/** `key` names the difference: the same key over the same page is the same page. */
interface Adapted {
  key: string
  page: () => PageDocument
}

/** Answers of one state of the schemas, each made once. */
class Answers {
  readonly routes: Prepared
  readonly detailPages: ReadonlySet<string>
  private readonly bundles = new WeakMap<PageBundle, Prepared>()
  private readonly adaptations = new WeakMap<PageBundle, Map<string, Prepared>>()

  constructor({ routes, routesRevision }: SchemaRegistry) {
    this.routes = prepare(routesRevision, { revision: routesRevision, ...routes })
    this.detailPages = new Set(routes.routes.flatMap(({ page, detail }) => (detail && page !== null ? [page] : [])))
  }

  /** The bundle for one person: another page, rules about fields, or starts that are closed to him. The same difference is the same answer. */
  adapted(
    bundle: PageBundle,
    adapted: Adapted | null,
    fieldRules: Readonly<Record<string, string>>,
    closedStarts: readonly string[],
  ): Prepared {
    const ruled = Object.keys(fieldRules).length > 0
    const closed = closedStarts.length > 0
    if (!adapted && !ruled && !closed) return this.bundle(bundle)
    const key = `${adapted?.key ?? ''} ${ruled ? JSON.stringify(fieldRules) : ''}${closed ? ` ${closedStarts.join(' ')}` : ''}`
    const known = this.adaptations.get(bundle) ?? new Map<string, Prepared>()
    this.adaptations.set(bundle, known)
    const found = known.get(key)
    if (found) return found
    const revision = `sha256-${createHash('sha256').update(`${bundle.revision} ${key}`).digest('base64url')}`
    const made = prepare(revision, {
      ...bundle,
      revision,
      ...(adapted ? { page: adapted.page() } : {}),
      ...(ruled ? { fieldRules } : {}),
      ...(closed ? { closedStarts } : {}),
    })
    if (known.size >= MOST_ADAPTATIONS) known.clear()
    known.set(key, made)
    return made
  }

  private bundle(bundle: PageBundle): Prepared {
    const known = this.bundles.get(bundle)
    if (known) return known
    const made = prepare(bundle.revision, bundle)
    this.bundles.set(bundle, made)
    return made
  }
}

/** A page as one person gets it where a rule of a module says so; null = as it is. */
export type AdaptPage = (page: PageDocument, context: RequestContext) => Promise<Adapted | null>

interface PageOptions {
  grayHeader?: string
  adapt?: AdaptPage
  /** By `entity.field`: what the caller may not simply write of these entities. */
  fieldRules?(context: RequestContext, entities: readonly string[]): Readonly<Record<string, string>>
  /** Addresses that start a process which the caller may not start, for a page with actions that do. */
  closedStarts?(context: RequestContext, bundle: PageBundle): Promise<readonly string[]>
  /** Holds submitted forms against the revision that they were opened with. */
  forms?: FormMemory
}

/** What other calls have of the serving of pages. */
interface PageServing {
  revisionFor(request: FastifyRequest, page: RegisteredPage): Promise<string>
  /** The documents as they stand for whoever asks: gray browsers have their own. */
  schemasFor(request: FastifyRequest): SchemaRegistry
}

/**
 * `GET /v2/sys/page/routes` and `GET /v2/sys/page/bundle`: answers are made once and revalidated with their ETag. Who sends
 * the gray header gets what is released to gray browsers; somebody with a role that has a page of its own gets that.
 */
export function servePages(
  app: FastifyInstance,
  schemas: SchemaRegistry,
  { grayHeader = 'x-gray-version', adapt, fieldRules, closedStarts, forms }: PageOptions = {},
): PageServing {
  const made = new WeakMap<SchemaRegistry, Answers>()
  const answersOf = (registry: SchemaRegistry): Answers => {
    const known = made.get(registry)
    if (known) return known
    const answers = new Answers(registry)
    made.set(registry, answers)
    return answers
  }
  // A browser whose stream is down learns of a release with its next answer.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.url.startsWith('/v2/')) reply.header(REVISION_HEADER, registryFor(request).revision)
    done(null, payload)
  })
  const isGray = (request: FastifyRequest): boolean => Boolean(request.headers[grayHeader])
  const registryFor = (request: FastifyRequest): SchemaRegistry => schemas.snapshot(isGray(request))

  app.get(
    '/v2/sys/page/routes',
    { schema: { tags: ['pages'], summary: 'The route table and the modules of the portal' } },
    (request, reply) => answer(request, reply, answersOf(registryFor(request)).routes),
  )

  app.get<{ Querystring: { path?: string; name?: string; before?: string; early?: boolean } }>(
    '/v2/sys/page/bundle',
    {
      schema: {
        tags: ['pages'],
        summary: 'A page with its entities and dictionaries',
        querystring: {
          type: 'object',
          properties: {
            path: { type: 'string', maxLength: 300, description: 'Its route' },
            name: { type: 'string', maxLength: 200, description: 'module/file' },
            before: {
              type: 'string',
              maxLength: 80,
              description: 'A revision that the browser cannot show: while it stands, the one before it is answered',
            },
            early: {
              type: 'boolean',
              description: 'Asked before it is known whether the page is there and permitted: if not, the answer is 204',
            },
          },
          additionalProperties: false,
        },
      },
    },
    async (request, reply) => {
      const registry = registryFor(request)
      const answers = answersOf(registry)
      const context = contextOf(request)
      const wanted = request.query.path ?? request.query.name
      const page = wanted === undefined ? undefined : registry.page(wanted)
      const { early = false } = request.query
      if (!page && early) return reply.status(204).send()
      if (!page) throw new ServiceError('notFound', { message: missing(wanted) })
      const { permission } = page.document
      // Detail pages are permitted whatever the resources are (R050); their data has its own check.
      if (permission !== undefined && !answers.detailPages.has(page.name) && !can(context, permission)) {
        if (early) return reply.status(204).send()
        throw new ServiceError('noPermission', { data: { permission } })
      }
      const made = await pageOrBefore(request, page)
      if (made.isForm) await forms?.note(page.name, made.prepared.revision, made.shown, made.rules)
      return answer(request, reply, made.prepared)
    },
  )

  async function pageOrBefore(request: FastifyRequest<{ Querystring: { before?: string } }>, page: RegisteredPage) {
    const stands = await pageFor(request, page)
    if (request.query.before === undefined || request.query.before !== stands.prepared.revision) return stands
    const roles = new Set(contextOf(request).user.roleCodes)
    const registry = await schemas.before(page, roles, isGray(request))
    const then = registry?.page(page.name)
    if (!registry || !then) throw new ServiceError('notFound', { message: NOTHING_BEFORE })
    return pageFor(request, then, registry)
  }

  /** The page as the caller gets it. */
  async function pageFor(request: FastifyRequest, page: RegisteredPage, registry = registryFor(request)) {
    const context = contextOf(request)
    const bundle = registry.bundle(page, new Set(context.user.roleCodes))
    const adapted = (await adapt?.(bundle.page, context)) ?? null
    const rules = fieldRules?.(context, Object.keys(bundle.entities)) ?? {}
    const prepared = answersOf(registry).adapted(bundle, adapted, rules, (await closedStarts?.(context, bundle)) ?? [])
    const shown = { ...bundle, page: adapted ? adapted.page() : bundle.page }
    return { prepared, rules, shown, isForm: shown.page.kind === 'form' }
  }

  if (forms)
    guardForms(app, forms, async (request, wanted) => {
      const page = registryFor(request).page(wanted)
      if (page?.document.kind !== 'form') return undefined
      const { prepared, shown, rules } = await pageFor(request, page)
      return {
        name: page.name,
        revision: prepared.revision,
        fields: await forms.note(page.name, prepared.revision, shown, rules),
      }
    })

  return { revisionFor: async (request, page) => (await pageFor(request, page)).prepared.revision, schemasFor: registryFor }
}

async function answer(request: FastifyRequest, reply: FastifyReply, prepared: Prepared): Promise<FastifyReply> {
  const { etag, body } = prepared
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
  reply.type('application/json; charset=utf-8')
  const encoding = keptEncoding(request, reply)
  if (encoding === null) return reply.send(body)
  prepared.compressed[encoding] ??= compressKept(body, encoding)
  const compressed = await prepared.compressed[encoding]
  return reply.header('content-encoding', encoding).send(compressed)
}

/** A proxy may have made the tag weak or named several. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

const NOTHING_BEFORE = { zh: '这个页面没有更早的版本。', en: 'There is no earlier revision of this page.' }

function missing(wanted: string | undefined): { zh: string; en: string } {
  if (wanted === undefined) return { zh: '请给出页面的 path 或 name。', en: 'Give the path or the name of a page.' }
  return { zh: `没有页面“${wanted}”。`, en: `There is no page "${wanted}".` }
}

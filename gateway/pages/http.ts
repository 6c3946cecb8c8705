import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, contextOf, ok, ServiceError } from '../platform/http'
import type { SchemaRegistry } from './registry'
import type { RegisteredPage } from './routes'

interface Prepared {
  etag: string
  body: string
}

const prepare = (revision: string, data: unknown): Prepared => ({ etag: `"${revision}"`, body: JSON.stringify(ok(data)) })

/** `GET /v2/sys/page/routes` and `GET /v2/sys/page/bundle`: answers are made once and revalidated with their ETag. */
export function servePages(app: FastifyInstance, registry: SchemaRegistry): void {
  const routes = prepare(registry.routesRevision, { revision: registry.routesRevision, ...registry.routes })
  const detailPages = new Set(registry.routes.routes.flatMap(({ page, detail }) => (detail && page !== null ? [page] : [])))
  const bundles = new Map<string, Prepared>()
  const bundleOf = (page: RegisteredPage): Prepared => {
    const known = bundles.get(page.name)
    if (known) return known
    const bundle = registry.bundle(page)
    const made = prepare(bundle.revision, bundle)
    bundles.set(page.name, made)
    return made
  }

  app.get(
    '/v2/sys/page/routes',
    { config: { open: true }, schema: { tags: ['pages'], summary: 'The route table and the modules of the portal' } },
    (request, reply) => answer(request, reply, routes),
  )

  app.get<{ Querystring: { path?: string; name?: string } }>(
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
          },
          additionalProperties: false,
        },
      },
    },
    (request, reply) => {
      const wanted = request.query.path ?? request.query.name
      const page = wanted === undefined ? undefined : registry.page(wanted)
      if (!page) throw new ServiceError('notFound', { message: missing(wanted) })
      const { permission } = page.document
      // Detail pages are permitted whatever the resources are (R050); their data has its own check.
      if (permission !== undefined && !detailPages.has(page.name) && !can(contextOf(request), permission)) {
        throw new ServiceError('noPermission', { data: { permission } })
      }
      return answer(request, reply, bundleOf(page))
    },
  )
}

function answer(request: FastifyRequest, reply: FastifyReply, { etag, body }: Prepared): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

/** A proxy may have made the tag weak or named several. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

function missing(wanted: string | undefined): { zh: string; en: string } {
  if (wanted === undefined) return { zh: '请给出页面的 path 或 name。', en: 'Give the path or the name of a page.' }
  return { zh: `没有页面“${wanted}”。`, en: `There is no page "${wanted}".` }
}

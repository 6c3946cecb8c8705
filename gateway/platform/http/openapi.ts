import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { codes } from './codes'
import { contextOf } from './context'
import { renderApiPage, renderSignInFirst } from './openapiPage'

const envelope = {
  type: 'object' as const,
  required: ['code', 'msg', 'data'],
  properties: {
    code: { type: 'integer' as const, description: '0 is success (R314); other codes: see the table in the description.' },
    msg: { type: 'string' as const, description: 'In the language of Accept-Language (zh by default).' },
    data: { description: 'The answer, or what belongs to the code.' },
  },
}

/** What calls take and answer, as JSON Schemas. */
export interface DescribedCalls {
  /** By name: what bodies and answers refer to (`#/components/schemas/<name>`). */
  schemas: Readonly<Record<string, object>>
  /** Of POST bodies, by path. */
  bodies: Readonly<Record<string, object>>
  /** Of `data` in answers with code 0, by path. */
  answers: Readonly<Record<string, object>>
}

/** Calls that change while the gateway runs. */
interface ChangingCalls {
  /** Another one: other shapes. */
  revision(): string
  calls(): DescribedCalls
}

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, object>
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

/** Describes every route that is registered after it, as OpenAPI 3 at /docs/api (JSON, or a page for browsers). */
export async function describeApi(app: FastifyInstance, options: { version: string; changing?: ChangingCalls }): Promise<void> {
  const table = Object.entries(codes).map(
    ([name, { code, status, message }]) => `| ${code} | ${status} | ${name} | ${message.en} |`,
  )
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchboard gateway',
        version: options.version,
        description: [
          'Every JSON answer is an envelope.',
          '',
          '| code | HTTP | name | meaning |',
          '|---|---|---|---|',
          ...table,
        ].join('\n'),
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
        schemas: { Envelope: envelope },
      },
      security: [{ bearer: [] }],
    },
    hideUntagged: false,
    transform: ({ schema, url, route }) => {
      const described: Record<string, unknown> = { ...(typeof schema === 'object' ? schema : {}) }
      const config = route.config as { open?: boolean; permission?: string | readonly string[] } | undefined
      described['tags'] ??= [tagOf(url)]
      if (config?.open) described['security'] = []
      if (config?.permission)
        described['description'] = [described['description'], `Permission: ${[config.permission].flat().join(' or ')}`]
          .filter(Boolean)
          .join('\n\n')
      if (route.method === 'HEAD') described['hide'] = true
      described['response'] ??= { 200: { description: 'The envelope; code 0 is success.', ...envelope } }
      return { schema: described, url }
    },
  })
  const registered = () => app.swagger()
  let known: { revision: string; document: ReturnType<typeof registered> } | null = null
  const document = (): ReturnType<typeof registered> => {
    const { changing } = options
    if (!changing) return registered()
    const revision = changing.revision()
    if (known?.revision !== revision) known = { revision, document: withCalls(registered(), changing.calls()) }
    return known.document
  }
  // Open only so that a browser is told in words what to do; nothing of the document is shown without a session.
  const config = { open: true, tokenCookie: true }
  app.get('/docs/api', { schema: { hide: true }, config }, (request, reply) => {
    const wantsPage = /text\/html/.test(request.headers.accept ?? '')
    if (wantsPage && !request.callContext)
      return reply.status(401).type('text/html; charset=utf-8').send(renderSignInFirst(request.locale))
    contextOf(request)
    return wantsPage ? reply.type('text/html; charset=utf-8').send(renderApiPage(document())) : reply.send(document())
  })
  app.get('/docs/api.json', { schema: { hide: true }, config }, (request) => {
    contextOf(request)
    return document()
  })
}

/** The document with the shapes of now; the given one, which the registered routes made once, stays as it is. */
function withCalls<T extends object>(document: T, { schemas, bodies, answers }: DescribedCalls): T {
  const copy = structuredClone(document)
  const { paths, components } = copy as unknown as ApiDocument
  Object.assign(components.schemas, schemas)
  for (const [path, schema] of Object.entries(bodies))
    for (const body of Object.values(paths[path]?.post?.requestBody?.content ?? {})) body.schema = schema
  for (const [path, data] of Object.entries(answers)) {
    const schema = { allOf: [{ $ref: '#/components/schemas/Envelope' }, { type: 'object', properties: { data } }] }
    for (const operation of Object.values(paths[path] ?? {}))
      operation.responses['200'] = { description: 'The answer when code is 0.', content: { 'application/json': { schema } } }
  }
  return copy
}

/** Calls are grouped by the first two segments after the version: `sys/staff`, `crm/customer`. */
function tagOf(url: string): string {
  const parts = url.split('/').filter((part) => part !== '' && part !== 'v2' && !part.startsWith(':'))
  return url.startsWith('/v2/') ? parts.slice(0, 2).join('/') : (parts[0] ?? 'portal')
}

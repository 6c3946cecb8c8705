import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../entities'
import { contextOf, ok, ServiceError, type RequestContext } from '../platform/http'
import type { ReportRequest, ReportTasks } from './file'

/** Reports that one person keeps. */
export const SAVED = 'sys.savedReport'
const MOST_SAVED = 200

interface SavedBody extends Partial<ReportRequest> {
  id?: string
  name?: string
  frequency?: string
  language?: string
}

const idOf = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } as const
const tags = ['pages']

/**
 * `POST /v2/sys/report/export`: the report at a path with the filters of an address, as a file of the download centre. Below `/v2/sys/report/saved` every member of staff keeps
 * reports for himself: the entity has no key, since whoever opens a report may keep it, and its rows are those of the one person whom they name.
 */
export function registerReportRoutes(app: FastifyInstance, engine: EntityEngine, downloads: ReportTasks): void {
  app.post<{ Body: ReportRequest }>(
    '/v2/sys/report/export',
    {
      schema: {
        tags,
        summary: 'A report with its filters as a file of the download centre',
        body: {
          type: 'object',
          required: ['path'],
          properties: {
            path: { type: 'string', maxLength: 200, description: 'Its route' },
            search: {
              type: 'string',
              maxLength: 4000,
              default: '',
              description: 'The filters, as the address of the page says them',
            },
          },
          additionalProperties: false,
        },
      },
    },
    async (request) => ok(await downloads.startReport(contextOf(request), request.body)),
  )

  app.get<{ Querystring: { path: string } }>(
    '/v2/sys/report/saved',
    {
      schema: {
        tags,
        summary: 'The own saved reports at a path',
        querystring: { type: 'object', required: ['path'], properties: { path: { type: 'string', maxLength: 200 } } },
      },
    },
    async (request) => {
      const where = [{ field: 'path', operator: 'eq', value: request.query.path } as const]
      return ok(await engine.queryPage(SAVED, contextOf(request), { where, pageSize: MOST_SAVED }))
    },
  )

  app.post<{ Body: SavedBody }>(
    '/v2/sys/report/saved',
    {
      schema: {
        tags,
        summary: 'Keeps a report, or changes one that is kept',
        body: {
          type: 'object',
          properties: {
            id: idOf,
            path: { type: 'string' },
            search: { type: 'string' },
            name: { type: 'string' },
            frequency: { type: 'string' },
            language: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { id, ...values } = request.body
      const { staffId } = context.user
      return ok(
        await engine.transaction(context, async (entities) => {
          if (id === undefined) return entities.save(SAVED, { ...values, staffId })
          requireOwn(context, await entities.find(SAVED, id, { lock: true }))
          return entities.save(SAVED, { ...values, id })
        }),
      )
    },
  )

  app.post<{ Body: { id: string } }>(
    '/v2/sys/report/saved/delete',
    {
      schema: {
        tags,
        summary: 'Gives a saved report up',
        body: { type: 'object', required: ['id'], properties: { id: idOf }, additionalProperties: false },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { id } = request.body
      await engine.transaction(context, async (entities) => {
        requireOwn(context, await entities.find(SAVED, id, { lock: true }))
        await entities.remove(SAVED, id)
      })
      return ok({ id })
    },
  )
}

/** What somebody else keeps does not exist for the caller. */
function requireOwn(context: RequestContext, record: { staffId?: unknown } | null): void {
  if (record?.staffId !== context.user.staffId) throw new ServiceError('notFound')
}

import type { FastifyInstance } from 'fastify'
import { contextOf, ok, ServiceError } from '../../platform/http'
import type { TimelineAnswer, TimelineRequest } from '../calls'
import type { EntityEngine } from '../types'
import { timelineBody } from './schemas'

const PAGE_SIZE = 10
/** What cannot be read any more by whoever asks, and what does not exist. */
const WITHHELD: ReadonlySet<string> = new Set(['noPermission', 'notFound'])

/** The call that reads what came to be around a record, from several entities at once (docs/calls.md). */
export function registerTimeline(app: FastifyInstance, engine: EntityEngine): void {
  const names = new Set(engine.names())
  app.post<{ Body: TimelineRequest }>(
    '/v2/sys/timeline',
    { schema: { summary: 'What came to be, newest first, of several entities', body: timelineBody } },
    async (request) => {
      const context = contextOf(request)
      const { sources, pageSize = PAGE_SIZE } = request.body
      const read = async ({ entity, cursor = '', ...selection }: TimelineRequest['sources'][number]) => {
        if (!names.has(entity)) return null
        try {
          const page = { ...selection, cursor, pageSize, countUpTo: 1, sort: [{ field: 'createdAt', order: 'desc' as const }] }
          const { records, refs, next = null } = await engine.queryPage(entity, context, page)
          return { records, refs, next }
        } catch (error) {
          if (error instanceof ServiceError && WITHHELD.has(error.reason)) return null
          throw error
        }
      }
      const answer: TimelineAnswer = { sources: await Promise.all(sources.map(read)) }
      return ok(answer)
    },
  )
}

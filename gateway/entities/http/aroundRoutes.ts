import type { FastifyInstance } from 'fastify'
import type { QueryWhere } from '../../../src/schema/model'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import type { RelatedAnswer, RelatedRequest, RelatedSource, TimelineAnswer, TimelineRequest } from '../calls'
import type { EntityEngine } from '../types'
import { relatedBody, timelineBody } from './schemas'

/** Rows of the timeline that are read of each list at once. */
const PAGE_SIZE = 10
/** Rows of each related list that are shown. */
const SHOWN = 3
/** Further rows are not counted, nor are so many added up: whoever wants to know opens the list. */
const COUNTED = 10_000
/** Lists that are read at the same time: one record leaves connections for others. */
const AT_ONCE = 4
/** What cannot be read any more by whoever asks, and what does not exist. */
const WITHHELD: ReadonlySet<string> = new Set(['noPermission', 'notFound'])

/** The calls that read the lists around a record together: what came to be, newest first, and what belongs to it (docs/calls.md). */
export function registerAround(
  app: FastifyInstance,
  engine: EntityEngine,
  detailPage: (entity: string) => string | undefined = () => undefined,
): void {
  const names = new Set(engine.names())
  /** The answers of several lists in their order; null for one that the caller may not read. */
  async function each<Source extends { entity: string }, Answer>(
    sources: readonly Source[],
    read: (source: Source) => Promise<Answer>,
  ): Promise<(Answer | null)[]> {
    const one = async (source: Source): Promise<Answer | null> => {
      if (!names.has(source.entity)) return null
      try {
        return await read(source)
      } catch (error) {
        if (error instanceof ServiceError && WITHHELD.has(error.reason)) return null
        throw error
      }
    }
    const answers: (Answer | null)[] = []
    for (let at = 0; at < sources.length; at += AT_ONCE)
      answers.push(...(await Promise.all(sources.slice(at, at + AT_ONCE).map(one))))
    return answers
  }

  app.post<{ Body: TimelineRequest }>(
    '/v2/sys/timeline',
    { schema: { summary: 'What came to be, newest first, of several entities', body: timelineBody } },
    async (request) => {
      const context = contextOf(request)
      const { pageSize = PAGE_SIZE } = request.body
      const answer: TimelineAnswer = {
        sources: await each(request.body.sources, async ({ entity, cursor = '', ...selection }) => {
          const page = { ...selection, cursor, pageSize, countUpTo: 1, sort: [{ field: 'createdAt', order: 'desc' as const }] }
          const { records, refs, next = null } = await engine.queryPage(entity, context, page)
          return { records, refs, next }
        }),
      }
      return ok(answer)
    },
  )

  app.post<{ Body: RelatedRequest }>(
    '/v2/sys/related',
    { schema: { summary: 'Count, sum and first rows of several selections', body: relatedBody } },
    async (request) => {
      const context = contextOf(request)
      const { rows = SHOWN } = request.body
      const answer: RelatedAnswer = {
        sources: await each(request.body.sources, async (source) => {
          const related = await readSource(engine, context, source, rows)
          const open = related.records && detailPage(source.entity)
          return open === undefined ? related : { ...related, open }
        }),
      }
      return ok(answer)
    },
  )
}

/** Everything by queryPage, whose rights hold: rows out of reach are not counted, a field that is hidden or masked is not summed. */
async function readSource(
  engine: EntityEngine,
  context: RequestContext,
  { entity, sum, rows: wanted, ...selection }: RelatedRequest['sources'][number],
  pageSize: number,
): Promise<RelatedSource> {
  const counted = await engine.queryPage(entity, context, { ...selection, pageSize: 0, countUpTo: COUNTED })
  const { total, totalAtLeast } = counted
  if (total === 0) return { total }
  const where: readonly QueryWhere[] = [...(selection.where ?? []), ...(wanted?.where ?? [])]
  const [summed, first] = await Promise.all([
    sum === undefined || totalAtLeast
      ? undefined
      : engine.queryPage(entity, context, {
          ...{ ...selection, pageSize: 0, countUpTo: 1 },
          summary: [{ field: sum, function: 'sum' as const }],
        }),
    wanted === undefined || pageSize === 0
      ? undefined
      : engine.queryPage(entity, context, {
          ...{ ...selection, where, pageSize, countUpTo: 1 },
          ...(wanted.sort === undefined ? {} : { sort: wanted.sort }),
        }),
  ])
  return {
    total,
    ...(totalAtLeast ? { totalAtLeast } : {}),
    ...(summed?.summary ? { summary: summed.summary } : {}),
    ...(first ? { records: first.records, refs: first.refs } : {}),
  }
}

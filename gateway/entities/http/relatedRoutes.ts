import type { FastifyInstance } from 'fastify'
import type { QueryWhere } from '../../../src/schema/model'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import type { RelatedAnswer, RelatedRequest, RelatedSource } from '../calls'
import type { EntityEngine } from '../types'
import { relatedBody } from './schemas'

const SHOWN = 3
/** Lists that are read at the same time: one record leaves connections for others. */
const AT_ONCE = 4
/** Further rows are not counted, nor are so many added up: whoever wants to know opens the list. */
const COUNTED = 10_000
/** What cannot be read by whoever asks, and what does not exist. */
const WITHHELD: ReadonlySet<string> = new Set(['noPermission', 'notFound'])

/** The call that counts and sums what belongs to a record, list by list, and reads the first rows of each (docs/calls.md). */
export function registerRelated(
  app: FastifyInstance,
  engine: EntityEngine,
  detailPage: (entity: string) => string | undefined = () => undefined,
): void {
  const names = new Set(engine.names())
  app.post<{ Body: RelatedRequest }>(
    '/v2/sys/related',
    { schema: { summary: 'Count, sum and first rows of several selections', body: relatedBody } },
    async (request) => {
      const context = contextOf(request)
      const { sources, rows = SHOWN } = request.body
      const read = async (source: RelatedRequest['sources'][number]): Promise<RelatedSource | null> => {
        if (!names.has(source.entity)) return null
        try {
          const open = detailPage(source.entity)
          const answer = await readSource(engine, context, source, rows)
          return open === undefined || !answer.records ? answer : { ...answer, open }
        } catch (error) {
          if (error instanceof ServiceError && WITHHELD.has(error.reason)) return null
          throw error
        }
      }
      const answered: RelatedAnswer['sources'][number][] = []
      for (let at = 0; at < sources.length; at += AT_ONCE)
        answered.push(...(await Promise.all(sources.slice(at, at + AT_ONCE).map(read))))
      const answer: RelatedAnswer = { sources: answered }
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

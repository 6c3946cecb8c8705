import type { FastifyInstance } from 'fastify'
import type { BulkAnswer, EntityEngine } from '../../../entities'
import { contextOf, ok, ServiceError } from '../../../platform/http'

const CUSTOMER = 'crm.customer'
const MOST = 500

/** POST …/addTags: adds tags to several customers, row by row; a neighbour's refusal undoes nothing. */
export function registerBulkTags(app: FastifyInstance, engine: EntityEngine, path: string): void {
  app.post(
    `${path}/addTags`,
    {
      schema: {
        tags: ['crm'],
        summary: 'Adds tags to customers; the tags that they have stay',
        body: {
          type: 'object',
          required: ['ids', 'tags'],
          additionalProperties: false,
          properties: {
            ids: { type: 'array', items: { type: 'string', maxLength: 40 }, minItems: 1, maxItems: MOST },
            tags: { type: 'array', items: { type: 'string', maxLength: 40 }, minItems: 1, maxItems: 20 },
          },
        },
      },
      config: { permission: 'crm:customer:edit' },
    },
    async (request) => {
      const { idempotence, ...context } = contextOf(request)
      const { ids, tags } = request.body as { ids: string[]; tags: string[] }
      const answer: BulkAnswer = { done: [], refused: [] }
      for (const id of new Set(ids)) {
        let title = id
        try {
          const { record } = await engine.view(CUSTOMER, context, id)
          title = String(record.name)
          const known = Array.isArray(record.tags) ? record.tags.map(String) : []
          await engine.save(CUSTOMER, context, { id, tags: [...new Set([...known, ...tags])] })
          answer.done.push(id)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          answer.refused.push({ id, title, reason: error.messageIn(context.locale) })
        }
      }
      if (idempotence) await engine.transaction(context, (_, tx) => idempotence.settle(tx, ok(answer)))
      return ok(answer)
    },
  )
}

import { contextOf, ok } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { id, shaped } from '../../serving'
import { AI, aiParts } from '../parts'

const config = { permission: AI.key }
const tags = ['ai']
const uuid = shaped({ '!uuid': id })

/** Conversations of the caller: begun, listed, pinned, deleted, read back (R341, R344, R345). */
export const call: ModuleCall = (parts) => {
  const { app } = parts
  const { chats, running } = aiParts(parts)

  app.post<{ Body: { initialQuestion: string } }>(
    `${AI.base}/conversations`,
    {
      schema: {
        ...{ tags, summary: 'Begins a conversation with its first question' },
        body: shaped({ '!initialQuestion': { type: 'string', maxLength: 100, pattern: '\\S' } }),
      },
      config,
    },
    async (request) => ok(await chats.begin(contextOf(request), request.body.initialQuestion.trim())),
  )
  app.get<{ Querystring: { keyword?: string } }>(
    `${AI.base}/conversations`,
    {
      schema: {
        ...{ tags, summary: 'Conversations of the caller, pinned ones first' },
        querystring: shaped({ keyword: { type: 'string', maxLength: 100 } }),
      },
      config,
    },
    async (request) => ok(await chats.conversations(contextOf(request), request.query.keyword)),
  )
  app.put<{ Params: { uuid: string }; Body: { isTop: boolean } }>(
    `${AI.base}/conversations/:uuid/top`,
    {
      schema: {
        tags,
        summary: 'Pins a conversation, or takes the pin away',
        params: uuid,
        body: shaped({ '!isTop': { type: 'boolean' } }),
      },
      config,
    },
    async (request) => {
      await chats.pin(contextOf(request), request.params.uuid, request.body.isTop)
      return ok({ uuid: request.params.uuid, isTop: request.body.isTop })
    },
  )
  app.delete<{ Params: { uuid: string } }>(
    `${AI.base}/conversations/:uuid`,
    { schema: { tags, summary: 'Deletes a conversation with its answers, for good', params: uuid }, config },
    async (request) => {
      const gone = await chats.remove(contextOf(request), request.params.uuid)
      for (const one of gone) running.forget(one)
      return ok({ uuid: request.params.uuid })
    },
  )
  app.get<{ Params: { uuid: string }; Querystring: { lastChatId?: string; limit?: number } }>(
    `${AI.base}/conversations/:uuid/detail/cursor`,
    {
      schema: {
        ...{ tags, summary: 'Answers of a conversation before one of them, the newest first', params: uuid },
        querystring: shaped({ lastChatId: id, limit: { type: 'integer', minimum: 1, maximum: 50 } }),
      },
      config,
    },
    async (request) => {
      const { lastChatId, limit = 10 } = request.query
      return ok(await chats.history(contextOf(request), request.params.uuid, { lastChatId, limit }))
    },
  )
}

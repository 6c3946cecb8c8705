import { can, contextOf, ok } from '../../../platform/http'
import { tableOf } from '../../../entities'
import type { ModuleCall } from '../../module'
import { id, shaped } from '../../serving'
import { AI, aiParts } from '../parts'

const config = { permission: AI.key }
const tags = ['ai']

interface Suggested {
  question: string
  type: string
  permission: string | null
  weight: number
}
interface Rating {
  like: 1 | 0 | null
  tag?: string
  content?: string
  chatUuid: string
}

/** What is asked often, the tags of ratings, and ratings of answers (R346-R348). */
export const call: ModuleCall = (parts) => {
  const { app, database, engine } = parts
  const { chats } = aiParts(parts)

  app.get<{ Querystring: { limit?: number; currentType?: string } }>(
    `${AI.base}/common-questions/random`,
    {
      schema: {
        ...{ tags, summary: 'Some common questions that the caller may ask, those of the open module first' },
        querystring: shaped({
          limit: { type: 'integer', minimum: 1, maximum: 20 },
          currentType: { type: 'string', maxLength: 40 },
        }),
      },
      config,
    },
    async (request) => {
      const context = contextOf(request)
      const { limit = 3, currentType = '' } = request.query
      const { rows } = await database.query<Suggested>(
        `select case when $1 = 'en' then question_en else question_zh end as question, coalesce(module, '') as type, permission, weight
         from ${tableOf('ai.question')} where deleted_at is null and enabled
         order by (coalesce(module, '') = $2) desc, power(random(), 1.0 / greatest(weight, 1)) desc`,
        [context.locale, currentType],
      )
      const allowed = rows.filter(({ permission }) => !permission || can(context, permission))
      return ok(allowed.slice(0, limit).map(({ question, type }) => ({ question, type })))
    },
  )
  app.get<{ Params: { likeType: 'LIKE' | 'DISLIKE' } }>(
    `${AI.base}/feedback-tags/type/:likeType`,
    { schema: { tags, summary: 'Tags of ratings', params: shaped({ '!likeType': { enum: ['LIKE', 'DISLIKE'] } }) }, config },
    async (request) => {
      const { rows } = await database.query<{ tagName: string }>(
        `select case when $1 = 'en' then tag_name_en else tag_name end as "tagName" from ${tableOf('ai.tag')}
         where like_type = $2 and deleted_at is null order by sort_no, id`,
        [contextOf(request).locale, request.params.likeType],
      )
      return ok(rows)
    },
  )
  app.post<{ Body: Rating }>(
    `${AI.base}/chat-user-feedbacks`,
    {
      schema: {
        ...{ tags, summary: 'Rates an answer of the caller; null takes the rating back' },
        body: shaped({
          ...{ '!like': { enum: [1, 0, null] }, '!chatUuid': id },
          ...{ tag: { type: 'string', maxLength: 500 }, content: { type: 'string', maxLength: 500 } },
        }),
      },
      config,
    },
    async (request) => {
      const context = contextOf(request)
      const { like, tag, content, chatUuid } = request.body
      const { userQuery } = await chats.chat(context, chatUuid)
      await engine.transaction(context, async (entities, tx) => {
        await tx.query(`delete from ${tableOf('ai.feedback')} where chat_id = $1`, [chatUuid])
        await tx.query(`update ${tableOf('ai.chat')} set liked = $2 where id = $1`, [chatUuid, like])
        if (like === null) return
        const rating = { chatId: chatUuid, staffId: context.user.staffId, question: userQuery, liked: like }
        await entities.save('ai.feedback', {
          ...{ ...rating, at: context.now.toISOString() },
          ...{ tag: tag?.trim() ? tag.trim() : null, content: content?.trim() ? content.trim() : null },
        })
      })
      return ok({ chatUuid, like })
    },
  )
}

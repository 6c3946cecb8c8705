import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { contextOf, ok, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { id, shaped } from '../../serving'
import { answer } from '../answer'
import { AI, aiParts, type AiParts } from '../parts'
import { placeOf, type Place, type Sent } from '../running'

const config = { permission: AI.key }
const PING = 15_000

interface Asked {
  stream: true
  content: string
  conversationUuid: string
  regenerateOf?: string
  about?: { path: string; title?: string }
}

/** The stream of an answer, and its end (R342, R343, R349-R352). */
export const call: ModuleCall = (parts) => {
  const { app } = parts
  const ai = aiParts(parts)

  app.post<{ Body: Asked }>(
    `${AI.base}/chat/sse`,
    {
      schema: {
        ...{
          tags: ['ai'],
          summary: 'Asks, and streams the answer: init, message, tool, table, kbdocs, guessQuestions, error, end',
        },
        body: shaped({
          ...{ '!stream': { const: true }, '!content': { type: 'string', maxLength: 100 }, '!conversationUuid': id },
          ...{
            regenerateOf: id,
            about: shaped({ '!path': { type: 'string', maxLength: 400 }, title: { type: 'string', maxLength: 200 } }),
          },
        }),
      },
      config,
    },
    async (request, reply) => {
      const context = contextOf(request)
      const lastEventId = request.headers['last-event-id']
      const resumed = placeOf(Array.isArray(lastEventId) ? lastEventId[0] : lastEventId)
      const place = resumed ?? (await begin(ai, context, request.body))
      const { conversationUuid } = await ai.chats.chat(context, place.chatUuid)
      reply.hijack()
      await streamTo(reply, request.id, (tell, signal) =>
        ai.running.follow(place, conversationUuid, () => ai.chats.chat(context, place.chatUuid), tell, signal),
      ).catch((error: unknown) => ai.onError(error, 'the stream of an answer broke off'))
    },
  )
  app.post<{ Body: { chatUuid: string } }>(
    `${AI.base}/chat/stop`,
    { schema: { tags: ['ai'], summary: 'Ends an answer; what came of it stays', body: shaped({ '!chatUuid': id }) }, config },
    async (request) => ok({ state: await ai.running.stop(await ai.chats.chat(contextOf(request), request.body.chatUuid)) }),
  )
}

/** Keeps the question and begins its answer. @throws ServiceError for an empty one, a foreign conversation, a quota that is used up */
async function begin(ai: AiParts, context: RequestContext, asked: Asked): Promise<Place> {
  const { chats, running, settings } = ai
  const content = asked.content.trim()
  if (content === '')
    throw new ServiceError('badRequest', { message: { zh: '请输入问题。', en: 'There is no question. Write one.' } })
  const quota = settings.aiDailyQuota
  if (quota > 0 && (await chats.askedToday(context)) >= quota)
    throw new ServiceError('tooManyRequests', {
      message: {
        zh: `今天您已向助手提问 ${quota} 次，这是每人每天的上限；明天可以继续。`,
        en: `You asked the assistant ${quota} questions today, which is what a person has for a day. Go on tomorrow.`,
      },
    })
  const { conversationUuid, regenerateOf: instead } = asked
  const chatUuid = await chats.ask(context, { uuid: conversationUuid, content, instead })
  const failure = new ServiceError('fault')
  running.start(
    conversationUuid,
    await chats.chat(context, chatUuid),
    { code: failure.code, msg: FAILED[context.locale] },
    (voice) => answer(ai, { context, question: content, chatUuid, conversationUuid, about: asked.about }, voice),
  )
  return { chatUuid, event: 0, characters: 0 }
}

const FAILED = {
  zh: '助手没能回答这个问题，请再试一次；若仍失败，请从“评价与反馈”告诉我们。',
  en: 'The assistant could not answer this. Try again; if it fails again, tell us by “Rating and feedback”.',
}

const textOf = ({ id: eventId, event, data }: Sent): string =>
  `id: ${eventId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Streams events until the answer ends or the reader leaves, which ends no answer. */
async function streamTo(
  reply: FastifyReply,
  traceId: string,
  follow: (tell: (sent: Sent) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const response: ServerResponse = reply.raw
  const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)
  response.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-trace-id': traceId,
  })
  const gone = new AbortController()
  const ping = setInterval(() => response.write(': ping\n\n'), PING)
  response.on('close', () => gone.abort())
  try {
    await follow((sent) => void response.write(textOf(sent)), gone.signal)
  } finally {
    clearInterval(ping)
    response.end()
  }
}

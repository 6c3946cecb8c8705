import type { FastifyInstance } from 'fastify'
import { queryPageBody, type EntityEngine, type QueryPageRequest } from '../entities'
import { contextOf, ok } from '../platform/http'

/** The calls of the message centre beside those of the bell: its list, the choices of its filters, the time of the gateway. */
export function registerMessageCenter(app: FastifyInstance, engine: EntityEngine, base: string): void {
  const about = (summary: string) => ({ tags: ['message'], summary })
  app.post<{ Body: QueryPageRequest }>(
    `${base}/query/center/message/list`,
    {
      schema: {
        ...about('The messages of the caller, as the queryPage of their entity'),
        body: queryPageBody,
      },
    },
    async (request) => ok(await engine.queryPage('sys.message', contextOf(request), request.body)),
  )
  app.get(`${base}/getServerTime`, { schema: about('The time of the gateway') }, (request) =>
    ok({ serverTime: contextOf(request).now.toISOString() }),
  )
  app.get(`${base}/getDropList`, { schema: about('Types and matters of messages, to choose from') }, (request) => {
    const { locale } = contextOf(request)
    const choices = (dictionary: string) =>
      engine.dictionaryChoices(dictionary).map(({ code, label }) => ({ value: code, label: label[locale] }))
    return ok({ msgType: choices('msgType'), kind: choices('todoKind'), status: choices('messageStatus') })
  })
}

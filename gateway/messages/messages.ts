import type { FastifyInstance } from 'fastify'
import type { EntityEngine, EntityRecord } from '../entities'
import type { Database } from '../platform/database'
import { contextOf, ok, ServiceError, type Locale, type RequestContext } from '../platform/http'
import type { PushEvent, Stream } from '../stream'
import { PERSON_CHANNEL, push, type PersonEvent } from '../todos'
import { registerMessageCenter } from './center'
import { registerReleases } from './releases'

const BASE = '/v2/sys/mc/message'
const MESSAGE = 'sys.message'
const SHOWN = 20
const UNREAD = { field: 'status', operator: 'eq', value: 'unread' } as const

interface MessageParts {
  engine: EntityEngine
  database: Database
  stream: Stream
  onError: (error: unknown, message: string) => void
}

/** The messages of whoever asks (R326, R327), and the pushes to the open browsers of each person. Answers the end of the pushes. */
export async function registerMessages(app: FastifyInstance, parts: MessageParts): Promise<() => Promise<void>> {
  const { engine } = parts
  engine.registerVerb('sys.pushRead', async ({ tx }, runs) => {
    const readers = new Set(runs.map(({ subject }) => String(subject.record.receiverId)))
    await push(
      tx,
      [...readers].map((staffId) => ({ staffId, event: 'messageRead' })),
    )
  })
  registerCalls(app, engine)
  registerMessageCenter(app, engine, BASE)
  registerReleases(app, engine, parts.database)
  return follow(parts)
}

/** What any gateway tells of a person goes to the browsers that he has open here. */
async function follow({ engine, database, stream, onError }: MessageParts): Promise<() => Promise<void>> {
  const told = (text: string): void => {
    try {
      const event = JSON.parse(text) as PersonEvent
      stream.toPerson(event.staffId, (locale) => pushOf(engine, event, locale))
    } catch (error) {
      onError(error, 'what concerns one person could not be pushed')
    }
  }
  // what was missed is asked for
  return database.listen(PERSON_CHANNEL, told, { onGap: () => stream.broadcast({ event: 'messageRead' }) })
}

/**
 * A push as browsers read it (R158). It says what kind of matter it is, not what about: whoever may not read a customer's name does not
 * get it this way.
 */
function pushOf(engine: EntityEngine, event: PersonEvent, locale: Locale): PushEvent {
  const { kind = '', type, msgId, template, fill = [] } = event
  if (event.event !== 'message') return { event: event.event }
  const msgContentTemplate = template ?? engine.dictionaryLabel('todoKind', kind)[locale]
  return { event: event.event, msgId, msgType: Number(type), msgContentTemplate, msgFillAfterVar: fill }
}

function registerCalls(app: FastifyInstance, engine: EntityEngine): void {
  const about = (summary: string) => ({ tags: ['message'], summary })
  app.get(`${BASE}/thereAreUnreadMessages`, { schema: about('Whether the caller has unread messages') }, async (request) =>
    ok((await engine.count(MESSAGE, contextOf(request), { where: [UNREAD] })) > 0),
  )
  app.get(`${BASE}/getMsgTypeCount`, { schema: about('How many unread messages the caller has, by type') }, async (request) => {
    const context = contextOf(request)
    const { rows } = await engine.aggregate(MESSAGE, context, {
      where: [UNREAD],
      dimensions: [{ field: 'type' }],
      measures: [{ id: 'unread', count: true }],
    })
    const types = rows.map(({ key, measures }) => ({
      type: String(key.type),
      label: engine.dictionaryLabel('msgType', String(key.type))[context.locale],
      unread: Number(measures.unread),
    }))
    return ok({ unread: types.reduce((sum, { unread }) => sum + unread, 0), types })
  })
  app.post<{ Body: { unread?: boolean; cursor?: string; pageSize?: number } }>(
    `${BASE}/query/home/message/list`,
    {
      schema: {
        ...about('The messages of the caller, the newest first; `next` is the cursor of those before them'),
        body: {
          type: 'object',
          properties: {
            unread: { type: 'boolean', description: 'Only those that are not read' },
            cursor: { type: 'string', maxLength: 2000 },
            pageSize: { type: 'integer', minimum: 1, maximum: 100 },
          },
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { unread = false, cursor = '', pageSize = SHOWN } = request.body
      const where = unread ? [UNREAD] : []
      const { records, total, refs, next } = await engine.queryPage(MESSAGE, context, { where, cursor, pageSize })
      const nameOf = (id: unknown): string | null => refs['sys.staff']?.[String(id)]?.title ?? null
      return ok({ records: records.map((record) => shown(engine, context, record, nameOf)), total, next: next ?? null })
    },
  )
  app.post<{ Body: { ids?: string[] } }>(
    `${BASE}/query/home/message/change/status`,
    {
      schema: {
        ...about('Marks messages of the caller as read; all of them without `ids`'),
        body: {
          type: 'object',
          properties: { ids: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 500 } },
          additionalProperties: false,
        },
      },
    },
    async (request) => ok(await read(engine, contextOf(request), request.body.ids)),
  )
  app.post<{ Querystring: { msgId: string } }>(
    `${BASE}/changeMsgStatusByMsgId`,
    {
      schema: {
        ...about('Marks one message of the caller as read'),
        querystring: { type: 'object', properties: { msgId: { type: 'string', maxLength: 40 } }, required: ['msgId'] },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { msgId } = request.query
      if ((await engine.count(MESSAGE, context, { ids: [msgId] })) === 0) throw new ServiceError('notFound')
      return ok(await read(engine, context, [msgId]))
    },
  )
}

/** Messages of the caller are read; those that were read before stay as they are. */
async function read(engine: EntityEngine, context: RequestContext, ids?: readonly string[]): Promise<{ unread: number }> {
  const own = { field: 'receiverId', operator: 'eq', value: context.user.staffId } as const
  await engine.transaction(
    context,
    async (entities) => {
      const named = ids ? [{ field: 'id', operator: 'in', value: [...ids] } as const] : []
      const unread = await entities.list(MESSAGE, { where: [own, UNREAD, ...named], lock: true })
      await entities.transitions(
        MESSAGE,
        unread.map(({ id }) => String(id)),
        'read',
      )
    },
    { retries: 3 },
  )
  return { unread: await engine.count(MESSAGE, context, { where: [UNREAD] }) }
}

function shown(engine: EntityEngine, { locale }: RequestContext, record: EntityRecord, nameOf: (id: unknown) => string | null) {
  const { id, type, kind, title, text, link, senderId, createdAt, status } = record
  return {
    id,
    type,
    kind,
    matter: engine.dictionaryLabel('todoKind', String(kind))[locale],
    title,
    text: text ?? null,
    link: link ?? null,
    from: senderId ? nameOf(senderId) : null,
    at: createdAt,
    read: status === 'read',
  }
}

/** Chat notices: what groups are told of approvals, by webhooks that administrators set up (money 12). */
import type { FastifyInstance } from 'fastify'
import { serveNotices } from './calls'
import { deliver } from './deliver'
import { teller, type NoticeParts, type Notices } from './tell'

export type { NoticeFacts, Notices } from './tell'
export { isNoticeEvent, type NoticeEvent } from './templates'

/** Serves the calls of chat notices, makes their delivery known to the outbox; answers what tells. */
export function registerNotices(app: FastifyInstance, parts: NoticeParts): Notices {
  const { engine, allowPrivate, now } = parts
  engine.registerOutsideVerb('wf.post', async ({ with: order, key, attempt, signal }) => {
    const { serviceId, payload } = order
    const answer = await deliver(engine, String(serviceId), payload, { now: now(), allowPrivate, signal, key })
    return { attempts: attempt, answer: answer.text.slice(0, 500) }
  })
  serveNotices(app, parts)
  return teller(parts)
}

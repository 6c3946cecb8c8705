/** Chat notices: what groups are told of approvals, by webhooks that administrators set up (money 12). */
import type { FastifyInstance } from 'fastify'
import { serveNotices } from './calls'
import type { EntityRecord } from '../../entities'
import { deliver } from './deliver'
import { teller, type NoticeFacts, type NoticeParts, type Notices } from './tell'
import { isNoticeEvent, type NoticeEvent } from './templates'

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
  const notices = teller(parts)
  engine.registerVerb('wf.tell', async ({ tx }, runs) => {
    for (const { with: told } of runs) await notices.tell(tx, ...toldOf(told))
  })
  return notices
}

/** What an effect tells chat groups of a record that is no application. Severity P1 is said in quiet hours, too. */
function toldOf({ event, to, target, facts }: EntityRecord): [NoticeEvent, EntityRecord, NoticeFacts] {
  if (!isNoticeEvent(event)) throw new Error(`There is no event "${String(event)}" of notices.`)
  const further = (facts ?? {}) as Record<string, unknown>
  const receiverIds = Array.isArray(to) ? to.map(String) : []
  const about = { code: further['code'], urgency: further['severity'] === 'P1' ? 'urgent' : undefined }
  return [event, about, { receiverIds, further, ...(typeof target === 'string' ? { target } : {}) }]
}

import type { EntityEngine } from '../../entities'
import { systemContext } from '../../platform/http'
import { post, type NoticePayload, type PostAnswer } from './post'
import type { ServiceRow } from './tell'

/**
 * Gives a notice to the webhook of a service, with the secret that it has now.
 * @throws Error with the reason in words
 */
export async function deliver(
  engine: EntityEngine,
  serviceId: string,
  payload: unknown,
  options: Parameters<typeof post>[2],
): Promise<PostAnswer> {
  const service = await engine.transaction(systemContext({ now: options.now }), (entities) =>
    entities.find('wf.noticeService', serviceId),
  )
  if (!service) throw new Error('The chat notice was deleted.')
  const { kind, address, secret, atAll } = service as ServiceRow
  return post(payload as NoticePayload, { kind, address, secret: secret || null, atAll: atAll === true }, options)
}

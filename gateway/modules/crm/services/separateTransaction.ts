import type { EntityEngine, EntityRecord } from '../../../entities'
import { systemContext, type RequestContext } from '../../../platform/http'

/** Writes a hit of the blacklist down beside the running transaction: it stays when that one is undone. A failure is told to `onError`. */
export const writeHit =
  (engine: EntityEngine, onError: (error: unknown, message: string) => void) =>
  (context: RequestContext, hit: EntityRecord): void => {
    const apart = { ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }
    engine
      .transaction(apart, (entities) => entities.insertMany('crm.blacklistHit', [hit]))
      .catch((error: unknown) => onError(error, 'a hit of the blacklist could not be written down'))
  }

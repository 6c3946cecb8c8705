import type { EntityRecord } from '../../../../entities'
import { systemContext, type RequestContext } from '../../../../platform/http'
import type { ModuleServiceParts } from '../../../module'
import type { HitDesk } from './guard'

/** Where hits of the blacklist are written down, and what the reason of one is called. */
export const hitDeskOf = ({ engine, onError }: Pick<ModuleServiceParts, 'engine' | 'onError'>): HitDesk => ({
  write: writeHit(engine, onError),
  reason: (code) => engine.dictionaryLabel('blackReason', code),
})

/** Writes a hit of the blacklist down beside the running transaction: it stays when that one is undone. A failure is told to `onError`. */
const writeHit =
  (engine: ModuleServiceParts['engine'], onError: ModuleServiceParts['onError']) =>
  (context: RequestContext, hit: EntityRecord): void => {
    const apart = { ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }
    engine
      .transaction(apart, (entities) => entities.insertMany('crm.blacklistHit', [hit]))
      .catch((error: unknown) => onError(error, 'a hit of the blacklist could not be written down'))
  }

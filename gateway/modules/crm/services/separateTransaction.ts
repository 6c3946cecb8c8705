import type { EntityEngine, EntityRecord } from '../../../entities'
import { systemContext, type RequestContext } from '../../../platform/http'

/** Refused claims that a stay in the sea remembers. */
const ATTEMPTS_KEPT = 50

type Report = (error: unknown, message: string) => void

/** What is written down beside the running transaction, and so stays when that one is undone. A failure is told to `onError`. */
export interface SeparateWrites {
  /** A hit of the blacklist. */
  hit(context: RequestContext, record: EntityRecord): void
  /** A refused claim, at the customer's stay in the sea. */
  attempt(context: RequestContext, customerId: string, refusedBecause: string): void
}

/** Writes in transactions of their own. */
export function separateWrites(engine: EntityEngine, onError: Report): SeparateWrites {
  const insert =
    (entity: string, fault: string) =>
    (context: RequestContext, record: EntityRecord): void => {
      const apart = { ...systemContext({ now: context.now, traceId: context.traceId }), user: context.user }
      engine
        .transaction(apart, (entities) => entities.insertMany(entity, [record]))
        .catch((error: unknown) => onError(error, fault))
    }
  return {
    hit: insert('crm.blacklistHit', 'a hit of the blacklist could not be written down'),
    attempt: (context, customerId, refusedBecause) => {
      const attempt = { staffId: context.user.staffId, at: context.now.toISOString(), refusedBecause }
      engine
        .transaction(systemContext({ now: context.now, traceId: context.traceId }), async (entities) => {
          const [stay] = await entities.list('crm.seaRecord', {
            where: [{ field: 'customerId', operator: 'eq', value: customerId }],
            sort: [{ field: 'enteredAt', order: 'desc' }],
            limit: 1,
            lock: true,
          })
          const known = Array.isArray(stay?.attempts) ? (stay.attempts as unknown[]) : []
          if (stay) await entities.save('crm.seaRecord', { id: stay.id, attempts: [...known, attempt].slice(-ATTEMPTS_KEPT) })
        })
        .catch((error: unknown) => onError(error, 'a refused claim could not be noted'))
    },
  }
}

import type { EntityEngine } from '../entities'
import { ServiceError, type RequestContext } from '../platform/http'

/** Whether the caller's own rights lead to a row; a call that he may not make at all leads nowhere. */
export async function reachable(engine: EntityEngine, context: RequestContext, entity: string, id: string): Promise<boolean> {
  try {
    return (await engine.count(entity, context, { ids: [id] })) > 0
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'noPermission') return false
    throw error
  }
}

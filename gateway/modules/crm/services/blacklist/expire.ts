import type { EntityEngine } from '../../../../entities'
import { systemContext } from '../../../../platform/http'

/** Ends the entries whose time is over; their customers go back like lifted ones. Answers how many ended. */
export async function expireBlacklist(engine: EntityEngine, now: Date): Promise<number> {
  return engine.transaction(systemContext({ now }), async (entities) => {
    const due = await entities.list('crm.blacklist', {
      where: [
        { field: 'status', operator: 'eq', value: 'active' },
        { field: 'expiresAt', operator: 'lte', value: now.toISOString() },
      ],
      limit: 500,
      lock: true,
    })
    for (const entry of due) await entities.transition('crm.blacklist', String(entry.id), 'expire')
    return due.length
  })
}

import type { Entities } from '../../../../entities'
import { endedOf, type Ended } from '../ended'

const BATCH = 200

/** One step of ending the entries whose time is over; their customers go back like lifted ones. Nothing = all is done. */
export async function expireBlacklist(entities: Entities, now: Date): Promise<readonly Ended[]> {
  const due = await entities.list('crm.blacklist', {
    where: [
      { field: 'status', operator: 'eq', value: 'active' },
      { field: 'expiresAt', operator: 'lte', value: now.toISOString() },
    ],
    limit: BATCH,
    lock: true,
  })
  const ended: Ended[] = []
  for (const entry of due)
    ended.push(endedOf('crm.blacklist', await entities.transition('crm.blacklist', String(entry.id), 'expire')))
  return ended
}

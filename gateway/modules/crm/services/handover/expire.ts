import type { Entities } from '../../../../entities'
import { addDays, dayOf } from '../../rules/companyDay'
import { endedOf, type Ended } from '../ended'

/** Rows of one kind that one step ends. */
const BATCH = 200

/**
 * One step of ending transfers and shares that nobody accepted within their hours, and shares whose last day is over (CRM rule
 * 9.7). Answers what it ended; nothing = all is done.
 */
export async function expireHandovers(
  entities: Entities,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<readonly Ended[]> {
  const due = { field: 'expiresAt', operator: 'lte', value: now.toISOString() } as const
  const pending = { field: 'status', operator: 'eq', value: 'pending' } as const
  const ended: Ended[] = []
  for (const entity of ['crm.transfer', 'crm.share'])
    for (const row of await entities.list(entity, { where: [pending, due], limit: BATCH, lock: true }))
      ended.push(endedOf(entity, await entities.transition(entity, String(row.id), 'expire')))
  const over = await entities.list('crm.share', {
    where: [
      { field: 'status', operator: 'eq', value: 'accepted' },
      { field: 'until', operator: 'lte', value: addDays(dayOf(now, timeZone), -1) },
    ],
    limit: BATCH,
    lock: true,
  })
  for (const row of over) {
    const share = await entities.transition('crm.share', String(row.id), 'end', { endReason: 'until' }, { reason: 'until' })
    ended.push(endedOf('crm.share', share))
  }
  return ended
}

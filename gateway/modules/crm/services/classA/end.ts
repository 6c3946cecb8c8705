import type { Entities } from '../../../../entities'
import { addDays, dayOf } from '../../rules/companyDay'
import { endedOf, type Ended } from '../ended'

const BATCH = 200

/**
 * One step of ending the grants whose last day is over: the customer gets the level that its points give. Nothing = all is done.
 */
export async function endClassA(
  entities: Entities,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<readonly Ended[]> {
  const due = await entities.list('crm.classApply', {
    where: [
      { field: 'status', operator: 'eq', value: 'approved' },
      { field: 'grantedTo', operator: 'lte', value: addDays(dayOf(now, timeZone), -1) },
    ],
    limit: BATCH,
    lock: true,
  })
  const ended: Ended[] = []
  for (const row of due) ended.push(endedOf('crm.classApply', await entities.transition('crm.classApply', String(row.id), 'end')))
  return ended
}

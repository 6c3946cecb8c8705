import type { EntityEngine } from '../../../../entities'
import { systemContext } from '../../../../platform/http'
import { dayOf } from '../../rules/companyDay'

/** What one run ended. */
export interface Expired {
  transfers: number
  shares: number
}

const BATCH = 500

/** Ends transfers and shares that nobody accepted within their hours, and shares whose last day is over (CRM rule 9.7). */
export async function expireHandovers(
  engine: EntityEngine,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<Expired> {
  const context = systemContext({ now })
  const due = { field: 'expiresAt', operator: 'lte', value: now.toISOString() } as const
  const pending = { field: 'status', operator: 'eq', value: 'pending' } as const
  return engine.transaction(context, async (entities) => {
    const transfers = await entities.list('crm.transfer', { where: [pending, due], limit: BATCH, lock: true })
    for (const transfer of transfers) await entities.transition('crm.transfer', String(transfer.id), 'expire')
    const waiting = await entities.list('crm.share', { where: [pending, due], limit: BATCH, lock: true })
    for (const share of waiting) await entities.transition('crm.share', String(share.id), 'expire')
    const over = (
      await entities.list('crm.share', {
        where: [
          { field: 'status', operator: 'eq', value: 'accepted' },
          { field: 'until', operator: 'lte', value: dayOf(now, timeZone) },
        ],
        limit: BATCH,
        lock: true,
      })
    ).filter((share) => String(share.until) < dayOf(now, timeZone))
    for (const share of over)
      await entities.transition('crm.share', String(share.id), 'end', { endReason: 'until' }, { reason: 'until' })
    return { transfers: transfers.length, shares: waiting.length + over.length }
  })
}

import type { EntityRecord } from '../calls'
import type { WritePlace } from '../core'
import { finishMany } from './finishMany'

/** Changes locked rows, each to its own values, with all checks, history and what follows. */
export async function changeRecords(place: WritePlace, changes: ReadonlyMap<EntityRecord, EntityRecord>): Promise<void> {
  const drafts = [...changes].map(([before, values]) => ({ before, record: { ...before, ...values } }))
  await finishMany(place, drafts, { action: 'update' })
}

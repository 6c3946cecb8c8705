import type { Entities, EntityRecord } from '../entities'
import { newId } from '../platform/database'
import type { Subject } from './subject'

/** A change of ownership is logged with what people will ask about it later. */
export interface OwnershipChange {
  recordId: string
  action: 'create' | 'merge'
  /** Rows of sys.staff. */
  from?: EntityRecord | null
  to?: EntityRecord | null
  note?: string | null
  /** Code of the record or document that it comes from. */
  sourceDoc?: string | null
}

/** Appends to the ownership log what no transition does. */
export async function logOwnership(
  { word }: Subject,
  { entities, now, byId }: { entities: Entities; now: Date; byId: string | null },
  changes: readonly OwnershipChange[],
): Promise<void> {
  const at = now.toISOString()
  await entities.insertMany(
    word.log,
    changes.map(({ recordId, action, from, to, note = null, sourceDoc = null }) => ({
      id: newId(),
      [word.reference]: recordId,
      action,
      fromStaffId: from?.id ?? null,
      toStaffId: to?.id ?? null,
      fromDeptId: from?.mainDeptId ?? null,
      toDeptId: to?.mainDeptId ?? null,
      reason: null,
      note,
      sourceDoc,
      at,
      createdAt: at,
      createdBy: byId,
    })),
  )
}

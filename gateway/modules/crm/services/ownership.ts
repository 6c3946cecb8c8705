import { newId } from '../../../platform/database'
import type { Entities, EntityRecord } from '../../../entities'

/** A change of ownership is logged with what people will ask about it later. */
export interface OwnershipChange {
  customerId: string
  action:
    'create' | 'claim' | 'assign' | 'transfer' | 'share' | 'unshare' | 'release' | 'recycle' | 'staffLeft' | 'merge' | 'unfreeze'
  from?: EntityRecord | null
  to?: EntityRecord | null
  reason?: string | null
  note?: string | null
  /** Code of the document or of the merged customer that it comes from. */
  sourceDoc?: string | null
}

/** Appends to the ownership log; from and to are rows of sys.staff. */
export async function logOwnership(
  entities: Entities,
  now: Date,
  changes: OwnershipChange | readonly OwnershipChange[],
  byId: string | null,
): Promise<void> {
  const at = now.toISOString()
  await entities.insertMany(
    'crm.ownerLog',
    [changes].flat().map((change) => ({
      id: newId(),
      customerId: change.customerId,
      action: change.action,
      fromStaffId: change.from?.id ?? null,
      toStaffId: change.to?.id ?? null,
      fromDeptId: change.from?.mainDeptId ?? null,
      toDeptId: change.to?.mainDeptId ?? null,
      reason: change.reason ?? null,
      note: change.note ?? null,
      sourceDoc: change.sourceDoc ?? null,
      at,
      createdAt: at,
      createdBy: byId,
    })),
  )
}

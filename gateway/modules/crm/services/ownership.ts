import { newId } from '../../../platform/database'
import type { Entities, EntityRecord } from '../../../entities'
import { claimableFrom } from '../rules/claiming'
import { addDays, dayOf, daysBetween } from '../rules/companyDay'
import type { RuleTypes } from '../../../rules'

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

export interface ShareEnd {
  now: Date
  byId: string | null
  reason: string
  /** Shares that stay, e.g. those with others at a transfer with its shares. */
  keep?: (share: EntityRecord) => boolean
}

/** Ends the shares of a customer, waiting ones too: at a change of owner, in the sea, on the blacklist (CRM rule 9.7). */
export async function endShares(entities: Entities, customerId: string, end: ShareEnd): Promise<void> {
  const shares = await entities.list('crm.share', {
    where: [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
    ],
  })
  for (const share of shares) {
    if (end.keep?.(share)) continue
    await entities.save('crm.share', {
      id: share.id,
      status: 'ended',
      endedAt: end.now.toISOString(),
      endedById: end.byId,
      endReason: end.reason,
    })
    if (share.status !== 'accepted') continue
    const from = share.toStaffId ? await entities.find('sys.staff', String(share.toStaffId)) : null
    await logOwnership(entities, end.now, { customerId, action: 'unshare', from, note: end.reason }, end.byId)
  }
}

/** Opens a stay in the sea for a customer that loses its owner, ends its shares, and sets the customer's own fields. */
export async function enterSea(
  entities: Entities,
  customer: { before: EntityRecord; record: EntityRecord },
  entry: {
    reason: string
    note: string | null
    owner: EntityRecord | null
    now: Date
    timeZone: string
    rules: { claim: RuleTypes['crm.claim']; coolDown: RuleTypes['crm.coolDown'] }
    /** Who ends the shares of the customer with it; null = the portal. */
    byId?: string | null
  },
): Promise<void> {
  const { before, record } = customer
  const { now, timeZone, owner, reason } = entry
  const today = dayOf(now, timeZone)
  await entities.insertMany('crm.seaRecord', [
    {
      id: newId(),
      customerId: record.id,
      enteredAt: now.toISOString(),
      reason,
      reasonNote: entry.note,
      lastFollowAt: before.lastFollowAt ?? null,
      lastOwnerId: owner?.id ?? null,
      lastOwnerDeptId: owner?.mainDeptId ?? null,
      heldDays: before.ownedAt ? daysBetween(dayOf(String(before.ownedAt), timeZone), today) : 0,
      followCountAtEntry: before.followCount ?? 0,
      claimableFrom: claimableFrom(now, entry.rules.claim, timeZone).toISOString(),
      coolUntil: entry.rules.coolDown.reasons.includes(reason) ? addDays(today, entry.rules.coolDown.ownerCoolDays) : null,
      leftAt: null,
      leftBy: null,
      claimedById: null,
      attempts: [],
      createdAt: now.toISOString(),
      createdBy: owner?.id ?? null,
    },
  ])
  await endShares(entities, String(record.id), { now, byId: entry.byId ?? null, reason })
  Object.assign(record, {
    ownerId: null,
    seaEnteredAt: now.toISOString(),
    seaReason: reason,
    lastOwnerId: owner?.id ?? null,
    seaStays: Number(before.seaStays ?? 0) + 1,
    nextFollowAt: null,
    protectUntil: null,
  })
}

/** Closes the open stay and clears the customer's sea fields. */
export async function leaveSea(
  entities: Entities,
  record: EntityRecord,
  exit: { by: 'claim' | 'assign' | 'corrected' | 'frozen' | 'merged'; staffId: string | null; now: Date },
): Promise<void> {
  const [stay] = await entities.list('crm.seaRecord', {
    where: [
      { field: 'customerId', operator: 'eq', value: record.id },
      { field: 'leftAt', operator: 'empty' },
    ],
    limit: 1,
    lock: true,
  })
  if (stay)
    await entities.save('crm.seaRecord', {
      id: stay.id,
      leftAt: exit.now.toISOString(),
      leftBy: exit.by,
      claimedById: exit.staffId,
    })
  Object.assign(record, { seaEnteredAt: null, seaReason: null })
}

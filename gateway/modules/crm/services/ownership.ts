import { newId } from '../../../platform/database'
import type { Entities, EntityRecord } from '../../../entities'
import { claimableFrom } from '../rules/claiming'
import { addDays, dayOf, daysBetween } from '../rules/companyDay'
import { decideRecycling } from '../rules/recycling'
import type { CrmRules } from '../rules/ruleSets'

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
export async function logOwnership(entities: Entities, now: Date, change: OwnershipChange, byId: string | null): Promise<void> {
  await entities.insertMany('crm.ownerLog', [
    {
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
      at: now.toISOString(),
      createdAt: now.toISOString(),
      createdBy: byId,
    },
  ])
}

/** Opens a stay in the sea for a customer that loses its owner, and sets the customer's own fields. */
export async function enterSea(
  entities: Entities,
  customer: { before: EntityRecord; record: EntityRecord },
  entry: {
    reason: string
    note: string | null
    owner: EntityRecord | null
    now: Date
    timeZone: string
    rules: { claim: CrmRules['crm.claim']; coolDown: CrmRules['crm.coolDown'] }
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
  Object.assign(record, {
    ownerId: null,
    seaEnteredAt: now.toISOString(),
    seaReason: reason,
    lastOwnerId: owner?.id ?? null,
    seaStays: Number(before.seaStays ?? 0) + 1,
    nextFollowAt: null,
    recycleOn: null,
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

/** The day on which the nightly job would take the customer, by the rule as it stands. */
export function recycleOnOf(record: EntityRecord, rules: CrmRules['crm.sea'], timeZone: string): string | null {
  const text = (name: string): string | null => (typeof record[name] === 'string' ? record[name] : null)
  return decideRecycling(
    {
      holding: text('holding') ?? '',
      level: text('level') ?? '',
      stage: text('stage') ?? '',
      tags: Array.isArray(record.tags) ? record.tags.map(String) : [],
      ownedAt: text('ownedAt'),
      lastFollowAt: text('lastFollowAt'),
      firstDealAt: text('firstDealAt'),
      lastTrafficAt: text('lastTrafficAt'),
      protectUntil: text('protectUntil'),
      balance: text('balance'),
      held: false,
    },
    rules,
    timeZone,
  ).recycleOn
}

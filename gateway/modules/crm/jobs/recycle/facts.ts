import type { EntityRecord } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import type { Leave, RecyclingFacts } from '../../rules/recycling'

/** Leaves of members of staff, earliest first. */
export async function leavesOf(db: Executor, staffIds: readonly string[] | null): Promise<ReadonlyMap<string, readonly Leave[]>> {
  const { rows } = await db.query<Leave & { staffId: string }>(
    `select staff_id as "staffId", "from"::text as "from", until::text as until from sys_staff_leave
     where deleted_at is null and ($1::text[] is null or staff_id = any($1::text[])) order by "from"`,
    [staffIds],
  )
  const byStaff = new Map<string, Leave[]>()
  for (const { staffId, from, until } of rows) byStaff.set(staffId, [...(byStaff.get(staffId) ?? []), { from, until }])
  return byStaff
}

export function factsFrom(
  customer: EntityRecord,
  more: { held: boolean; lateOpportunity: boolean; leaves: readonly Leave[] },
): RecyclingFacts {
  return {
    holding: text(customer, 'holding') ?? '',
    level: text(customer, 'level') ?? '',
    stage: text(customer, 'stage') ?? '',
    tags: Array.isArray(customer.tags) ? customer.tags.map(String) : [],
    ownedAt: text(customer, 'ownedAt'),
    lastFollowAt: text(customer, 'lastFollowAt'),
    firstDealAt: text(customer, 'firstDealAt'),
    lastTrafficAt: text(customer, 'lastTrafficAt'),
    protectUntil: text(customer, 'protectUntil'),
    balance: text(customer, 'balance'),
    notBefore: text(customer, 'recycleNotBefore'),
    ...more,
  }
}

const text = (record: EntityRecord, name: string): string | null => (typeof record[name] === 'string' ? record[name] : null)

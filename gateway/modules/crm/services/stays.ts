import type { EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { checkClaim, type ClaimCheck, type SeaStay } from '../rules/claiming'
import { addDays, dayOf, startOfDay } from '../rules/companyDay'
import { ruleFor } from './rules'
import { usageOf } from './usage'

/** The settings that decide on a claim of a member of staff. */
export const claimRules = async (db: Executor, staffId: string, now: Date) => ({
  claim: await ruleFor(db, 'crm.claim', now, { staffId }),
  coolDown: await ruleFor(db, 'crm.coolDown', now),
})

/** Why a member of staff may not claim a customer now; null = he may. */
export async function claimCheckOf(
  db: Executor,
  customer: EntityRecord,
  staffId: string,
  now: Date,
  timeZone: string,
): Promise<ClaimCheck | null> {
  const stays = await staysOf(db, [String(customer.id)], now)
  const usage = await usageOf(db, staffId, now, timeZone)
  const rules = await claimRules(db, staffId, now)
  return checkClaim(String(customer.holding), stays.get(String(customer.id)) ?? null, usage, rules, now, timeZone)
}

/** Open stays by customer, with the number of stays within the ping-pong window. */
export async function staysOf(db: Executor, ids: readonly string[], now: Date): Promise<Map<string, SeaStay>> {
  const rules = await ruleFor(db, 'crm.claim', now)
  const since = startOfDay(addDays(dayOf(now, db.companyTimeZone), -rules.managerOnlyWithinDays), db.companyTimeZone)
  const { rows } = await db.query<SeaStay & { customerId: string }>(
    `select s.customer_id as "customerId", s.entered_at as "enteredAt", s.reason, s.last_owner_id as "lastOwnerId", s.last_owner_dept_id as "lastOwnerDeptId", s.claimable_from as "claimableFrom",
       (select count(*) from crm_sea_record r where r.customer_id = s.customer_id and r.entered_at >= $2 and r.left_by is distinct from 'corrected' and r.deleted_at is null) as "recentStays"
     from crm_sea_record s where s.customer_id = any($1::text[]) and s.left_at is null and s.deleted_at is null`,
    [ids, since],
  )
  return new Map(rows.map(({ customerId, ...stay }) => [customerId, { ...stay, recentStays: Number(stay.recentStays) }]))
}

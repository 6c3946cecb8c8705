import type { Executor } from '../../../platform/database'
import { addDays, dayOf, mondayOf, startOfDay } from '../rules/companyDay'
import { holdingCap } from '../rules/holding'
import { rulesFor } from '../../../rules'

/** What one member of staff has used of the claim limits and of the holding cap, and what they are (CRM rules 9.3 and 9.4). */
export interface Usage {
  deptIds: readonly string[]
  claimsToday: number
  daily: number
  claimsThisWeek: number
  weekly: number
  /** Customers that count against the cap, and the cap. */
  counted: number
  cap: number
}

interface StaffRow {
  id: string
  position: string
  hiredOn: string | null
  deptIds: string[] | null
  mainDeptId: string | null
  today: number
  week: number
}

/** Usages of members of staff, in their order. */
export async function usagesOf(db: Executor, staffIds: readonly string[], now: Date): Promise<Usage[]> {
  const zone = db.companyTimeZone
  const today = dayOf(now, zone)
  const people = [...new Set(staffIds)]
  const asked = people.map((staffId) => ({ staffId }))
  const claims = await rulesFor(db, 'crm.claim', now, asked)
  const retentions = await rulesFor(db, 'crm.retention', now, asked)
  const { rows: staff } = await db.query<StaffRow>(
    `select s.id, s.position, s.hired_on::text as "hiredOn", s.dept_ids as "deptIds", s.main_dept_id as "mainDeptId",
       (select count(*) from crm_owner_log l where l.to_staff_id = s.id and l.action = 'claim' and l.at >= $2 and l.deleted_at is null) as today,
       (select count(*) from crm_owner_log l where l.to_staff_id = s.id and l.action = 'claim' and l.at >= $3 and l.deleted_at is null) as week
     from sys_staff s where s.id = any($1::text[])`,
    [people, startOfDay(today, zone), startOfDay(mondayOf(today), zone)],
  )
  const counting = people.map((id, index) => {
    const { excludeFrozen, excludeLevelA, excludeDealt, dealtTrafficDays } = retentions[index]!
    return {
      id,
      frozen: excludeFrozen,
      a: excludeLevelA,
      dealt: excludeDealt,
      since: startOfDay(addDays(today, -dealtTrafficDays), zone),
    }
  })
  const { rows: held } = await db.query<{ id: string; counted: number }>(
    `select p.id, (select count(*) from crm_customer c where c.owner_id = p.id and c.deleted_at is null
       and not (p.frozen and c.holding = 'frozen') and not (p.a and c.level = 'a')
       and not (p.dealt and c.stage = 'dealt' and coalesce(c.last_traffic_at >= p.since, false))) as counted
     from jsonb_to_recordset($1::jsonb) as p(id text, frozen boolean, a boolean, dealt boolean, since timestamptz)`,
    [JSON.stringify(counting)],
  )
  const [known, counted] = [new Map(staff.map((row) => [row.id, row])), new Map(held.map((row) => [row.id, Number(row.counted)]))]
  const usages = new Map(
    people.map((id, index): [string, Usage] => {
      const { position = '', hiredOn = null, deptIds, mainDeptId, today: claimed = 0, week = 0 } = known.get(id) ?? {}
      const claim = claims[index]!
      const newcomer = hiredOn !== null && addDays(hiredOn, claim.newcomerDays) > today
      return [
        id,
        {
          deptIds: [...new Set([...(deptIds ?? []), ...(mainDeptId ? [mainDeptId] : [])])],
          claimsToday: Number(claimed),
          daily: newcomer ? claim.newcomerDaily : claim.dailyClaims,
          claimsThisWeek: Number(week),
          weekly: claim.weeklyClaims,
          counted: counted.get(id) ?? 0,
          cap: holdingCap({ position, hiredOn }, retentions[index]!, today),
        },
      ]
    }),
  )
  return staffIds.map((id) => usages.get(id)!)
}

/** The usage of one member of staff. */
export const usageOf = async (db: Executor, staffId: string, now: Date): Promise<Usage> =>
  (await usagesOf(db, [staffId], now))[0]!

/** How many customers a person can still claim now: what is left of the day, the week and the holding cap. */
export const claimsLeft = ({ daily, claimsToday, weekly, claimsThisWeek, cap, counted }: Omit<Usage, 'deptIds'>): number =>
  Math.max(0, Math.min(daily - claimsToday, weekly - claimsThisWeek, cap - counted))

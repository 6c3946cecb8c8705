import type { Executor } from '../../../platform/database'
import type { ClaimUsage } from '../rules/claiming'
import { addDays, dayOf, mondayOf, startOfDay } from '../rules/companyDay'
import { holdingCap } from '../rules/holding'
import { ruleFor } from './rules'

interface StaffRow {
  id: string
  position: string
  hiredOn: string | null
  status: string
  deptIds: string[] | null
  path: string | null
}

/** What one member of staff has used of the claim limits and of the holding cap (CRM rules 9.3 and 9.4). */
export async function usageOf(
  db: Executor,
  staffId: string,
  now: Date,
  timeZone: string,
): Promise<ClaimUsage & { status: string }> {
  const { rows } = await db.query<StaffRow>(
    `select s.id, s.position, s.hired_on::text as "hiredOn", s.status, s.dept_ids as "deptIds", d.path
     from sys_staff s left join sys_department d on d.id = s.main_dept_id where s.id = $1`,
    [staffId],
  )
  const staff = rows[0]
  const today = dayOf(now, timeZone)
  const path = (staff?.path ?? '').split('/').filter(Boolean)
  const retention = await ruleFor(db, 'crm.retention', now, { staffId, deptIds: path })
  const { rows: claims } = await db.query<{ today: number; week: number }>(
    `select count(*) filter (where at >= $2) as today, count(*) as week from crm_owner_log where to_staff_id = $1 and action = 'claim' and at >= $3 and deleted_at is null`,
    [staffId, startOfDay(today, timeZone), startOfDay(mondayOf(today), timeZone)],
  )
  const activeSince = startOfDay(addDays(today, -retention.dealtTrafficDays), timeZone)
  const { rows: held } = await db.query<{ counted: number }>(
    `select count(*) as counted from crm_customer where owner_id = $1 and deleted_at is null
       and not ($2::boolean and holding = 'frozen') and not ($3::boolean and level = 'a')
       and not ($4::boolean and stage = 'dealt' and coalesce(last_traffic_at >= $5::timestamptz, false))`,
    [staffId, retention.excludeFrozen, retention.excludeLevelA, retention.excludeDealt, activeSince],
  )
  return {
    staffId,
    deptIds: [...new Set([...(staff?.deptIds ?? []), ...path.slice(-1)])],
    hiredOn: staff?.hiredOn ?? null,
    claimsToday: Number(claims[0]?.today ?? 0),
    claimsThisWeek: Number(claims[0]?.week ?? 0),
    counted: Number(held[0]?.counted ?? 0),
    cap: holdingCap({ position: staff?.position ?? '', hiredOn: staff?.hiredOn ?? null }, retention, today),
    status: staff?.status ?? 'left',
  }
}

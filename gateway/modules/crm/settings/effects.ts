import type { Text } from '../../../platform/http'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { MOST_ROWS, nextDue, type JobReport } from '../../../platform/jobs'
import { dueCustomers } from '../jobs/recycle/due'
import { holdingsOf } from '../services/holdings'
import { addDays, dayOf, startOfDay } from '../rules/companyDay'
import { holdingCap } from '../rules/holding'
import { NOTICE_DAYS } from '../rules/recycling'
import { ruleBook, type RuleTypes } from '../../../rules'
import { staffName } from '../../../staff'

export interface EffectPlace {
  engine: EntityEngine
  database: Database
  timeZone: string
  now: Date
}
/** Who would be recycled, when, and who no longer. */
export async function seaEffect(set: RuleTypes['crm.sea'], { engine, database, timeZone, now }: EffectPlace): Promise<JobReport> {
  const book = await ruleBook(database, 'crm.sea', now)
  const tonight = dayOf(nextDue({ every: 'day', at: '02:00' }, now, timeZone), timeZone)
  const place = { today: tonight, timeZone, holdings: holdingsOf((entity) => engine.names().includes(entity)), book }
  const asItIs = await dueCustomers(database, place)
  const proposed = await dueCustomers(database, { ...place, book: { ...book, set } })
  // the notice is over on this night: what the new rule takes then
  const later = addDays(tonight, NOTICE_DAYS)
  const afterNotice = await dueCustomers(database, { ...place, book: { ...book, set } }, { by: later })
  const ids = new Set(asItIs.map(({ id }) => id))
  const fresh = afterNotice.filter(({ id }) => !ids.has(id))
  const stay = new Set(afterNotice.map(({ id }) => id))
  const spared = asItIs.filter(({ id }) => !stay.has(id)).length
  const shown = [...proposed.map((one) => ({ ...one, night: tonight })), ...fresh.map((one) => ({ ...one, night: later }))]
  return {
    figures: [
      { id: 'tonight', title: { zh: '今晚回收', en: 'Recycled tonight' }, value: Math.min(set.maxPerNight, proposed.length) },
      { id: 'fresh', title: { zh: '通知期后新增', en: 'More after the notice' }, value: fresh.length },
      { id: 'spared', title: { zh: '不再回收', en: 'No longer recycled' }, value: spared },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'owner', title: { zh: '负责人', en: 'Owner' } },
      { id: 'night', title: { zh: '最早', en: 'Earliest' }, kind: 'day' },
      { id: 'reason', title: { zh: '原因', en: 'Reason' } },
    ],
    rows: shown.slice(0, MOST_ROWS).map(({ id, name, code, owner, night, reason }) => ({
      id,
      customer: `${name} (${code})`,
      owner,
      night,
      reason,
    })),
    more: Math.max(0, shown.length - MOST_ROWS),
  }
}

/** Who holds more than the cap. */
export async function capEffect(rule: RuleTypes['crm.retention'], { database, timeZone, now }: EffectPlace): Promise<JobReport> {
  const today = dayOf(now, timeZone)
  const { rows } = await database.query<{ id: string; name: Text; position: string; hiredOn: string | null; counted: number }>(
    `select s.id, ${staffName('s')} as name, s.position, s.hired_on::text as "hiredOn",
       count(c.id) filter (where not ($1::boolean and c.holding = 'frozen') and not ($2::boolean and c.level = 'a')
         and not ($3::boolean and c.stage = 'dealt' and coalesce(c.last_traffic_at >= $4, false))) as counted
     from sys_staff s join crm_customer c on c.owner_id = s.id and c.deleted_at is null where s.status <> 'left' and s.deleted_at is null
     group by s.id order by counted desc`,
    [rule.excludeFrozen, rule.excludeLevelA, rule.excludeDealt, startOfDay(addDays(today, -rule.dealtTrafficDays), timeZone)],
  )
  const table = rows.map((row) => {
    const counted = Number(row.counted)
    const cap = holdingCap(row, rule, today)
    return { id: row.id, staff: row.name, counted, cap, over: Math.max(0, counted - cap) }
  })
  return {
    figures: [
      { id: 'over', title: { zh: '超过上限', en: 'Above the cap' }, value: table.filter(({ over }) => over > 0).length },
      {
        id: 'near',
        title: { zh: '接近上限', en: 'Near the cap' },
        value: table.filter(({ counted, cap, over }) => over === 0 && counted * 100 >= cap * rule.warnAt).length,
      },
    ],
    columns: [
      { id: 'staff', title: { zh: '员工', en: 'Staff' } },
      { id: 'counted', title: { zh: '计入', en: 'Counted' }, kind: 'number' },
      { id: 'cap', title: { zh: '上限', en: 'Cap' }, kind: 'number' },
      { id: 'over', title: { zh: '超出', en: 'Over' }, kind: 'number' },
    ],
    rows: table.slice(0, MOST_ROWS),
    more: Math.max(0, table.length - MOST_ROWS),
  }
}

/** How many customers use each domain. */
export async function domainEffect(
  { domains }: RuleTypes['crm.domain'],
  { database }: Pick<EffectPlace, 'database'>,
): Promise<JobReport> {
  const names = domains.map(({ domain }) => domain)
  const { rows } = await database.query<{ domain: string; customers: number }>(
    `select d.domain, count(c.id) as customers from unnest($1::text[]) as d(domain)
     left join crm_customer c on c.domains ? d.domain and c.deleted_at is null group by d.domain order by customers desc, d.domain`,
    [names],
  )
  return {
    figures: [{ id: 'domains', title: { zh: '域名', en: 'Domains' }, value: names.length }],
    columns: [
      { id: 'domain', title: { zh: '域名', en: 'Domain' } },
      { id: 'customers', title: { zh: '使用的客户', en: 'Customers that use it' }, kind: 'number' },
    ],
    rows: rows.slice(0, MOST_ROWS).map(({ domain, customers }) => ({ id: domain, domain, customers: Number(customers) })),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}

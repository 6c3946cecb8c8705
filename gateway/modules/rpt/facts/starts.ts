import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Day } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'

/** Thresholds of traffic that starts, ramps up or falls silent (quotes-traffic 7.4); messages by segments, calls by minutes. */
export interface StartThresholds {
  firstSegments: number
  firstMinutes: number
  rampFactor: number
  rampSegments: number
  rampMinutes: number
}

/** Days without traffic before a first use. */
const QUIET = 90
/** Days that a start is told for. */
const TOLD = 90

/**
 * Works out which accounts start, ramp up or fall silent in a country, from the facts of days through the day before `today`. First uses of the last 90 days are told anew;
 * ramps and silences of the last 7 days replace those that were found in them. Answers how many are told.
 */
export async function findStarts(tx: Executor, today: Day, thresholds: StartThresholds, now: Date): Promise<number> {
  const { firstSegments, firstMinutes, rampFactor, rampSegments, rampMinutes } = thresholds
  const at = sql`${now.toISOString()}::timestamptz`
  const starts = sql.raw(tableOf('rpt.trafficStart'))
  await tx.query(sql`delete from ${starts} where kind = 'firstUse' or day >= ${today}::date - 7`)
  const { rows } = await tx.query<{ id: string }>(
    sql`with daily as (
        select case when product in ('voice', 'aiVoice', 'otpVoice') then 'voice' else 'sms' end as product, customer_id, account_id, country, currency, day, sum(units) as units, sum(revenue) as revenue
        from ${sql.raw(tableOf('rpt.trafficDay'))} where product in ('sms', 'otpSms', 'voice', 'aiVoice', 'otpVoice') and deleted_at is null
          and day >= ${today}::date - ${QUIET + TOLD}::int and day < ${today}::date group by 1, 2, 3, 4, 5, 6 having sum(units) > 0),
      stepped as (select d.*, d.day - lag(day) over own as gap from daily d window own as (partition by product, account_id, country order by day)),
      sides as (
        select product, customer_id, account_id, country, currency, max(day) as last,
          coalesce(sum(units) filter (where day >= ${today}::date - 7), 0) as recent, coalesce(sum(units) filter (where day < ${today}::date - 7 and day >= ${today}::date - 35), 0) / 4 as mean
        from daily group by 1, 2, 3, 4, 5),
      least as (select * from (values ('sms', ${firstSegments}::numeric, ${rampSegments}::numeric), ('voice', ${firstMinutes * 60}::numeric, ${rampMinutes * 60}::numeric)) x(product, first, ramp)),
      found as (
        select 'firstUse' as kind, s.day, s.product, s.customer_id, s.account_id, s.country, s.currency from stepped s join least l using (product)
          where s.units >= l.first and s.day >= ${today}::date - ${TOLD}::int and coalesce(s.gap > ${QUIET}, true)
        union all
        select 'ramp', ${today}::date - 7, s.product, s.customer_id, s.account_id, s.country, s.currency from sides s join least l using (product)
          where s.mean > 0 and s.recent >= l.ramp and s.recent >= ${rampFactor}::numeric * s.mean
        union all
        select 'silent', s.last + 1, s.product, s.customer_id, s.account_id, s.country, s.currency from sides s join least l using (product)
          where s.recent = 0 and s.mean >= l.ramp and s.last + 1 >= ${today}::date - 8)
      insert into ${starts} (id, created_at, updated_at, created_by, updated_by, version, kind, day, product, customer_id, account_id, owner_id, country, currency, volume7, volume_before, volume_since, revenue_since)
      select ${newId()} || '-' || row_number() over (), ${at}, ${at}, '', '', 1, f.kind, f.day, f.product, f.customer_id, f.account_id, c.owner_id, f.country, f.currency,
        round(s.recent)::bigint, round(s.mean)::bigint, round(coalesce(t.units, 0))::bigint, coalesce(t.revenue, 0)
      from found f join ${sql.raw(tableOf('crm.customer'))} c on c.id = f.customer_id
        join sides s on s.product = f.product and s.account_id = f.account_id and s.country is not distinct from f.country and s.currency is not distinct from f.currency
        left join lateral (select sum(d.units) as units, sum(d.revenue) as revenue from daily d where d.product = f.product and d.account_id = f.account_id and d.country is not distinct from f.country and d.day >= f.day) t on true
      returning id`,
  )
  return rows.length
}

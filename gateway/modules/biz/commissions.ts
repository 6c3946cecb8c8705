import { sql, type SQL } from 'drizzle-orm'
import { convertedSql, tableOf, thereIs } from '../../entities'
import { addDays, type Day } from '../../platform/calendar'
import type { Executor } from '../../platform/database'
import { longestWait } from './lock/lock'

const COMMISSION = sql.raw(tableOf('biz.commission'))
const PROMOTER = sql.raw(tableOf('biz.starPromoter'))
const CUSTOMER = sql.raw(tableOf('crm.customer'))
const FACTS = sql.raw(tableOf('rpt.trafficDay'))

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

/**
 * First day of the earliest month that is not locked on a day: the one before stays open until receipts of its last day had their time in every
 * zone, also in those behind the company's.
 */
const openMonth = (today: Day, waitHours: number): Day => monthOf(addDays(today, -(Math.ceil(waitHours / 24) + 1)))

export interface PromoterCommissions {
  /** Rows of open months, new or counted again. */
  earning: number
  /** Rows of months that are locked from now on and can be withdrawn. */
  locked: number
  /** Rows of open months whose customer has another star promoter now, or none. */
  lost: number
  /** What the star promoters earned so far in the running month, the most first. USD. */
  promoters: { id: string; promoter: string; customers: number; earned: string }[]
}

/** What active star promoters earn of the months since `from`, by month, customer and product: of the days since they joined. */
const earnedSince = (from: Day, today: Day): SQL => {
  const usd = (amount: string, currency: string): SQL =>
    convertedSql({ amount: sql.raw(amount), currency: sql.raw(currency), day: sql`d.day` }, 'USD')
  return sql`
    select 'cp-' || md5(concat_ws(' ', m.promoter_id, m.customer_id, m.month, m.product)) as id, m.promoter_id, m.promoter, m.customer_id, m.month, m.product,
      round(m.revenue, 2) as revenue, round(m.revenue - m.cost, 2) as profit, m.rate, round(greatest(m.revenue - m.cost, 0) * m.rate / 100, 2) as earned,
      not exists (select from ${FACTS} e where e.customer_id = m.customer_id and e.day < m.month and e.units > 0 and e.deleted_at is null) as first_use
    from (
      select d.promoter_id, d.promoter, d.rate, d.customer_id, date_trunc('month', d.day)::date as month, d.product,
        coalesce(sum(${usd('d.revenue', 'd.currency')}), 0) as revenue, coalesce(sum(${usd('d.cost', 'd.cost_currency')}), 0) as cost
      from (
        select p.id as promoter_id, p.name as promoter, p.commission_rate as rate, f.customer_id, f.day, f.product, f.currency, f.cost_currency,
          sum(f.revenue) as revenue, sum(f.cost) as cost
        from ${PROMOTER} p join ${CUSTOMER} c on c.promoter_id = p.id and c.deleted_at is null
          join ${FACTS} f on f.customer_id = c.id and f.deleted_at is null and f.day >= p.joined_at and f.day >= ${from}::date and f.day <= ${today}::date
        where p.status = 'on' and p.deleted_at is null group by 1, 2, 3, 4, 5, 6, 7, 8) d
      group by 1, 2, 3, 4, 5, 6) m`
}

/**
 * Writes the commission of star promoters (biz.commission) from the facts of days: profit with their customers by their rate, never under 0.
 * Months that are not locked yet are made anew; a month is locked when the last of its days is, and rows that are locked, requested or
 * paid stay as they are. A customer is paid for once a month and product: a row of another promoter that is locked keeps it. What a promoter
 * who was stopped had earned until then stays. Running it twice changes nothing more; without facts of traffic here it does nothing.
 * @param from first day of the first month that is made anew, for a world that is filled: by default the first that is open
 */
export async function refreshPromoterCommissions(
  db: Executor,
  { now, today, from, dry = false }: { now: Date; today: Day; from?: Day; dry?: boolean },
): Promise<PromoterCommissions> {
  if (!(await thereIs(db, 'rpt.trafficDay'))) return { earning: 0, locked: 0, lost: 0, promoters: [] }
  const at = now.toISOString()
  const open = openMonth(today, await longestWait(db, now))
  const since = from ?? (await firstEarning(db, open))
  const { rows: promoters } = await db.query<PromoterCommissions['promoters'][number]>(sql`
    select e.promoter_id as id, e.promoter, count(distinct e.customer_id)::int as customers, sum(e.earned)::text as earned
    from (${earnedSince(monthOf(today), today)}) e group by 1, 2 order by sum(e.earned) desc, 1`)
  const found = sql`from (${earnedSince(since, today)}) e left join ${COMMISSION} k on k.promoter_id = e.promoter_id and k.customer_id = e.customer_id
      and k.month = e.month and k.product = e.product and k.deleted_at is null
    where (k.id is null or k.status = 'earning') and not exists (select from ${COMMISSION} other where other.party_kind = 'promoter'
      and other.promoter_id <> e.promoter_id and other.customer_id = e.customer_id and other.month = e.month and other.product = e.product
      and other.status <> 'earning' and other.deleted_at is null)`
  const lostRows = sql`${COMMISSION} k where k.party_kind = 'promoter' and k.status = 'earning' and k.deleted_at is null and k.month >= ${open}::date
    and exists (select from ${CUSTOMER} c where c.id = k.customer_id and c.deleted_at is null and c.promoter_id is distinct from k.promoter_id)`
  const over = sql`party_kind = 'promoter' and status = 'earning' and deleted_at is null and month < ${open}::date`
  if (dry) {
    const { rows } = await db.query<{ earning: number; locked: number; lost: number }>(sql`
      select count(*)::int as earning, (select count(*)::int from ${lostRows}) as lost,
        (select count(*)::int from ${COMMISSION} where ${over}) as locked ${found}`)
    return { earning: rows[0]?.earning ?? 0, locked: rows[0]?.locked ?? 0, lost: rows[0]?.lost ?? 0, promoters }
  }
  const { rowCount: lost } = await db.query(sql`delete from ${lostRows}`)
  const { rowCount: earning } = await db.query(sql`
    insert into ${COMMISSION} (id, party_kind, promoter_id, customer_id, month, product, revenue, profit, rate, earned, first_use, withdrawn, status, created_at, updated_at, version)
    select coalesce(k.id, e.id), 'promoter', e.promoter_id, e.customer_id, e.month, e.product, e.revenue, e.profit, e.rate, e.earned, e.first_use, 0, 'earning', ${at}, ${at}, 1 ${found}
    on conflict (id) do update set revenue = excluded.revenue, profit = excluded.profit, rate = excluded.rate, earned = excluded.earned,
      first_use = excluded.first_use, updated_at = excluded.updated_at, version = ${COMMISSION}.version + 1`)
  const { rowCount: locked } = await db.query(
    sql`update ${COMMISSION} set status = 'locked', updated_at = ${at}, version = version + 1 where ${over}`,
  )
  return { earning, locked, lost, promoters }
}

/** The first open month, or an earlier one that was not locked in its time: its days changed until they were. */
async function firstEarning(db: Executor, open: Day): Promise<Day> {
  const { rows } = await db.query<{ month: string | null }>(
    sql`select least(min(month), ${open}::date)::text as month from ${COMMISSION} where party_kind = 'promoter' and status = 'earning' and deleted_at is null`,
  )
  return (rows[0]?.month as Day | null) ?? open
}

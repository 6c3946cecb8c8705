import { sql, type SQL } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import { dayOf, type Day } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'

const RATES = sql.raw(tableOf('sys.exchangeRate'))

/** CNY for one unit of a currency on a day. */
const cny = (currency: SQL, day: SQL): SQL =>
  sql`(select x.rate from ${RATES} x where x.kind = 'xe' and x.quote = 'CNY' and x.base = ${currency} and x.date <= ${day} and x.rate > 0 and x.deleted_at is null order by x.date desc limit 1)`

/** The day on which the accounts of customers were opened: figures of its month and before came with them. */
const OPENED = sql`(select coalesce(max(biz_date), '-infinity'::date) from fin_ledger_entry where type = 'opening' and account_kind = 'customer')`

/** What a leg of revenue or cost comes to in USD; `plus` is its direction. */
const usd = (plus: 'credit' | 'debit'): SQL =>
  sql`(case r.direction when ${plus} then 1 else -1 end) * case r.currency when 'USD' then r.amount else r.base_amount / ${cny(sql`'USD'`, sql`r.biz_date`)} end`

/** `sms` of `REV:sms@hk:USD`. */
const PRODUCT = sql`split_part(split_part(r.account_id, '@', 1), ':', 2)`

/** Revenue in USD by customer account, product and month: what the ledger has on `REV:{product}` against the accounts. */
const revenue = (
  where: SQL,
): SQL => sql`select a.customer_id, e.account_id, date_trunc('month', r.biz_date)::date as month, ${PRODUCT} as product, r.posted_at, r.biz_date, ${usd('credit')} as revenue
  from fin_ledger_entry r join fin_ledger_entry e on e.posting_id = r.posting_id and e.account_kind = 'customer' join fin_customer_account a on a.id = e.account_id
  where r.account_kind = 'system' and r.account_id like 'REV:%' and ${where}`

/** Products of accounts that are other words than those of traffic. */
const TRAFFIC = sql`case a.product when 'otp' then 'otpSms' else a.product end`

/**
 * Writes `fin.customerMonth` of a month from the ledger, through the day before `today`; the same again changes nothing. Revenue is what was credited to `REV:{product}`.
 * Cost is what the days of the account say; where they say none, what the product cost in the ledger, shared by revenue. Late is the bill that was late the longest in the
 * month. A row that has nothing any more is set to 0. Answers how many rows changed.
 */
export async function writeCustomerMonth(tx: Executor, month: Day, { today, now }: { today: Day; now: Date }): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`
  const [from, to] = [sql`${month}::date`, sql`least((${month}::date + interval '1 month')::date, ${today}::date)`]
  const within = (day: SQL): SQL => sql`${day} >= ${from} and ${day} < ${to}`
  const { rows } = await tx.query<{ id: string }>(
    sql`with earned as (select customer_id, account_id, product, sum(revenue) as revenue from (${revenue(within(sql`r.biz_date`))}) x group by 1, 2, 3),
      cost as (select ${PRODUCT} as product, sum(${usd('debit')}) as cost from fin_ledger_entry r where r.account_kind = 'system' and r.account_id like 'COS:%' and ${within(sql`r.biz_date`)} group by 1),
      whole as (select product, sum(revenue) as revenue from earned group by 1),
      owned as (select account_id, sum(revenue) as revenue, count(*) as products from earned group by 1),
      units as (select account_id, product, sum(units) as units from fin_usage u where u.posting_id is not null and u.deleted_at is null and ${within(sql`u.day`)} group by 1, 2),
      days as (select d.account_id, sum(d.volume) as volume, sum(case d.currency when 'USD' then d.cost else d.cost * ${cny(sql`d.currency`, sql`d.day`)} / ${cny(sql`'USD'`, sql`d.day`)} end) as cost
        from fin_account_day d where not coalesce(d.test, false) and d.deleted_at is null and ${within(sql`d.day`)} group by 1),
      told as (
        select e.customer_id, e.product, e.revenue,
          coalesce(d.cost * case when o.revenue = 0 then 1.0 / o.products else e.revenue / o.revenue end, c.cost * case when w.revenue = 0 then 0 else e.revenue / w.revenue end, 0) as cost,
          coalesce(u.units, case when o.revenue = 0 then d.volume / o.products else d.volume * e.revenue / o.revenue end, 0) as messages
        from earned e join owned o using (account_id) join whole w using (product) left join days d using (account_id) left join cost c using (product) left join units u on u.account_id = e.account_id and u.product = e.product),
      bills as (
        select l.account_id, coalesce(l.deferred_to, l.due_date) as due, case when l.open_amount = 0 then (select max(y.at at time zone ${tx.companyTimeZone})::date from fin_allocation y where y.bill_id = l.id and y.status = 'live' and y.deleted_at is null) end as settled
        from fin_bill l where l.side = 'customer' and l.status in ('issued', 'partPaid', 'disputed', 'paid') and l.total > 0 and l.deleted_at is null),
      late as (
        select a.customer_id, max(least(${to} - 1, b.settled) - b.due) as days, min(${TRAFFIC}) as product
        from bills b join fin_customer_account a on a.id = b.account_id where b.due < ${to} - 1 and (b.settled is null or b.settled >= ${from}) group by 1),
      fresh as (
        select customer_id, product, sum(revenue) as revenue, sum(revenue - cost) as profit, sum(messages) as messages from (
          select customer_id, product, revenue, cost, messages from told
          union all select customer_id, product, 0, 0, 0 from late where days > 0
          union all select m.customer_id, m.product, 0, 0, 0 from fin_customer_month m where m.month = ${from} and m.deleted_at is null) x group by 1, 2)
      insert into fin_customer_month as m (id, customer_id, month, product, revenue, profit, messages, overdue_days, created_at, updated_at, created_by, updated_by, version)
      select ${newId()} || '-' || row_number() over (order by f.customer_id, f.product), f.customer_id, ${from}, f.product, round(f.revenue, 2), round(f.profit, 2), round(f.messages)::bigint, greatest(coalesce(l.days, 0), 0), ${at}, ${at}, '', '', 1
      from fresh f left join late l using (customer_id)
      on conflict (customer_id, month, product) where deleted_at is null do update set revenue = excluded.revenue, profit = excluded.profit, messages = excluded.messages, overdue_days = excluded.overdue_days, updated_at = excluded.updated_at, version = m.version + 1
      where (m.revenue, m.profit, m.messages, m.overdue_days) is distinct from (excluded.revenue, excluded.profit, excluded.messages, excluded.overdue_days)
      returning m.id`,
  )
  return rows.length
}

/**
 * The months whose figures the ledger knows and that are to be written: this one and the one before, those that were posted into since a day, and those that have no figures
 * yet. Months up to the opening of the ledger are never among them.
 */
export async function monthsToWrite(db: Executor, { today, since }: { today: Day; since: Day }): Promise<Day[]> {
  const { rows } = await db.query<{ month: string }>(
    sql`select x.month::text from (select date_trunc('month', biz_date)::date as month, max(posted_at) as posted_at from fin_ledger_entry where account_kind = 'system' and account_id like 'REV:%' group by 1) x
      where x.month > ${OPENED} and x.month <= ${today}::date
        and (x.month >= date_trunc('month', ${today}::date) - interval '1 month' or x.posted_at >= ${since}::date or not exists (select 1 from fin_customer_month m where m.month = x.month and m.deleted_at is null))
      order by 1`,
  )
  return rows.map(({ month }) => month)
}

/** Figures of the ledger's months against it: what was posted when they were written, through the day before. */
export const customerMonthDrift = (
  zone: string,
): SQL => sql`select m.id, m.revenue is distinct from round(coalesce(sum(x.revenue), 0), 2) as wrong
  from fin_customer_month m left join (${revenue(sql`r.biz_date > ${OPENED}`)}) x on x.customer_id = m.customer_id and x.month = m.month and x.product = m.product
    and x.posted_at <= m.updated_at and x.biz_date < (m.updated_at at time zone ${zone})::date
  where m.month > ${OPENED} and m.deleted_at is null group by m.id, m.revenue`

/** Works out again the months of some figures. */
export async function rewriteMonths(tx: Executor, ids: readonly string[], now: Date): Promise<void> {
  const { rows } = await tx.query<{ month: string }>(
    sql`select distinct month::text from fin_customer_month where id = any(${sql.param([...ids])}::text[]) order by 1`,
  )
  for (const { month } of rows) await writeCustomerMonth(tx, month, { today: dayOf(now, tx.companyTimeZone), now })
}

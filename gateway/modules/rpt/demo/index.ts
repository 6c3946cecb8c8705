import { sql, type SQL } from 'drizzle-orm'
import type { DemoPart } from '../../../demo'
import { tableOf, thereIs } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { buildTakenOverDays } from '../facts/build'
import { findStarts } from '../facts/starts'
import { dayOf } from '../../../platform/calendar'
import { fillPromoterCommissions } from '../../biz'

/** Days whose hours are known; of older ones the demo world has the whole day as one hour. */
const HOURLY_DAYS = 14

/** Countries of traffic with their weight of a hundred, heaviest first. */
const COUNTRIES = [
  ['IN', 28],
  ['ID', 18],
  ['BR', 14],
  ['PH', 12],
  ['US', 10],
  ['MX', 8],
  ['NG', 6],
  ['DE', 4],
] as const
/** Hours of the company's day that carry traffic, with what was sent until their end, of a hundred. */
const HOURS = [
  [10, 36],
  [14, 63],
  [18, 100],
] as const

/**
 * The traffic of the demo company before its records were kept here: what days of accounts say (`fin.accountDay`), by country and hour and with the suppliers that carried it, as
 * facts that were taken over. Sums of an account's day are its figures to the last digit.
 */
export const rptDemo: DemoPart = {
  make: () => undefined,
  filled: async (world, _, tx) => {
    const { now } = world
    const today = dayOf(now, tx.companyTimeZone)
    await tx.query(
      sql`create temp table rpt_shared on commit drop as ${shares(today, tx.companyTimeZone, await thereIs(tx, 'srm.supplierAccount'))}`,
    )
    for (const fact of FACTS) await tx.query(factOf(fact, now))
    await buildTakenOverDays(tx, now)
    await numbers(tx, now)
    await contents(tx, today, now)
    await targets(tx, today, now)
    const thresholds = { firstSegments: 100, firstMinutes: 60, rampFactor: 3, rampSegments: 1000, rampMinutes: 600 }
    await findStarts(tx, today, thresholds, now)
    await fillPromoterCommissions(world, tx)
  },
}

const values = (rows: readonly (readonly (string | number)[])[]): SQL =>
  sql.raw(rows.map((row) => `(${row.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')})`).join(', '))
/** A whole number that hangs on a text alone. */
const chance = (text: string, below: number): string => `(abs(hashtext(${text})::bigint) % ${below})`
/** What lies between two shares of an amount; the last share takes what is left. */
const between = (amount: string, from: string, to: string, digits: number): string =>
  `(round(${amount} * ${to} / 100.0, ${digits}) - round(${amount} * ${from} / 100.0, ${digits}))`

/** Days of accounts, parted by country and hour, with who carried them. */
function shares(today: string, zone: string, suppliers: boolean): SQL {
  const carriers = suppliers
    ? sql`select s.id, s.supplier_id, s.buyer_id, s.currency, s.kind, row_number() over (partition by s.kind order by s.id) - 1 as n, count(*) over (partition by s.kind) as of
      from ${sql.raw(tableOf('srm.supplierAccount'))} s where s.deleted_at is null`
    : sql`select null::text as id, null::text as supplier_id, null::text as buyer_id, null::text as currency, '' as kind, 0 as n, 1 as of where false`
  return sql`with accounts as (
      select a.id, a.customer_id, case a.product when 'otp' then 'otpSms' else a.product end as product, a.currency, c.owner_id
      from ${sql.raw(tableOf('fin.customerAccount'))} a join ${sql.raw(tableOf('crm.customer'))} c on c.id = a.customer_id where a.product in ('sms', 'voice', 'whatsapp', 'otp', 'number')),
    suppliers as (${carriers}),
    countries as (select * from (values ${values(COUNTRIES.map(([country], index) => [index, country]))}) x(n, country)),
    -- two countries an account: 65 and 35 of a hundred
    days as (
      select a.id as account_id, a.customer_id, a.product, a.owner_id, d.day, d.volume, d.revenue, d.cost, p.n as part, p.low, p.high,
        (${sql.raw(chance(`a.id || p.n`, 8))} + p.n * 3) % 8 as country_no, d.day >= ${today}::date - ${HOURLY_DAYS}::int as hourly
      from ${sql.raw(tableOf('fin.accountDay'))} d join accounts a on a.id = d.account_id cross join (values (0, 0, 65), (1, 65, 100)) p(n, low, high)
      where not coalesce(d.test, false) and d.volume > 0 and d.day < ${today}::date),
    parted as (
      select d.*, c.country, ${sql.raw(between('d.volume', 'd.low', 'd.high', 0))} as v, ${sql.raw(between('d.revenue', 'd.low', 'd.high', 6))} as r, ${sql.raw(between('d.cost', 'd.low', 'd.high', 6))} as k
      from days d join countries c on c.n = d.country_no),
    hours as (
      select h, lag(upto, 1, 0) over (order by h) as since, upto from (values ${values(HOURS.map((hour) => [...hour]))}) x(h, upto)),
    timed as (
      select p.account_id, p.customer_id, p.product, p.owner_id, p.country, p.part, p.day, coalesce(h.h, 12) as h,
        ${sql.raw(between('p.v', 'coalesce(h.since, 0)', 'coalesce(h.upto, 100)', 0))}::bigint as units, ${sql.raw(between('p.r', 'coalesce(h.since, 0)', 'coalesce(h.upto, 100)', 6))} as revenue, ${sql.raw(between('p.k', 'coalesce(h.since, 0)', 'coalesce(h.upto, 100)', 6))} as cost
      from parted p left join hours h on p.hourly)
    select t.*, (t.day + make_interval(hours => t.h)) at time zone ${zone} as hour_at, s.id as supplier_account_id, s.supplier_id, s.buyer_id,
      80 + ${sql.raw(chance(`t.account_id || t.country`, 18))} as delivered_of
    from timed t left join suppliers s on s.kind = case t.product when 'voice' then 'vos' when 'whatsapp' then 'social' when 'number' then 'number' when 'otpSms' then 'otp' else 'sms' end
      and s.n = ${sql.raw(chance(`t.account_id || t.country || 's'`, 1_000_000))} % s.of
    where t.units > 0`
}

interface DemoFact {
  fact: string
  products: readonly string[]
  /** Columns beside those that every fact has, as SQL over a share `s`. */
  columns: Readonly<Record<string, string>>
}

const DELIVERED = 'floor(s.units * s.delivered_of / 100.0)::bigint'
const FACTS: readonly DemoFact[] = [
  {
    fact: 'rpt.smsHour',
    products: ['sms', 'otpSms'],
    columns: {
      product: 's.product',
      traffic_type: `case when s.product = 'otpSms' then 'otp' when s.part = 0 then 'transaction' else 'marketing' end`,
      encoding: `case when s.country in ('IN', 'ID') and s.part = 1 then 'ucs2' else 'gsm7' end`,
      submitted: 's.units + s.units / 50',
      rejected: 's.units / 50',
      accepted: 's.units',
      sent: 's.units',
      delivered: DELIVERED,
      failed: `s.units - ${DELIVERED} - s.units / 40`,
      finished: 's.units - s.units / 40',
      unknown: 's.units / 40',
      late: 's.units / 400',
      seg_sent: 's.units',
      seg_delivered: DELIVERED,
      bill_seg: 's.units',
      cost_seg: 's.units',
      latency_sum: `${DELIVERED} * (3 + s.part * 5)`,
      latency_count: DELIVERED,
    },
  },
  {
    fact: 'rpt.voiceHour',
    products: ['voice'],
    columns: {
      product: `'voice'`,
      destination: `s.country || ' Mobile'`,
      attempts: 'greatest(1, s.units / 40)',
      answered: 'greatest(1, s.units / 90)',
      busy: 's.units / 400',
      no_answer: 's.units / 160',
      rejected: 's.units / 800',
      net_fail: 's.units / 300',
      reached: 'greatest(1, s.units / 90) + s.units / 400 + s.units / 160 + s.units / 800',
      talk_sec: 's.units',
      bill_sec: 's.units',
      bill_min: 'round(s.units / 60.0, 6)',
      cost_bill_sec: 's.units',
      cost_min: 'round(s.units / 60.0, 6)',
      pdd_ms_sum: 'greatest(1, s.units / 90) * 2400',
      pdd_count: 'greatest(1, s.units / 90)',
    },
  },
  {
    fact: 'rpt.waHour',
    products: ['whatsapp'],
    columns: {
      product: `'whatsapp'`,
      category: `case s.part when 0 then 'marketing' else 'utility' end`,
      sent: 's.units',
      delivered: DELIVERED,
      read: `${DELIVERED} * 2 / 3`,
      failed: `s.units - ${DELIVERED}`,
      billed: DELIVERED,
      free: '0',
    },
  },
]

function factOf({ fact, products, columns }: DemoFact, now: Date): SQL {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`insert into ${sql.raw(tableOf(fact))} (id, created_at, updated_at, created_by, updated_by, version, taken_over, hour_at, day, bill_day, cost_day, customer_id, account_id, owner_id, country, currency, supplier_id, supplier_account_id, buyer_id, cost_currency, revenue, cost, ${sql.raw(Object.keys(columns).join(', '))})
    select 'fact-' || ${fact} || '-' || row_number() over (order by s.hour_at, s.account_id, s.country), ${at}, ${at}, '', '', 1, true, s.hour_at, s.day, s.day, s.day, s.customer_id, s.account_id, s.owner_id, s.country, 'USD', s.supplier_id, s.supplier_account_id, s.buyer_id, 'USD', s.revenue, s.cost, ${sql.raw(Object.values(columns).join(', '))}
    from rpt_shared s where s.product = any(${sql.param([...products])}::text[])`
}

/** Rented numbers are charged by the month, not by records: they stand in the facts of days alone. */
async function numbers(tx: Executor, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.query(
    sql`insert into ${sql.raw(tableOf('rpt.trafficDay'))} (id, created_at, updated_at, created_by, updated_by, version, taken_over, day, bill_day, cost_day, customer_id, account_id, owner_id, country, currency, supplier_id, supplier_account_id, buyer_id, cost_currency, product, submitted, sent, delivered, failed, unknown, rejected, units, cost_units, revenue, cost)
      select 'fact-number-' || row_number() over (order by s.day, s.account_id, s.country), ${at}, ${at}, '', '', 1, true, s.day, s.day, s.day, s.customer_id, s.account_id, s.owner_id, s.country, 'USD', s.supplier_id, s.supplier_account_id, s.buyer_id, 'USD', 'number', sum(s.units), sum(s.units), sum(s.units), 0, 0, 0, sum(s.units), sum(s.units), sum(s.revenue), sum(s.cost)
      from rpt_shared s where s.product = 'number' group by s.day, s.account_id, s.customer_id, s.owner_id, s.country, s.supplier_id, s.supplier_account_id, s.buyer_id`,
  )
}

/** What messages of the last weeks said: two templates an account and country, numbers and links left out. */
const TEMPLATES = [
  ['Your code is #. It is valid for # minutes.', 'otp'],
  ['【云桥】您的验证码为 #，# 分钟内有效，请勿告诉他人。', 'otp'],
  ['Your parcel is out for delivery today between #:# and #:#. Track it at {link}', 'transaction'],
  ['A payment of # was booked to your account ending in #.', 'transaction'],
  ['Final days: #% off everything in store until Sunday. Reply STOP to opt out.', 'marketing'],
  ['New arrivals this week, free delivery over #: {link}', 'marketing'],
] as const

async function contents(tx: Executor, today: string, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  const category = `case when s.product = 'otpSms' then 'otp' when s.part = 0 then 'transaction' else 'marketing' end`
  const delivered = 'floor(x.messages * x.delivered_of / 100.0)'
  await tx.query(
    sql`insert into ${sql.raw(tableOf('rpt.contentDay'))} (id, created_at, updated_at, created_by, updated_by, version, taken_over, day, customer_id, country, category, template_hash, sample_text, messages, delivered)
      with templates as (select said, category, row_number() over (partition by category order by said) - 1 as n from (values ${sql.join(
        TEMPLATES.map(([said, of]) => sql`(${said}, ${of})`),
        sql`, `,
      )}) v(said, category)),
      sent as (
        select s.day, s.customer_id, s.account_id, s.country, ${sql.raw(category)} as category, min(s.delivered_of) as delivered_of, sum(s.units + s.units / 50) as units
        from rpt_shared s where s.product in ('sms', 'otpSms') and s.day >= ${today}::date - 60 group by 1, 2, 3, 4, 5),
      parted as (
        select s.day, s.customer_id, s.country, s.category, t.said, s.delivered_of, case t.n when ${sql.raw(chance('s.account_id', 2))} then s.units - s.units / 4 else s.units / 4 end as messages
        from sent s join templates t using (category))
      select 'fact-content-' || row_number() over (order by x.day, x.customer_id, x.country, x.said), ${at}, ${at}, '', '', 1, true, x.day, x.customer_id, x.country, x.category, md5(x.said), x.said, sum(x.messages), sum(${sql.raw(delivered)})
      from parted x where x.messages > 0 group by x.day, x.customer_id, x.country, x.category, x.said`,
  )
}

/** What the sales people of the last two months were to earn: a tenth above what they did earn the month before. */
async function targets(tx: Executor, today: string, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.query(
    sql`insert into ${sql.raw(tableOf('rpt.target'))} (id, created_at, updated_at, created_by, updated_by, version, staff_id, month, product, revenue_target, profit_target)
      select 'target-' || row_number() over (order by x.month, x.owner_id, x.product), ${at}, ${at}, '', '', 1, x.* from (
        select owner_id, (date_trunc('month', day) + interval '1 month')::date as month, product, round(sum(revenue) * 7.1 * 1.1, -2), round((sum(revenue) - sum(cost)) * 7.1 * 1.1, -2)
        from ${sql.raw(tableOf('rpt.trafficDay'))} where owner_id is not null and day >= date_trunc('month', ${today}::date) - interval '2 months' and day < date_trunc('month', ${today}::date) group by 1, 2, 3
        having sum(revenue) > 100) x`,
  )
}

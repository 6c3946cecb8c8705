import { sql } from 'drizzle-orm'
import { buildFacts } from '../gateway/modules/rpt/facts/build'
import { DIRTY_HOURS } from '../gateway/modules/rpt/facts/guards'
import { verifyFacts } from '../gateway/modules/rpt/verify'
import { ensureDays } from '../gateway/platform/database'
import { systemContext } from '../gateway/platform/http'
import type { QueryPageRequest } from '../gateway/entities'
import type { AggregateRequest } from '../src/schema/model'
import { percentile, queryPage, serveBench, timesOf } from './gatewayServer'
import { fillCustomers, openBench } from './gatewayWorld'

/**
 * Records of messages at volume: asked by account and hour and by number and day, rated when they come in, made facts of, and a year of facts in reports.
 * The method stands in bench/README.md. `npx tsx bench/traffic.ts [data folder] [records] [records that are rated]`
 */
const [dataDir = 'data/bench-traffic', records = '10000000', rated = '1000000'] = process.argv.slice(2)
const [RECORDS, RATED] = [Number(records), Number(rated)]
const DAYS = 5
const DAY = 86_400_000
const ACCOUNTS = 60
const BATCH = 2_000
const WRITERS = 2
const SECONDS = 10
const BARS = { query: 200, facts: 20, report: 300, rating: 60 }

const { database, engine } = await openBench(dataDir, WRITERS + 2)
const today = new Date(Math.floor(Date.now() / DAY) * DAY)
const dayAt = (back: number): Date => new Date(today.getTime() - back * DAY)
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

await fillCustomers(database, 10_000)
const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
const COUNTRIES = ['IN', 'ID', 'BR', 'PH', 'US', 'MX', 'VN', 'NG']
await database.query('truncate fin_customer_account, srm_supplier_account, qm_customer_rate, qm_supplier_rate, sys_exchange_rate')
await engine.transaction(systemContext(), async (entities) => {
  const ids = Array.from({ length: ACCOUNTS }, (_, index) => `a${index}`)
  await entities.insertMany(
    'fin.customerAccount',
    ids.map((id, index) => ({
      ...stamp,
      id,
      code: id,
      name: id,
      customerId: `c${String(index + 1).padStart(9, '0')}`,
      product: 'sms',
      currency: 'USD',
      payMode: 'postpaid',
      status: 'active',
      timezone: 'Asia/Shanghai',
    })),
  )
  await entities.insertMany('srm.supplierAccount', [
    {
      ...stamp,
      id: 's1',
      code: 's1',
      name: 's1',
      supplierId: null,
      kind: 'sms',
      currency: 'USD',
      payMode: 'prepaid',
      status: 'active',
    },
  ])
  const rate = (id: string, more: object) => ({
    ...stamp,
    ...{
      id,
      product: 'sms',
      currency: 'USD',
      billingMode: 'sent',
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      effectiveTo: null,
      status: 'active',
      unit: 'segment',
      source: 'opening',
    },
    ...more,
  })
  await entities.insertMany(
    'qm.customerRate',
    ids.flatMap((accountId, index) =>
      COUNTRIES.map((country) =>
        rate(`r-${accountId}-${country}`, {
          accountId,
          customerId: `c${String(index + 1).padStart(9, '0')}`,
          country,
          rateKey: `sms|${country}|*|direct`,
          price: '0.0045',
        }),
      ),
    ),
  )
  await entities.insertMany(
    'qm.supplierRate',
    COUNTRIES.map((country) =>
      rate(`s-${country}`, { supplierAccountId: 's1', country, rateKey: `sms|${country}|*|direct`, price: '0.0036' }),
    ),
  )
  const exchange = (base: string, date: string, kind: string, value: string) => ({
    ...stamp,
    id: `${kind}-${base}-${date}`,
    base,
    quote: 'CNY',
    date,
    rate: value,
    kind,
  })
  // performance is counted with a rate of each month
  const months = Array.from({ length: 15 }, (_, back) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back)))
  await entities.insertMany('sys.exchangeRate', [
    exchange('USD', '2025-01-01', 'xe', '7.1'),
    ...months.flatMap((month, back) => {
      const date = month.toISOString().slice(0, 10)
      return [exchange('USD', date, 'performance', `7.${10 + back}`), exchange('EUR', date, 'performance', `8.${10 + back}`)]
    }),
  ])
})

const known = await database.query<{ total: number }>('select count(*) as total from biz_sms_record')
if (Number(known.rows[0]!.total) < RECORDS) {
  console.log(`filling ${RECORDS.toLocaleString('en')} records of ${DAYS} days ...`)
  await database.query('truncate biz_sms_record')
  for (let back = DAYS; back >= 1; back -= 1) {
    await database.transaction((tx) => ensureDays(tx, 'biz_sms_record', [dayAt(back).getTime()]))
    await database.query(
      `insert into biz_sms_record (id, created_at, updated_at, version, msg_id, submitted_at, account_id, customer_id, product, traffic_type, to_number, country, route_class, content, encoding, segments, supplier_account_id, status, sent_at, price, currency, revenue, billable, bill_day, cost, cost_currency, cost_amount, cost_billable, cost_day, test_flag, posted_revenue, posted_cost)
       select 'b' || $2 || lpad(n::text, 9, '0'), at, at, 1, 'm' || $2 || lpad(n::text, 9, '0'), at, 'a' || h % ${ACCOUNTS}, 'c' || lpad((1 + h % ${ACCOUNTS})::text, 9, '0'), 'sms', (array['otp','transaction','marketing'])[1 + h % 3],
         '+9198' || lpad((h % 100000000)::text, 8, '0'), (array['${COUNTRIES.join("','")}'])[1 + h / 7 % ${COUNTRIES.length}], 'direct', 'Your code is 482913', 'gsm7', 1 + h % 20 / 19, 's1',
         case when h % 20 = 0 then 'failed' else 'delivered' end, at + interval '1 second', 0.0045, 'USD', 0.0045 * (1 + h % 20 / 19), true, (at at time zone 'Asia/Shanghai')::date, 0.0036, 'USD', 0.0036 * (1 + h % 20 / 19), true, (at at time zone 'Asia/Shanghai')::date, false, 0.0045 * (1 + h % 20 / 19), 0.0036 * (1 + h % 20 / 19)
       from (select n, abs(hashint4(n + $2::integer)) as h, $1::timestamptz + n * interval '1 day' / $3::integer as at from generate_series(0, $3::integer - 1) n) x`,
      [dayAt(back).toISOString(), back, Math.floor(RECORDS / DAYS)],
    )
  }
  await database.query('vacuum analyze biz_sms_record')
}

const made = async (): Promise<void> => {
  for (let more = true; more;) ({ more } = await database.transaction((tx) => buildFacts(tx, new Date())))
}
await made()
const oneDay = dayAt(3)
await database.query(
  sql`insert into ${sql.raw(DIRTY_HOURS)} (record, hour) select 'biz.smsRecord', h from generate_series(${oneDay.toISOString()}::timestamptz, ${oneDay.toISOString()}::timestamptz + interval '23 hours', interval '1 hour') h on conflict do nothing`,
)
const facts = await seconds(made)
const drifted = (await verifyFacts(database)).filter((drift) => drift.drifted > 0).length
console.log(
  `facts of one day, ${Math.floor(RECORDS / DAYS).toLocaleString('en')} records: ${facts.toFixed(1)} s (bar ${BARS.facts}); facts that differ from records: ${drifted}`,
)

// a year of facts in three currencies, as many as 60 accounts in three countries have by the hour
const year = await database.query<{ total: number }>('select count(*) as total from rpt_sms_hour where taken_over')
if (Number(year.rows[0]!.total) === 0)
  await database.query(
    `insert into rpt_sms_hour (id, created_at, updated_at, version, taken_over, hour_at, day, bill_day, customer_id, account_id, country, currency, cost_currency, product, submitted, accepted, sent, delivered, seg_sent, bill_seg, cost_seg, revenue, cost)
     select 'y' || n, now(), now(), 1, true, at, at::date, at::date, 'c' || lpad((1 + h % ${ACCOUNTS})::text, 9, '0'), 'a' || h % ${ACCOUNTS}, (array['${COUNTRIES.join("','")}'])[1 + h / 7 % ${COUNTRIES.length}], (array['USD','EUR','CNY'])[1 + h % ${ACCOUNTS} % 3], (array['USD','EUR'])[1 + h / 7 % 2], 'sms', h % 900, h % 900, h % 900, h % 900 * 9 / 10, h % 900, h % 900, h % 900, h % 900 * 0.0045, h % 900 * 0.0036
     from (select n, abs(hashint4(n)) as h, timestamptz '${dayAt(372).toISOString()}' + (n % 8760) * interval '1 hour' as at from generate_series(0, 249999) n) x`,
  )
await database.query('vacuum analyze rpt_sms_hour')

const server = await serveBench(engine)
let missed = drifted > 0 || facts > BARS.facts
const timed = async (name: string, bar: number, call: () => Promise<number>): Promise<void> => {
  const times = await timesOf(call, SECONDS)
  const p95 = percentile(times, 0.95)
  missed ||= p95 > bar
  console.log(
    `${name}: median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (bar ${bar}, ${times.length} requests)`,
  )
}
const ask = (body: QueryPageRequest) => () => server.call('admin', 1, ...queryPage('/v2/biz/smsRecord', body))
const hour = new Date(oneDay.getTime() + 10 * 3_600_000)
await timed(
  'records of an account in an hour',
  BARS.query,
  ask({
    where: [
      { field: 'accountId', operator: 'eq', value: 'a7' },
      {
        field: 'submittedAt',
        operator: 'between',
        value: [hour.toISOString(), new Date(hour.getTime() + 3_600_000).toISOString()],
      },
    ],
  }),
)
const numbers = await database.query<{ number: string }>('select to_number as number from biz_sms_record limit 200')
let turn = 0
const day = oneDay.toISOString().slice(0, 10)
await timed('records of a number on a day', BARS.query, () =>
  ask({
    where: [
      { field: 'toNumber', operator: 'eq', value: numbers.rows[(turn += 1) % numbers.rows.length]!.number },
      { field: 'submittedAt', operator: 'between', value: [day, day] },
    ],
  })(),
)
const money = [
  { id: 'sent', sum: 'sent' },
  { id: 'revenue', sum: 'revenue', currency: 'convert:USD', day: 'day' },
  { id: 'cost', sum: 'cost', currency: 'convert:USD', day: 'day' },
  { id: 'profit', difference: ['revenue', 'cost'] as const },
  { id: 'margin', ratio: ['profit', 'revenue'] as const },
]
const whole = [
  {
    field: 'day',
    operator: 'between' as const,
    value: [dayAt(371).toISOString().slice(0, 10), dayAt(6).toISOString().slice(0, 10)],
  },
]
const report = (body: Omit<AggregateRequest, 'measures'>) => () =>
  server.call('admin', 1, '/v2/rpt/smsHour/aggregate', { measures: money, where: whole, ...body })
await timed('a year by month', BARS.report, report({ dimensions: [{ field: 'day', bucket: 'month' }], totals: true }))
await timed('a year by country', BARS.report, report({ dimensions: [{ field: 'country' }], totals: true }))
await timed('a year by customer', BARS.report, report({ dimensions: [{ field: 'customerId' }], totals: true }))
await server.close()

const run = Date.now().toString(36)
const at = new Date(dayAt(0).getTime() + 1000).toISOString()
const messageOf = (index: number) => ({
  ...{
    submittedAt: at,
    sentAt: at,
    msgId: `${run}-${index}`,
    accountId: `a${index % ACCOUNTS}`,
    toNumber: `+9198${String(index % 100_000_000).padStart(8, '0')}`,
  },
  ...{
    country: COUNTRIES[index % COUNTRIES.length]!,
    content: 'Your code is 482913',
    status: 'delivered',
    supplierAccountId: 's1',
  },
})
let next = 0
const writer = async (): Promise<void> => {
  for (let from = (next += BATCH) - BATCH; from < RATED; from = (next += BATCH) - BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, RATED - from) }, (_, index) => messageOf(from + index))
    await engine.transaction(systemContext(), (entities) => entities.createMany('biz.smsRecord', batch), { retries: 5 })
  }
}
const rating = await seconds(() => Promise.all(Array.from({ length: WRITERS }, writer)))
missed ||= rating > BARS.rating * (RATED / 1_000_000)
console.log(
  `${RATED.toLocaleString('en')} records checked, rated and saved by ${WRITERS} writers: ${rating.toFixed(1)} s (bar ${BARS.rating} for a million, ${Math.round(RATED / rating).toLocaleString('en')} a second)`,
)
await database.query(`delete from biz_sms_record where msg_id like $1`, [`${run}-%`])
await database.close()
if (missed) process.exitCode = 1

import type { Database } from '../gateway/platform/database'
import type { AggregateRequest } from '../src/schema/model'
import { percentile, serveBench, timesOf } from './gatewayServer'
import { fillCustomers, openBench } from './gatewayWorld'

/**
 * Figures by group over a million rows, through HTTP: latency of one client.
 * `npx tsx bench/aggregate.ts [data folder] [rows]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-aggregate', rows = '1000000'] = process.argv.slice(2)
const SECONDS = 20

const CUSTOMERS = 10_000

/** Monthly figures of customers: 24 months of five products, written at moments of two years. */
async function fillMonths(database: Database, count: number): Promise<void> {
  const { rows: found } = await database.query<{ total: number }>('select count(*) as total from fin_customer_month')
  if (Number(found[0]!.total) === count) return
  console.log(`filling ${count.toLocaleString('en')} monthly figures ...`)
  await database.query('truncate fin_customer_month')
  await database.query(
    `insert into fin_customer_month (id, created_at, updated_at, version, customer_id, month, product, revenue, profit, overdue_days, messages)
     select 'm' || lpad(n::text, 9, '0'), timestamptz '2024-01-01' + (h % 63072000) * interval '1 second', now(), 1, 'c' || lpad((1 + n / 120 % ${CUSTOMERS})::text, 9, '0'),
       (date '2024-01-01' + make_interval(months => n % 24))::date, (array['sms','voice','number','rcs','email'])[1 + n / 24 % 5],
       (h % 1000000)::numeric / 100, (h % 90000)::numeric / 100, h % 40, h % 100000
     from (select n, abs(hashint4(n)) as h from generate_series(0, $1::integer - 1) n) as numbered`,
    [count],
  )
  await database.query('vacuum analyze fin_customer_month')
}

const product = { field: 'product' }
const month = { field: 'month', bucket: 'month' as const }
const count = { id: 'n', count: true as const }
const revenue = { id: 'revenue', sum: 'revenue' }
const year = { field: 'month', operator: 'between' as const, value: ['2025-01-01', '2025-12-31'] }
const cases: readonly { name: string; body: AggregateRequest }[] = [
  {
    name: 'month and product: rows, revenue, totals',
    body: { dimensions: [month, product], measures: [count, revenue], totals: true },
  },
  {
    name: 'quarter and product: rows, revenue, profit, average, the share that is overdue',
    body: {
      dimensions: [{ ...month, bucket: 'quarter' }, product],
      measures: [
        count,
        revenue,
        { id: 'profit', sum: 'profit' },
        { id: 'mean', avg: 'messages' },
        { id: 'late', count: true, where: [{ field: 'overdueDays', operator: 'gte', value: 30 }] },
        { id: 'share', ratio: ['late', 'n'] },
      ],
    },
  },
  {
    name: 'a year by month and product, compared with the year before',
    body: { where: [year], dimensions: [month, product], measures: [count, revenue], compare: 'previousYear' },
  },
  {
    name: 'month of a moment and product: rows, revenue',
    body: { dimensions: [{ field: 'createdAt', bucket: 'month' }, product], measures: [count, revenue] },
  },
  {
    name: 'product: different customers',
    body: { dimensions: [product], measures: [{ id: 'customers', distinct: 'customerId' }] },
  },
]

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, CUSTOMERS)
await fillMonths(database, Number(rows))
const server = await serveBench(engine)
for (const { name, body } of cases) {
  const times = await timesOf(() => server.call('admin', 1, '/v2/fin/customerMonth/aggregate', body), SECONDS)
  console.log(
    `${name}\n  median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms (${times.length} requests)`,
  )
}
await server.close()
await database.close()

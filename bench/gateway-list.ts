import type { QueryPageRequest } from '../gateway/entities'
import { percentile, queryPage, serveBench, timesOf, type BenchCaller } from './gatewayServer'
import { fillCustomers, openBench } from './gatewayWorld'

/**
 * List + exact count of 20 customers out of a million, through HTTP: latency of one client, then of 32 people at work, then the
 * throughput of 32 that never pause.
 * `npx tsx bench/gateway-list.ts [data folder] [customers]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-list', customers = '1000000'] = process.argv.slice(2)
const SECONDS = 10
const COUNTRIES = [
  'CN',
  'US',
  'DE',
  'FR',
  'BR',
  'IN',
  'ID',
  'VN',
  'TH',
  'MY',
  'SG',
  'JP',
  'KR',
  'GB',
  'ES',
  'IT',
  'MX',
  'NG',
  'ZA',
  'AE',
]
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!
const eq = (field: string, value: unknown) => ({ field, operator: 'eq' as const, value })

const cases: { name: string; who: BenchCaller; body: (turn: number) => QueryPageRequest }[] = [
  {
    name: 'all customers: level and country, newest first',
    who: 'admin',
    body: (turn) => ({
      where: [eq('level', pick(['a', 'b', 'c', 'd'], turn)), eq('countryCode', pick(COUNTRIES, turn >> 2))],
      sort: [{ field: 'createdAt', order: 'desc' }],
    }),
  },
  {
    name: 'all customers: party type and holding, newest first (900,000 rows counted)',
    who: 'admin',
    body: () => ({
      where: [eq('partyType', 'customer'), eq('holding', 'private')],
      sort: [{ field: 'createdAt', order: 'desc' }],
    }),
  },
  {
    name: 'my customers: holding and level, next follow-up first',
    who: 'sales',
    body: (turn) => ({
      where: [eq('holding', 'private'), eq('level', pick(['b', 'c', 'd'], turn))],
      sort: [{ field: 'nextFollowAt', order: 'asc' }],
    }),
  },
  {
    name: 'my department: holding and country, newest first',
    who: 'leader',
    body: (turn) => ({
      where: [eq('holding', 'private'), eq('countryCode', pick(COUNTRIES, turn))],
      sort: [{ field: 'createdAt', order: 'desc' }],
    }),
  },
  {
    name: 'all customers: keyword',
    who: 'admin',
    body: (turn) => ({ keyword: `Customer ${100_000 + ((turn * 7919) % 800_000)}` }),
  },
  {
    name: 'all customers: two Chinese characters of a name',
    who: 'admin',
    body: (turn) => ({ keyword: String.fromCodePoint(19_968 + ((turn * 37) % 6_000), 19_968 + ((turn * 61) % 6_000)) }),
  },
  {
    name: 'all customers: level and country, page 30,000 of a deep list',
    who: 'admin',
    body: () => ({ where: [eq('partyType', 'customer')], sort: [{ field: 'createdAt', order: 'desc' }], pageNo: 20_000 }),
  },
]

/** 32 clients at once, each with so many milliseconds from one request to its next: requests a second and the 95th percentile. */
async function thirtyTwo(ask: (turn: number) => Promise<number>, every: number): Promise<{ rate: number; p95: number }> {
  const times: number[] = []
  const started = performance.now()
  const end = started + SECONDS * 1000
  const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      await rest((every * client) / 32)
      for (let turn = client * 13; performance.now() < end; turn += 1) {
        const time = await ask(turn)
        times.push(time)
        if (every > time) await rest(every - time)
      }
    }),
  )
  return { rate: times.length / ((performance.now() - started) / 1000), p95: percentile(times, 0.95) }
}

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, Number(customers))
const server = await serveBench(engine)
for (const { name, who, body } of cases) {
  const ask = (turn: number): Promise<number> => server.call(who, turn, ...queryPage('/v2/crm/customer', body(turn)))
  const times = await timesOf(ask, SECONDS)
  const people = await thirtyTwo(ask, 1000)
  const crowd = await thirtyTwo(ask, 0)
  console.log(
    `${name}\n  one client: median ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms (${times.length} requests); 32 people, a list a second each: p95 ${people.p95.toFixed(0)} ms (${people.rate.toFixed(0)} a second); 32 clients without a pause: ${crowd.rate.toFixed(0)} a second, p95 ${crowd.p95.toFixed(0)} ms`,
  )
}
await server.close()
await database.close()

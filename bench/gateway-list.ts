import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { registerEntityRoutes, type QueryPageRequest } from '../gateway/entities'
import { createServer } from '../gateway/platform/http'
import { caller, fillCustomers, openBench } from './gatewayWorld'

/**
 * List + exact count of 20 customers out of a million, through HTTP: latency of one client, then throughput of 32.
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

const cases: { name: string; who: 'admin' | 'sales' | 'leader'; body: (turn: number) => QueryPageRequest }[] = [
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
    name: 'all customers: level and country, page 30,000 of a deep list',
    who: 'admin',
    body: () => ({ where: [eq('partyType', 'customer')], sort: [{ field: 'createdAt', order: 'desc' }], pageNo: 20_000 }),
  },
]

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, Number(customers))
const app = await createServer({
  logger: pino({ level: 'silent' }),
  corsOrigins: [],
  connectOrigins: [],
  frameOrigins: [],
  https: false,
})
app.addHook('onRequest', (request, _reply, done) => {
  const who = request.headers['x-who'] as 'admin' | 'sales' | 'leader'
  request.callContext = caller(who, Number(request.headers['x-number'] ?? 7))
  done()
})
await registerEntityRoutes(app, engine)
await app.listen({ port: Number(process.env.PORT ?? 4620), host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function ask(who: string, number: number, body: QueryPageRequest): Promise<number> {
  const payload = JSON.stringify({ pageSize: 20, ...body })
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path: '/v2/crm/customer/queryPage',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
          'x-who': who,
          'x-number': String(number),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (!text.startsWith('{"code":0')) reject(new Error(text.slice(0, 300)))
          else resolve(performance.now() - started)
        })
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
}

const percentile = (times: number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!

for (const { name, who, body } of cases) {
  for (let turn = 0; turn < 40; turn += 1) await ask(who, turn, body(turn))
  const times: number[] = []
  const until = performance.now() + SECONDS * 1000
  for (let turn = 0; performance.now() < until && turn < 400; turn += 1) times.push(await ask(who, turn, body(turn)))
  let answered = 0
  const loaded: number[] = []
  const started = performance.now()
  const end = started + SECONDS * 1000
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      for (let turn = client * 13; performance.now() < end; turn += 1) {
        loaded.push(await ask(who, turn, body(turn)))
        answered += 1
      }
    }),
  )
  const rate = answered / ((performance.now() - started) / 1000)
  console.log(
    `${name}\n  one client: median ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms (${times.length} requests); 32 clients: ${rate.toFixed(0)} a second, p95 ${percentile(loaded, 0.95).toFixed(0)} ms`,
  )
}
agent.destroy()
await app.close()
await database.close()

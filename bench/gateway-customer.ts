import type { QueryPageRequest } from '../gateway/entities'
import { systemContext } from '../gateway/platform/http'
import { percentile, queryPage, serveBench, timesOf, type BenchCaller } from './gatewayServer'
import { BUSIEST_CUSTOMER, fillCustomers, fillFollowUps, openBench } from './gatewayWorld'

/**
 * The calls of a customer's page and of the day's lists among 1,000,000 customers and 5,000,000 follow-ups, through HTTP, one client.
 * `npx tsx bench/gateway-customer.ts [data folder] [customers] [follow-ups]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-list', customers = '1000000', followUps = '5000000'] = process.argv.slice(2)
const SECONDS = 5

const { database, engine } = await openBench(dataDir)
await fillCustomers(database, Number(customers))
await fillFollowUps(database, Number(followUps), Number(customers))
const server = await serveBench(engine)

/** Another customer in every turn. */
const anyCustomer = (turn: number): string => `c${String(1 + ((turn * 104_729) % Number(customers))).padStart(9, '0')}`
const of = (id: string) => [{ field: 'customerId', operator: 'eq' as const, value: id }]
const newest = [{ field: 'createdAt', order: 'desc' as const }]
/** Where every page of the busiest customer's follow-ups begins. */
const cursors: string[] = []
let cursor: string | null | undefined = ''
while (typeof cursor === 'string') {
  cursors.push(cursor)
  const request: QueryPageRequest = { where: of(BUSIEST_CUSTOMER), sort: newest, pageSize: 20, cursor }
  cursor = (await engine.queryPage('crm.followUp', systemContext(), request)).next
}

const cases: [name: string, bar: number, who: BenchCaller, call: (turn: number) => [path: string, body?: unknown]][] = [
  ['detail: the customer', 30, 'admin', (turn) => [`/v2/crm/customer/view/${anyCustomer(turn)}`]],
  ['detail: contacts', 30, 'admin', (turn) => queryPage('/v2/crm/contact', { where: of(anyCustomer(turn)) })],
  ['detail: follow-ups', 30, 'admin', (turn) => queryPage('/v2/crm/followUp', { where: of(anyCustomer(turn)), sort: newest })],
  [
    'detail: follow-ups of the customer with 5,000, all pages',
    30,
    'admin',
    (turn) => queryPage('/v2/crm/followUp', { where: of(BUSIEST_CUSTOMER), sort: newest, pageNo: 1 + (turn % 250) }),
  ],
  [
    'detail: follow-ups of the customer with 5,000, on and on behind the last row',
    30,
    'admin',
    (turn) =>
      queryPage('/v2/crm/followUp', { where: of(BUSIEST_CUSTOMER), sort: newest, cursor: cursors[turn % cursors.length] }),
  ],
  ['detail: ownership', 30, 'admin', (turn) => queryPage('/v2/crm/ownerLog', { where: of(anyCustomer(turn)) })],
  ['detail: log', 30, 'admin', (turn) => [`/v2/crm/customer/log/${anyCustomer(turn)}?limit=20`]],
  [
    'list: my customers, next follow-up first',
    50,
    'sales',
    () => queryPage('/v2/crm/customer', { view: 'mine', sort: [{ field: 'nextFollowAt', order: 'asc' }] }),
  ],
  [
    'list: my customers to follow today',
    50,
    'sales',
    () =>
      queryPage('/v2/crm/customer', {
        view: 'mine',
        where: [{ field: 'nextFollowAt', operator: 'lte', value: new Date().toISOString() }],
      }),
  ],
  [
    'list: my customers about to be recycled',
    50,
    'sales',
    () =>
      queryPage('/v2/crm/customer', {
        view: 'mine',
        where: [{ field: 'recycleOn', operator: 'lte', value: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) }],
        sort: [{ field: 'recycleOn', order: 'asc' }],
      }),
  ],
  [
    'list: open sea of a country, newest first',
    50,
    'sales',
    (turn) =>
      queryPage('/v2/crm/customer', {
        view: 'sea',
        where: [{ field: 'countryCode', operator: 'eq', value: ['BR', 'IN', 'ID', 'DE'][turn % 4] }],
        sort: newest,
      }),
  ],
]
for (const [name, bar, who, call] of cases) {
  const times = await timesOf((turn) => server.call(who, 7, ...call(turn)), SECONDS)
  const p95 = percentile(times, 0.95)
  console.log(
    `${p95 <= bar ? 'ok  ' : 'MISS'} ${name}: median ${percentile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms of ${bar} (${times.length} requests)`,
  )
}
await server.close()
await database.close()

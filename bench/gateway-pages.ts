import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type Page, type Request } from '@playwright/test'
import { openDatabase } from '../gateway/platform/database'
import { DEMO_PASSWORD } from '../gateway/world'
import { gatewayOn } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'
import { signIn } from '../tests/support/gateway'
import { percentile, timesOf } from './gatewayServer'
import { BUSIEST_CUSTOMER, insertCustomers, insertFollowUps, type BenchOwner } from './gatewayWorld'

/**
 * What the pages of customer relations ask for, among 1,000,000 customers and 5,000,000 follow-ups in the demo company: Chromium opens
 * every list with each of its views, and a customer's page with each of its tabs, as a sales person, a manager and an administrator. Every call is sent
 * again and timed, one client, through the built gateway with sessions, permissions and row scope. Reports have no bar, nor has what a list asks for after its rows.
 * `npx tsx bench/gateway-pages.ts [data folder] [customers] [follow-ups]` after `npm run build`; `ONLY=my-client,open-sea` picks pages.
 */
const [folder = 'data/bench-pages', customers = '1000000', followUps = '5000000'] = process.argv.slice(2)
const dataDir = resolve(folder)
const SECONDS = Number(process.env.SECONDS ?? 2)
const MOST = 60
const WHO = { sales: PEOPLE.sales, manager: PEOPLE.salesManager, generalManager: PEOPLE.generalManager } as const
const DETAIL_BAR = 30
const LIST_BAR = 50
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }

/** Every tenth of the customers in bulk lies in the sea. */
const CUSTOMER_IN_SEA = 'c000000020'

const LISTS = [
  '/crm/client-partner/my-client',
  '/crm/client-partner/open-sea',
  '/crm/client-partner/business-partner',
  '/crm/client-partner/blacklist',
  '/crm/opportunities',
  '/crm/leads',
  '/crm/visiting-records',
  '/crm/wander/transfer',
  '/crm/wander/share',
  '/crm/operate/alias-record',
  '/crm/market-analysis/clues',
  '/crm/market-analysis/customers',
  '/crm/market-analysis/accounts',
  '/crm/duplicate-appeals',
  '/crm/duplicate-checks',
  '/crm/today',
]
/** What people ask these lists for. */
const FILTERED = [
  '/crm/client-partner/my-client?f.stage=in:following,testing',
  '/crm/client-partner/my-client?q=Customer%2012',
  '/crm/client-partner/my-client?view=department&f.countryCode=in:BR',
  '/crm/client-partner/my-client?view=visible&f.level=in:b&f.countryCode=in:BR',
  '/crm/client-partner/my-client?view=visible&f.stage=in:testing&f.level=in:b,c',
  '/crm/client-partner/my-client?view=visible&f.nextFollowAt=between:2026-11-01,2026-11-30&f.level=in:a',
  '/crm/client-partner/my-client?view=visible&q=Customer%20123456',
  '/crm/client-partner/open-sea?view=customers&f.countryCode=in:BR',
  '/crm/client-partner/open-sea?view=customers&f.countryCode=in:KE&f.level=in:a',
  '/crm/client-partner/open-sea?view=customers&q=Customer%201234',
]
const REPORTS = [
  '/crm/market-analysis/overview',
  '/crm/market-analysis/account-track',
  '/crm/ownership',
  '/crm/data-analysis/sales-funnels',
]
const DETAILS = [
  `/crm/client-partner/my-client/details?id=${BUSIEST_CUSTOMER}`,
  `/crm/client-partner/open-sea/details?id=${CUSTOMER_IN_SEA}`,
]

/** A call of a page: where it was seen first, and the most that it may take in milliseconds (reports have no bar). */
interface SeenCall {
  method: string
  path: string
  body: string | null
  page: string
  bar: number | undefined
}

/** Fills the demo company with customers of sales people who are there, and of 360 more in 36 departments beside theirs. */
async function fillCompany(): Promise<void> {
  const database = await openDatabase({ dataDir, logger, poolSize: 2 })
  const { rows: there } = await database.query(`select 1 from crm_customer where id = $1`, [BUSIEST_CUSTOMER])
  if (there.length === 0) {
    await database.query(`
      insert into sys_department (id, created_at, updated_at, version, code, name, kind, parent_id, path, enabled)
      select 'bd' || d, now(), now(), 1, 'BD' || d, '销售部 ' || d, own.kind, own.parent_id, replace(own.path, '/' || own.id || '/', '/bd' || d || '/'), true
      from generate_series(1, 36) d, (select d.* from sys_department d join sys_staff s on s.main_dept_id = d.id where s.job_number = '${PEOPLE.sales}') own`)
    await database.query(`
      insert into sys_staff (id, created_at, updated_at, version, job_number, name, status, main_dept_id)
      select 'bs' || s, now(), now(), 1, 'B' || lpad(s::text, 4, '0'), '员工 ' || s, 'active', 'bd' || (1 + s % 36) from generate_series(1, 360) s`)
    const { rows: owners } = await database.query<{ id: string; dept: string }>(
      `select id, dept from (select distinct owner_id as id, owner_dept_id as dept from crm_customer where holding = 'private' and owner_id is not null
         union select id, main_dept_id from sys_staff where id like 'bs%') as all_owners order by id`,
    )
    const list: BenchOwner[] = owners.map(({ id, dept }) => ({ id, deptId: dept }))
    await insertCustomers(database, Number(customers), list)
    await insertFollowUps(database, Number(followUps), Number(customers), list)
    await database.query(
      `update crm_customer set owner_id = (select id from sys_staff where job_number = '${PEOPLE.sales}'), owner_dept_id = (select main_dept_id from sys_staff where job_number = '${PEOPLE.sales}') where id = $1`,
      [BUSIEST_CUSTOMER],
    )
    await database.query('vacuum analyze')
  }
  await database.close()
}

const isOurs = (request: Request): boolean => {
  const { pathname } = new URL(request.url())
  return pathname.startsWith('/v2/') && !/\/(sse|page|bookmark)\//.test(pathname)
}

/** Notes what a page sends to entities and services, once each; what has no answer yet is in the answered set. */
function note(
  page: Page,
  seen: Map<string, SeenCall>,
  where: () => { page: string; bar: number | undefined },
): ReadonlySet<Request> {
  const pending = new Set<Request>()
  page.on('request', (request) => isOurs(request) && pending.add(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('response', (response) => {
    const request = response.request()
    pending.delete(request)
    if (!isOurs(request) || response.status() !== 200) return
    const { pathname, search } = new URL(request.url())
    const key = `${request.method()} ${pathname}${search} ${request.postData() ?? ''}`
    if (!seen.has(key)) seen.set(key, { method: request.method(), path: pathname + search, body: request.postData(), ...where() })
  })
  return pending
}

/** The page has what it asked for: nothing loads for half a second. */
async function settled(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet = pending.size === 0 ? quiet + 1 : 0) await page.waitForTimeout(100)
}

/** What a list asks for when its rows are shown: the exact number of very many, and their sums. Tabs count without an order. */
const isLater = (body: string | null): boolean => {
  const { pageSize, sort } = (body === null ? {} : JSON.parse(body)) as { pageSize?: number; sort?: unknown }
  return pageSize === 0 && sort !== undefined
}

async function see(browser: Browser, url: string, jobNumber: string): Promise<SeenCall[]> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await signInAs(page, jobNumber, '/home')
  await page.locator('.sb-user').waitFor()
  const seen = new Map<string, SeenCall>()
  let now: { page: string; bar: number | undefined } = { page: '', bar: LIST_BAR }
  const pending = note(page, seen, () => now)
  const only = process.env.ONLY?.split(',')
  const visit = async (path: string, bar: number | undefined, eachTab = true): Promise<void> => {
    if (only && !only.some((part) => path.includes(part))) return
    now = { page: path, bar }
    await page.goto(path)
    await page.locator('main h1:visible, main h2:visible').first().waitFor()
    await settled(page, pending)
    const tabs = page.locator('main [role=tab]')
    const count = eachTab ? await tabs.count() : 0
    for (let at = 0; at < count; at += 1) {
      const tab = tabs.nth(at)
      if (!(await tab.isVisible())) continue
      now = { page: `${path} [${(await tab.innerText()).replaceAll(/\s+/g, ' ')}]`, bar }
      await tab.click()
      await settled(page, pending)
    }
  }
  for (const path of LISTS) await visit(path, LIST_BAR)
  for (const path of FILTERED) await visit(path, LIST_BAR, false)
  for (const path of REPORTS) await visit(path, undefined)
  for (const path of DETAILS) await visit(path, DETAIL_BAR)
  await context.close()
  return [...seen.values()]
}

const gateway = await gatewayOn(dataDir, { DEMO_SCALE: '1' })
if (!existsSync(join(dataDir, 'postgres'))) {
  await gateway.start()
  await gateway.end('SIGTERM')
}
await fillCompany()
await gateway.start()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
try {
  for (const [who, jobNumber] of Object.entries(WHO)) {
    if (process.env.WHO && !process.env.WHO.split(',').includes(who)) continue
    const calls = await see(browser, gateway.url, jobNumber)
    const caller = await signIn(gateway.url, jobNumber, DEMO_PASSWORD)
    let slowest = 0
    let missed = 0
    for (const { method, path, body, page, bar } of calls) {
      const send = () => caller.call(method, path, body === null ? undefined : (JSON.parse(body) as unknown))
      if ((await send()).code !== 0) continue // a page says so when something is not for this person
      const times = await timesOf(
        async () => {
          const started = performance.now()
          await send()
          return performance.now() - started
        },
        SECONDS,
        MOST,
      )
      const p95 = percentile(times, 0.95)
      const most = isLater(body) ? undefined : bar
      const kind = bar === undefined ? 'report' : most === undefined ? 'later ' : p95 <= most ? 'ok    ' : 'MISS  '
      if (most !== undefined) slowest = Math.max(slowest, p95)
      if (most !== undefined && p95 > most) missed += 1
      if (process.env.ALL || p95 > (most ?? 30) / 2)
        console.log(
          `${kind} ${who} ${page}: ${method} ${path} ${body ?? ''}\n         median ${percentile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms of ${most ?? '-'} (${times.length} requests)`,
        )
    }
    console.log(`${who}: ${calls.length} calls, slowest p95 ${slowest.toFixed(1)} ms, ${missed} over the bar`)
  }
} finally {
  await browser.close()
  await gateway.end('SIGTERM')
}

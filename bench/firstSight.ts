import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type CDPSession, type Page } from '@playwright/test'
import { gatewayOn } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'

/**
 * The first sight of a list by a browser that has nothing of the portal yet: `npx tsx bench/firstSight.ts [data folder]` after
 * `npm run build`. What is counted stands in bench/README.md.
 */
const [dataDir = join(import.meta.dirname, '../data/bench-first-sight')] = process.argv.slice(2)
const ADDRESS = process.env.ADDRESS ?? '/crm/client-partner/my-client'
const ROW = process.env.ROW ?? 'main tbody tr a'
const QUIET = 10_000
const LIMIT = 120_000
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const GOALS = { kB: 340, trips: 5, requests: 40, kBAll: 430 }
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'

/** One request: when it was asked for, when its answer had ended, in seconds of the browser's clock. */
interface Request {
  url: string
  begun: number
  ended: number
  bytes: number
}

interface Sight {
  frame: number
  rows: number
  /** Requests that had begun and ended before the rows stood, and all until nothing more came for ten seconds. */
  before: Request[]
  all: Request[]
}

/** Requests that each began after the one before had ended: the longest such row of them. */
function roundTrips(requests: readonly Request[]): Request[] {
  const chain: Request[] = []
  for (const request of requests.toSorted((a, b) => a.ended - b.ended))
    if (request.begun >= (chain.at(-1)?.ended ?? 0)) chain.push(request)
  return chain
}

async function listen(client: CDPSession): Promise<Request[]> {
  const running = new Map<string, Request>()
  const requests: Request[] = []
  client.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return
    const one = { url: request.url, begun: timestamp, ended: Infinity, bytes: 0 }
    running.set(requestId, one)
    requests.push(one)
  })
  // a stream never ends: what came of it counts
  client.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = running.get(requestId)
    if (one) one.bytes += encodedDataLength
  })
  client.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const one = running.get(requestId)
    if (one) Object.assign(one, { ended: timestamp, bytes: encodedDataLength })
  })
  await client.send('Network.enable')
  return requests
}

async function see(page: Page, slow: boolean): Promise<Sight> {
  const client = await page.context().newCDPSession(page)
  const requests = await listen(client)
  await client.send(
    'Network.emulateNetworkConditions',
    slow ? SLOW : { ...SLOW, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  )
  const started = Date.now()
  void page.goto(ADDRESS, { timeout: LIMIT })
  const frame = page
    .locator('.sb-header, [data-frame]')
    .first()
    .waitFor({ timeout: LIMIT })
    .then(() => Date.now() - started)
  await page.locator(ROW).first().waitFor({ timeout: LIMIT })
  const rows = Date.now() - started
  const before = requests.filter(({ ended }) => ended < Infinity).map((one) => ({ ...one }))
  const known = new Set(before.map(({ url, begun }) => `${begun} ${url}`))
  for (let count = -1; count !== requests.length;) {
    count = requests.length
    await page.waitForTimeout(QUIET)
  }
  return { frame: await frame, rows, before: requests.filter(({ url, begun }) => known.has(`${begun} ${url}`)), all: requests }
}

const sum = (requests: readonly Request[]): number => requests.reduce((bytes, one) => bytes + one.bytes, 0) / 1000

mkdirSync(dataDir, { recursive: true })
const gateway = await gatewayOn(dataDir, {})
await gateway.start()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
let missed = false
try {
  const options = { baseURL: gateway.url, locale: 'zh-CN', viewport: { width: 1440, height: 900 } }
  const door = await browser.newContext(options)
  const first = await door.newPage()
  await signInAs(first, PEOPLE.sales, '/home')
  const cookies = await door.cookies()
  await door.close()
  for (const slow of process.env.OPEN === undefined ? [true] : [true, false]) {
    const context = await browser.newContext(options)
    await context.addCookies(cookies)
    const { frame, rows, before, all } = await see(await context.newPage(), slow)
    const trips = roundTrips(before)
    console.log(slow ? '400 kbit/s, 400 ms' : 'open line')
    console.log(`  frame ${(frame / 1000).toFixed(1)} s, rows ${(rows / 1000).toFixed(1)} s`)
    const report = (what: string, value: number, goal: number): void => {
      missed ||= value > goal
      console.log(`  ${value > goal ? 'MISSED' : 'ok    '} ${what}: ${value.toFixed(0)} of ${goal}`)
    }
    report('kB before the rows', sum(before), GOALS.kB)
    report('serial round trips before the rows', trips.length, GOALS.trips)
    report('requests until it is quiet', all.length, GOALS.requests)
    report('kB until it is quiet', sum(all), GOALS.kBAll)
    console.log(`  ${before.length} requests before the rows; the serial ones:`)
    const begin = all[0]?.begun ?? 0
    const line = ({ url, begun, ended, bytes }: Request): string =>
      `    ${(begun - begin).toFixed(2)}-${(ended - begin).toFixed(2)} s ${(bytes / 1000).toFixed(1)} kB ${url.slice(gateway.url.length)}`
    console.log(trips.map(line).join('\n'))
    if (process.env.VERBOSE !== undefined) console.log(`  all:\n${all.map(line).join('\n')}`)
    await context.close()
  }
} finally {
  await browser.close()
  await gateway.end('SIGTERM')
}
process.exitCode = missed ? 1 : 0

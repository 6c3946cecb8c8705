import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { chromium, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../gateway/world'
import type { Caller } from '../tests/support/gateway'
import { signIn } from '../tests/support/gateway'
import { startRealGateway } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'
import { percentile } from './gatewayServer'

/**
 * From the click on "release" to the newer page with everybody: `npx tsx bench/release.ts [clients] [rounds] [browsers]` after
 * `npm run build`. What is measured stands in bench/README.md.
 */
const [clients = 200, rounds = 10, browsers = 3] = process.argv.slice(2).map(Number)
const BAR = 1000
const TARGET = 'page:crm/my-client'
const PATH = '/crm/client-partner/my-client'
const ROUTES = '/v2/sys/page/routes'
const BUNDLE = `/v2/sys/page/bundle?path=${PATH}`
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const now = (): number => performance.timeOrigin + performance.now()

/** An open browser without a screen: it holds the stream, and asks for routes and page when it hears of a release. */
class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2 })
  private readonly etags = new Map<string, string>()
  /** Called with the moment at which a newer bundle was there in whole. */
  received: (at: number) => void = () => undefined

  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  async open(): Promise<void> {
    await this.ask(ROUTES)
    await this.ask(BUNDLE)
    await new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.token}`, accept: 'text/event-stream' }
      const stream = httpRequest(`${this.base}/v2/sys/mc/sse/connection`, { headers, agent: false }, (response) => {
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          if (text.includes('"connection"')) resolve()
          if (!text.includes('"schema"')) return
          void this.ask(ROUTES)
          void this.ask(BUNDLE).then((isNewer) => isNewer && this.received(now()))
        })
      })
      stream.on('error', reject)
      stream.end()
    })
  }

  /** Asks with the ETag of the answer that is here; true when another one came. */
  private ask(path: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const etag = this.etags.get(path)
      const headers = {
        authorization: `Bearer ${this.token}`,
        'accept-encoding': 'gzip, deflate, br',
        ...(etag ? { 'if-none-match': etag } : {}),
      }
      const ask = httpRequest(`${this.base}${path}`, { headers, agent: this.agent }, (response) => {
        response.resume()
        response.on('end', () => {
          this.etags.set(path, response.headers.etag ?? '')
          resolve(response.statusCode === 200)
        })
      })
      ask.on('error', reject)
      ask.end()
    })
  }
}

/** Tells when the hint of a newer page is painted, takes the newer page, and tells when its header cell is. */
const watchPage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const painted = (): Promise<number> =>
      new Promise((resolve) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
          channel.port2.postMessage(0)
        }),
      )
    const watched = window as unknown as { __round: { title: string; hint?: number; page?: number } }
    watched.__round = { title: '-' }
    const look = (): void => {
      const round = watched.__round
      const notice = document.querySelector<HTMLElement>('.sb-page-notice button')
      if (notice && round.hint === undefined) {
        round.hint = 0
        notice.click()
        void painted().then((at) => (round.hint = at))
      }
      if (
        round.page === undefined &&
        [...document.querySelectorAll('th')].some((cell) => cell.textContent?.includes(round.title))
      ) {
        round.page = 0
        void painted().then((at) => (round.page = at))
      }
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

const gateway = await startRealGateway()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
try {
  const admin = await signIn(gateway.url, PEOPLE.administrator, DEMO_PASSWORD)
  const sales = await signIn(gateway.url, PEOPLE.sales, DEMO_PASSWORD)
  const crowd = Array.from({ length: clients }, () => new Client(gateway.url, sales.token ?? ''))
  for (const client of crowd) await client.open()
  const pages: Page[] = []
  for (let count = 0; count < browsers; count += 1) {
    const context = await browser.newContext({ baseURL: gateway.url, locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
    // the compiler of this file wraps named functions, also those that are sent to the page
    await context.addInitScript('globalThis.__name = (value) => value')
    const page = await context.newPage()
    await signInAs(page, PEOPLE.sales, PATH)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await watchPage(page)
    pages.push(page)
  }
  const times = { answered: [] as number[], received: [] as number[], hint: [] as number[], page: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const title = `等级${round}`
    await post(admin, '/v2/sys/schema/draft/save', {
      target: TARGET,
      version: 0,
      changes: [{ at: 'columns/level/title', set: { zh: title, en: title } }],
    })
    for (const page of pages)
      await page.evaluate((text) => ((window as unknown as { __round: object }).__round = { title: text }), title)
    await new Promise((done) => setTimeout(done, 1500))
    const all = Promise.all(crowd.map((client) => new Promise<number>((resolve) => (client.received = resolve))))
    const start = now()
    await post(admin, '/v2/sys/schema/release', {
      drafts: [{ target: TARGET, version: 1 }],
      stage: 'all',
      title,
      reason: 'bench',
      accepted: [],
    })
    times.answered.push(now() - start)
    times.received.push(...(await all).map((at) => at - start))
    for (const page of pages) {
      await page.waitForFunction(() => (window as unknown as { __round: { page?: number } }).__round.page, undefined, {
        polling: 200,
      })
      const seen = await page.evaluate(() => (window as unknown as { __round: { hint: number; page: number } }).__round)
      times.hint.push(seen.hint - start)
      times.page.push(seen.page - start)
    }
  }
  console.log(`${clients} streams, ${browsers} browsers, ${rounds} releases; ms from the click on release:`)
  console.table({
    'the release is answered': figures(times.answered),
    [`the newer page has come to ${clients} clients`]: figures(times.received),
    'Chromium has painted the hint': figures(times.hint),
    'Chromium has painted the newer page': figures(times.page),
  })
  if (Math.max(...times.received, ...times.page) > BAR) process.exitCode = 1
} finally {
  await browser.close()
  await gateway.stop()
}
process.exit()

async function post(caller: Caller, path: string, body: object): Promise<void> {
  const { code, msg } = await caller.post(path, body)
  if (code !== 0) throw new Error(`${path}: ${msg}`)
}

function figures(values: readonly number[]) {
  const round = (value: number): number => Math.round(value)
  return values.length === 0
    ? {}
    : { p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)), max: round(Math.max(...values)), bar: BAR }
}

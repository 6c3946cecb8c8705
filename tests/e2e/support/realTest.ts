import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { startRealGateway, type RealGateway } from './realGateway'

/** People of the demo company by their job number. */
export const PEOPLE = {
  sales: 'S0006',
  salesManager: 'S0004',
  finance: 'S0052',
  humanResources: 'S0002',
  administrator: 'S0067',
  noRole: 'S0050',
  menusOnly: 'S0051',
} as const

export interface VisitorOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme'> {
  locale?: 'zh-CN' | 'en-US'
  /** Signs in through the identity page in any case, for a session of his own. */
  fresh?: boolean
}

interface Fixtures {
  /** A signed-in person in a browser of his own; his page stands at /home. */
  as: (jobNumber: string, options?: VisitorOptions) => Promise<Page>
  /** A visitor whom nobody knows. */
  visitor: (options?: VisitorOptions) => Promise<Page>
  /** Faults of the pages that this test expects, e.g. calls to a killed gateway. */
  expectFaults: (pattern: RegExp) => void
}

interface WorkerFixtures {
  gateway: RealGateway
  sessions: Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>
}

/**
 * Tests against the real thing. Every page is watched: an error on the console, an uncaught one or a violation of the
 * Content-Security-Policy fails the test.
 */
export const test = base.extend<Fixtures & { faults: { seen: string[]; expected: RegExp[] } }, WorkerFixtures>({
  gateway: [
    async ({}, provide) => {
      const gateway = await startRealGateway()
      await provide(gateway)
      await gateway.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  sessions: [async ({}, provide) => provide(new Map()), { scope: 'worker' }],
  faults: async ({}, provide) => {
    const faults = { seen: [] as string[], expected: [] as RegExp[] }
    await provide(faults)
    expect(faults.seen.filter((fault) => !faults.expected.some((pattern) => pattern.test(fault)))).toEqual([])
  },
  expectFaults: async ({ faults }, provide) => provide((pattern) => void faults.expected.push(pattern)),
  visitor: async ({ browser, gateway, faults }, provide) => {
    const contexts: BrowserContext[] = []
    await provide(async (options = {}) => {
      const context = await browser.newContext(contextOptions(gateway.url, options))
      contexts.push(context)
      watch(context, faults.seen)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
  as: async ({ browser, gateway, faults, sessions }, provide) => {
    const contexts: BrowserContext[] = []
    await provide(async (jobNumber, options = {}) => {
      const key = `${gateway.url} ${jobNumber} ${options.locale ?? ''}`
      const known = options.fresh ? undefined : sessions.get(key)
      const context = await browser.newContext({
        ...contextOptions(gateway.url, options),
        ...(known ? { storageState: known } : {}),
      })
      contexts.push(context)
      watch(context, faults.seen)
      const page = await context.newPage()
      if (known) await page.goto('/home')
      else await signInAs(page, jobNumber)
      await expect(page.locator('.sb-user')).toBeVisible()
      if (!known && !options.fresh) sessions.set(key, await context.storageState())
      return page
    })
    for (const context of contexts) await context.close()
  },
})

export { expect } from '@playwright/test'

function contextOptions(baseURL: string, { fresh: _, ...options }: VisitorOptions): BrowserContextOptions {
  return { baseURL, locale: 'zh-CN', viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options }
}

/** Through the embedded identity page, like a person who opens `address`; ends where that leads. */
export async function signInAs(page: Page, jobNumber: string, address = '/'): Promise<void> {
  await page.goto(address)
  await chooseOnIdentityPage(page, jobNumber)
}

/** The browser stands at the identity page, or on the way to it. */
export async function chooseOnIdentityPage(page: Page, jobNumber: string): Promise<void> {
  await page.waitForURL(/\/auth\/identity/)
  await page.getByRole('button', { name: `(${jobNumber})` }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/auth') && !['/authorize', '/login'].includes(url.pathname))
}

function watch(context: BrowserContext, seen: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => seen.push(`uncaught: ${error.error().stack ?? error.error().message}`))
}

/** The faults for assistive technology that matter, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 200))
          .slice(0, 3)
          .join(' | ')}`,
    )
}

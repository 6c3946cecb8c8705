import { expect, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { startRealGateway, type RealGateway } from './realGateway'
import { test as base } from './sharedWindow'

/** People of the demo company by their job number. */
export const PEOPLE = {
  sales: 'S0006',
  salesManager: 'S0004',
  generalManager: 'S0001',
  finance: 'S0052',
  humanResources: 'S0002',
  administrator: 'S0067',
  noRole: 'S0050',
  menusOnly: 'S0051',
} as const

export interface VisitorOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch' | 'isMobile'> {
  locale?: 'zh-CN' | 'en-US'
}

export interface PersonOptions extends VisitorOptions {
  /** Signs in through the identity page in any case, for a session of his own. */
  fresh?: boolean
  /** Where his page stands; default /home. */
  at?: string
}

interface Fixtures {
  /** A signed-in person with storage of his own, empty at the start. */
  as: (jobNumber: string, options?: PersonOptions) => Promise<Page>
  /** A visitor whom nobody knows. */
  visitor: (options?: VisitorOptions) => Promise<Page>
  /** Faults of the pages that this test expects, e.g. calls to a killed gateway. */
  expectFaults: (pattern: RegExp) => void
}

/** What the fixtures are made of. */
interface Inside {
  faults: { seen: string[]; expected: RegExp[] }
  /** Somebody with an empty browser. */
  enter: (options: VisitorOptions) => Promise<Page>
}

const LOCALE = 'zh-CN'

interface WorkerFixtures {
  gateway: RealGateway
  /** Cookies of people who have signed in, by person and language. */
  sessions: Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>
}

/**
 * Tests against the real thing. Every page is watched: an error on the console, an uncaught one or a violation of the
 * Content-Security-Policy fails the test.
 */
export const test = base.extend<Fixtures & Inside, WorkerFixtures>({
  gateway: [
    async ({}, provide) => {
      const gateway = await startRealGateway()
      await provide(gateway)
      await gateway.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  sessions: [async ({}, provide) => provide(new Map()), { scope: 'worker' }],
  faults: async ({}, provide) => {
    const faults = { seen: [] as string[], expected: [] as RegExp[] }
    await provide(faults)
    expect(faults.seen.filter((fault) => !faults.expected.some((pattern) => pattern.test(fault)))).toEqual([])
  },
  expectFaults: async ({ faults }, provide) => provide((pattern) => void faults.expected.push(pattern)),
  enter: async ({ windows, gateway, faults }, provide) => {
    const open: Page[] = []
    await provide(async (options) => {
      const all = contextOptions(gateway.url, options)
      // whoever comes as the first of a test takes the profile of the first one before: its scripts are compiled
      const { page, context } = await windows.emptied(`${open.length} ${JSON.stringify(all)}`, all)
      open.push(page)
      watch(context, page, faults.seen)
      return page
    })
    for (const page of open.flatMap((each) => each.context().pages())) await page.close()
  },
  visitor: async ({ enter }, provide) => provide((options = {}) => enter(options)),
  as: async ({ enter, sessions }, provide) => {
    await provide(async (jobNumber, { fresh, at = '/home', ...options } = {}) => {
      const page = await enter(options)
      const context = page.context()
      const session = `${jobNumber} ${options.locale ?? LOCALE}`
      const cookies = fresh ? undefined : sessions.get(session)
      if (cookies) {
        await context.addCookies(cookies)
        await page.goto(at)
      } else await signInAs(page, jobNumber, at)
      await page.locator('.sb-user').waitFor()
      if (!cookies && !fresh) sessions.set(session, await context.cookies())
      return page
    })
  },
})

export { expect } from '@playwright/test'
export { seriousFaults, still } from './axe'

function contextOptions(baseURL: string, options: VisitorOptions): BrowserContextOptions {
  return { baseURL, locale: LOCALE, viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options }
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

/** Notes the faults of this page and of those that it opens. */
export function watch(context: BrowserContext, first: Page, seen: string[]): void {
  const one = (page: Page): void => {
    page.on('console', (message) => {
      if (message.type() === 'error') seen.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => seen.push(`uncaught: ${error.stack ?? error.message}`))
  }
  one(first)
  context.on('page', one)
  first.once('close', () => context.off('page', one))
}

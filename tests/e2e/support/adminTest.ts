import { expect, type Browser, type Page } from '@playwright/test'
import { DesignerPage } from './designerPage'
import { quickMotion } from './quickMotion'
import { startRealGateway, type RealGateway } from './realGateway'
import { chooseOnIdentityPage, PEOPLE, signInAs, test as realTest, watch } from './realTest'

const PICTURES = 'docs/images/admin'

type Locale = 'zh-CN' | 'en-US'

/** Who takes part: one signed-in window each, in English unless said otherwise, for all tests of the worker. */
interface Office {
  /** Haoran Wang, who makes the changes. */
  admin: DesignerPage
  /** Zhiqiang Xu, for whom they are made. */
  sales: Page
  /** Somebody else's window; it opens at the first call, in that language. */
  also(jobNumber: string, locale?: Locale): Promise<Page>
  /** Moves the clock of the gateway to that moment; what is due by then has run. Whose session has ended signs in again. */
  moveTo(moment: Date): Promise<void>
}

/** Another environment with a gateway and data of its own, where Haoran Wang is the admin as well. */
interface Elsewhere {
  admin: DesignerPage
  sales: Page
}

interface TestParts {
  quiet: void
  picture: (page: Page | DesignerPage) => Promise<void>
  /** Starts production: at the first call of a test that needs it. */
  production: () => Promise<Elsewhere>
}

interface WorkerParts {
  office: Office
  windowsOpen: Map<string, Page>
  seen: string[]
}

/**
 * The everyday changes of docs/admin.md, on a gateway of their own: what a test releases stays released, so each changes places
 * that no other one reads. Every test fails by faults on the pages. With LOOK=1 each makes its picture for the page.
 */
export const test = realTest.extend<TestParts, WorkerParts>({
  seen: [async ({}, provide) => provide([]), { scope: 'worker' }],
  windowsOpen: [
    async ({}, provide) => {
      const open = new Map<string, Page>()
      await provide(open)
      for (const page of open.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
  office: [
    async ({ browser, gateway, seen, windowsOpen }, provide) => {
      const enter = async (jobNumber: string, locale: Locale = 'en-US'): Promise<Page> => {
        const window = `${jobNumber} ${locale}`
        const page = windowsOpen.get(window) ?? (await signedIn(browser, gateway, seen, jobNumber, locale))
        windowsOpen.set(window, page)
        return page
      }
      const admin = new DesignerPage(await enter(PEOPLE.administrator))
      await provide({
        admin,
        sales: await enter(PEOPLE.sales),
        also: enter,
        async moveTo(moment) {
          const shiftSeconds = Math.round((moment.getTime() - Date.now()) / 1000)
          const { code, message } = await call(admin.page, '/v2/sys/clock', { shiftSeconds })
          if (code !== 0) throw new Error(`The clock did not move: ${message}`)
          for (const [window, page] of windowsOpen) await enterAgain(page, window.split(' ')[0]!)
        },
      })
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  quiet: [
    async ({ seen, windowsOpen }, provide, info) => {
      await provide()
      if (info.status !== info.expectedStatus)
        for (const [name, page] of windowsOpen) await page.screenshot({ path: info.outputPath(`${name}.png`) })
      // a session of before the clock was moved is renewed at its first call
      expect(seen.splice(0).filter((fault) => !/\b401\b/.test(fault))).toEqual([])
    },
    { auto: true },
  ],
  production: async ({ browser, seen }, provide) => {
    const parts: { gateway?: RealGateway; pages: Page[] } = { pages: [] }
    await provide(async () => {
      const gateway = (parts.gateway = await startRealGateway({ environment: 'production' }))
      const enter = async (jobNumber: string): Promise<Page> => {
        const page = await signedIn(browser, gateway, seen, jobNumber)
        parts.pages.push(page)
        return page
      }
      return { admin: new DesignerPage(await enter(PEOPLE.administrator)), sales: await enter(PEOPLE.sales) }
    })
    for (const page of parts.pages) await page.context().close()
    await parts.gateway?.stop()
  },
  picture: async ({}, provide, info) => {
    await provide(async (seen) => {
      const number = /^Change (\d\d):/.exec(info.title)?.[1]
      if (!process.env.LOOK || number === undefined) return
      const page = seen instanceof DesignerPage ? seen.page : seen
      await page.locator('.ant-message-notice').evaluateAll((all) => all.forEach((one) => one.remove()))
      const target = page.locator('#sb-content')
      await target.screenshot({ path: `${PICTURES}/${number}.jpg`, type: 'jpeg', quality: 60, animations: 'disabled' })
    })
  },
})

async function signedIn(
  browser: Browser,
  { url }: RealGateway,
  seen: string[],
  jobNumber: string,
  locale: Locale = 'en-US',
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale,
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
  })
  quickMotion(context)
  const page = await context.newPage()
  watch(context, page, seen)
  await signInAs(page, jobNumber, '/home')
  await expect(page.locator('.sb-user')).toBeVisible()
  return page
}

/** After the clock was moved: the session goes on, or ends, and he signs in once more. */
async function enterAgain(page: Page, jobNumber: string): Promise<void> {
  await page.goto('/home')
  const inside = page.locator('.sb-user')
  const outside = page.getByRole('button', { name: `(${jobNumber})` })
  await expect(inside.or(outside)).toBeVisible()
  if (await inside.isVisible()) return
  await chooseOnIdentityPage(page, jobNumber)
  await expect(inside).toBeVisible()
}

/** A call with the session of a page, past what its screens offer: what the gateway itself says. */
export async function call<T = Record<string, unknown>>(
  page: Page,
  path: string,
  body?: unknown,
): Promise<{ code: number; message: string; data: T }> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => /token$/i.test(name) && !/refresh/i.test(name))?.value ?? ''
  const answer = await page.request.fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${decodeURIComponent(token)}` },
    ...(body === undefined ? {} : { data: body }),
    // a moved clock runs the jobs of the days between before it answers
    timeout: 180_000,
  })
  return (await answer.json()) as { code: number; message: string; data: T }
}

export { expect } from '@playwright/test'

/** What an admin has released before a test begins; with `accept` also what is risky of it. */
export async function released(
  { page }: DesignerPage,
  target: string,
  changes: readonly object[],
  { role = null, title = 'Before', accept = false }: { role?: string | null; title?: string; accept?: boolean } = {},
): Promise<void> {
  const draft = await call<{ version: number }>(page, '/v2/sys/schema/draft/save', { target, role, version: 0, changes })
  const drafts = [{ target, role, version: draft.data.version }]
  const checked = await call<{ differences: { id: string; risk: boolean }[] }>(page, '/v2/sys/schema/check', {
    drafts: [{ target, role }],
  })
  const accepted = accept ? checked.data.differences.filter(({ risk }) => risk).map(({ id }) => id) : []
  const terms = { drafts, stage: 'all', title, reason: 'Known already', accepted }
  const answer = await call(page, '/v2/sys/schema/release', terms)
  expect(answer, answer.message).toMatchObject({ code: 0 })
}
/** Everything of a target is as delivered again. */
export async function reset({ page }: DesignerPage, target: string, role: string | null = null): Promise<void> {
  const answer = await call(page, '/v2/sys/schema/rollback', { target, role, number: 0, reason: 'As delivered' })
  expect(answer, answer.message).toMatchObject({ code: 0 })
}

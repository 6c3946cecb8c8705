import AxeBuilder from '@axe-core/playwright'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { startFakeGateway, type FakeGateway } from './fakeGateway'

/** The gateway of the portal, and a second origin for sub-applications and the mobile site. */
export let gateway: FakeGateway
export let apps: FakeGateway

/** Starts both for a file of tests; before each test everything is well again. */
export function withGateways(): void {
  test.use({ locale: 'zh-CN' })
  test.beforeAll(async () => {
    gateway = await startFakeGateway()
    apps = await startFakeGateway()
  })
  test.afterAll(async () => {
    await gateway.stop()
    await apps.stop()
  })
  test.beforeEach(() => {
    gateway.heal()
    gateway.refuseRefresh(false)
    gateway.configuration = { microApps: { srm: `${apps.url}/sample` } }
    gateway.calls.splice(0)
  })
}

/** A browser that is signed in already, at an address. */
export async function signedIn(page: Page, address: string): Promise<void> {
  await keepToken(page.context(), gateway.issueToken())
  await page.goto(gateway.url + address)
  await expect(page.locator('.sb-user')).toBeVisible()
}

/** Puts a token into the browser; `used` is the part of its lifetime that has passed. */
export async function keepToken(
  context: BrowserContext,
  { token, refreshToken, expiresIn }: ReturnType<FakeGateway['issueToken']>,
  used = 0,
): Promise<void> {
  const values = {
    token,
    refreshToken,
    lifetime: String(expiresIn * 1000),
    expiresAt: String(Date.now() + expiresIn * 1000 * (1 - used)),
  }
  await context.addCookies(Object.entries(values).map(([name, value]) => ({ name: `TEST_${name}`, value, url: gateway.url })))
}

export const tabs = (page: Page) => page.locator('.sb-tab')
export const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name })
export const menu = (page: Page, name: string) => page.locator('.sb-side-menu').getByText(name, { exact: true })

/** The serious faults that axe finds, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}

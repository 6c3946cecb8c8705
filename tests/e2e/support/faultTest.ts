import type { BrowserContext, Page } from '@playwright/test'
import { startFakeGateway, type FakeGateway } from './fakeGateway'
import { test as base } from './sharedWindow'

/** The gateway of the portal, and a second origin for sub-applications and the mobile site. */
export let gateway: FakeGateway
export let apps: FakeGateway

/** Tests of the shell on gateways that misbehave on demand; before each test everything is well again. */
export const test = base.extend<{ healed: void }, { gateways: void }>({
  gateways: [
    async ({}, provide) => {
      gateway = await startFakeGateway()
      apps = await startFakeGateway()
      await provide()
      await gateway.stop()
      await apps.stop()
    },
    { scope: 'worker', auto: true },
  ],
  healed: [
    async ({ gateways: _ }, provide) => {
      for (const one of [gateway, apps]) one.heal()
      gateway.refuseRefresh(false)
      gateway.lifetime = 3600
      gateway.clockError = 0
      gateway.configuration = { microApps: { srm: `${apps.url}/sample` } }
      gateway.calls.splice(0)
      await provide()
    },
    { auto: true },
  ],
  locale: 'zh-CN',
})

export { expect } from '@playwright/test'
export { seriousFaults, still } from './axe'

/** A browser that is signed in already, at an address. */
export async function signedIn(page: Page, address: string): Promise<void> {
  await keepToken(page.context(), gateway.issueToken())
  await page.goto(gateway.url + address)
  await page.locator('.sb-user').waitFor()
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

export const tab = (page: Page, name: string) => page.locator('.sb-tab').getByRole('link', { name })

import type { Page } from '@playwright/test'
import { MY_CUSTOMERS, OPEN_SEA, openList, rows } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, test } from '../support/realTest'

type Visit = (page: Page) => Promise<void>
const at =
  (address: string): Visit =>
  async (page) => {
    await page.goto(address)
  }

/** What stands on the pages, and what opens over them. */
const PAGES: readonly (readonly [name: string, who: string, visit: Visit])[] = [
  ['the home page', PEOPLE.sales, at('/home')],
  ['my customers', PEOPLE.sales, at(MY_CUSTOMERS)],
  ['nothing found', PEOPLE.sales, at(`${MY_CUSTOMERS}?q=zzzzzz`)],
  ['the open sea', PEOPLE.sales, at(OPEN_SEA)],
  ['the form of a customer', PEOPLE.sales, at(`${MY_CUSTOMERS}/edit`)],
  [
    'the details of a customer',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await rows(page).first().getByRole('link').first().click()
      await expect(page.getByRole('tablist', { name: /相关信息|Related/ })).toBeVisible()
    },
  ],
  [
    'a form below a row',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await rows(page).first().locator('[data-sb-action="followUp"]').click()
      await expect(page.locator('[data-submit]')).toBeVisible()
    },
  ],
  [
    'a form in a drawer',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await rows(page).first().getByRole('link').first().click()
      await page.waitForURL(/details/)
      await page
        .getByRole('button', { name: /跟\s*进$|Follow up$/ })
        .first()
        .click()
      await expect(page.getByRole('dialog').locator('[data-submit]')).toBeVisible()
    },
  ],
  [
    'the import wizard',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await page
        .getByRole('button', { name: /^(导\s*入|Import)$/ })
        .first()
        .click()
      await expect(page.getByRole('dialog').getByRole('button', { name: /下载模板|Download template/ })).toBeVisible()
    },
  ],
  [
    'the column settings',
    PEOPLE.sales,
    async (page) => {
      await openList(page, MY_CUSTOMERS)
      await page.getByRole('button', { name: /^(列设置|Columns)$/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  [
    'the search over menus',
    PEOPLE.sales,
    async (page) => {
      await page.goto('/home')
      await expect(page.locator('.sb-user')).toBeVisible()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  ],
  ['a forbidden page', PEOPLE.noRole, at(MY_CUSTOMERS)],
  ['an unknown address', PEOPLE.sales, at('/nowhere/at/all')],
  ['a page that is not there yet', PEOPLE.administrator, at('/crm/leads')],
  ['the management of users', PEOPLE.administrator, at('/setModule/authManage/user')],
  ['the management of menus', PEOPLE.administrator, at('/setModule/authManage/menu')],
  ['the management of permissions', PEOPLE.administrator, at('/setModule/authManage/permissions')],
  ['the organization', PEOPLE.humanResources, at('/setModule/departmentalOrganization')],
  ['the system log', PEOPLE.administrator, at('/setModule/systemLog')],
]

type Look = { locale: 'zh-CN' | 'en-US'; colorScheme: 'light' | 'dark' }
const FIRST: Look = { locale: 'zh-CN', colorScheme: 'light' }
const SECOND: Look = { locale: 'en-US', colorScheme: 'dark' }

test('axe finds no serious fault on any page, light and dark, in Chinese and in English', async ({ as, visitor }) => {
  test.setTimeout(300_000)
  const found: Record<string, string[]> = {}
  const check = async (what: string, page: Page): Promise<void> => {
    await settled(page)
    const faults = await seriousFaults(page)
    if (faults.length > 0) found[what] = faults
  }
  const people = new Map<string, Page>()
  const looks = new Map<string, Look>()
  for (const [what, who, visit] of PAGES) {
    const page = people.get(who) ?? (await as(who, FIRST))
    people.set(who, page)
    const look = looks.get(who) ?? FIRST
    const other = look === FIRST ? SECOND : FIRST
    await visit(page)
    await check(`${what}, ${look.colorScheme}`, page)
    // The same page in the other look, without a reload; the next page begins with that.
    await page.emulateMedia({ colorScheme: other.colorScheme })
    await page.locator('.sb-tools button[aria-label*="English"], .sb-tools button[aria-label*="中文"]').dispatchEvent('click')
    await expect(page.locator('html')).toHaveAttribute('data-theme', other.colorScheme)
    await expect(page.locator('html')).toHaveAttribute('lang', other === SECOND ? /^en/ : /^zh/)
    looks.set(who, other)
    await check(`${what}, ${other.colorScheme}`, page)
  }
  for (const look of [FIRST, SECOND]) {
    const stranger = await visitor(look)
    await stranger.goto('/')
    await stranger.waitForURL(/\/auth\/identity/)
    await check(`the identity page, ${look.colorScheme}`, stranger)
    await stranger.goto('/login?reason=signedOut')
    await check(`the sign-in, ${look.colorScheme}`, stranger)
  }
  expect(found).toEqual({})
})

/** No skeleton is left and nothing moves. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('.sb-user, .sbi-signin, form').first()).toBeVisible()
  await expect(page.locator('.sb-skeleton:visible, .ant-skeleton:visible, .ant-spin-spinning:visible')).toHaveCount(0)
  // A button under the pointer has the colour of the moment.
  await page.mouse.move(0, 0)
  await page.evaluate(() => new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake))))
  // what goes round for ever, such as the dot of a running state, is part of the settled screen
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  )
}

import type { Page } from '@playwright/test'
import { MY_CUSTOMERS, OPEN_SEA, openList, rows } from '../support/portalPage'
import { PEOPLE, still, test } from '../support/realTest'

/**
 * Pictures of every main page for people to look at: `LOOK=1 npx playwright test look`. They land in test-results/look;
 * `npm test` leaves this file out.
 */
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 375, height: 812 } } as const

type Visit = (page: Page) => Promise<void>
const at =
  (address: string): Visit =>
  async (page) => {
    await page.goto(address)
  }
const firstCustomer =
  (then: Visit): Visit =>
  async (page) => {
    await page.goto(MY_CUSTOMERS)
    const first = rows(page).first().or(page.locator('.sb-cards li:visible').first())
    await first.getByRole('link').first().click()
    await page.waitForURL(/\/details/)
    await then(page)
  }

const PAGES: Readonly<Record<string, { who: string; visit: Visit }>> = {
  home: { who: PEOPLE.sales, visit: at('/home') },
  myCustomers: { who: PEOPLE.sales, visit: at(MY_CUSTOMERS) },
  nothingFound: { who: PEOPLE.sales, visit: at(`${MY_CUSTOMERS}?q=zzzzzz`) },
  openSea: { who: PEOPLE.sales, visit: at(OPEN_SEA) },
  newCustomer: { who: PEOPLE.sales, visit: at(`${MY_CUSTOMERS}/edit`) },
  customer: { who: PEOPLE.sales, visit: firstCustomer(async () => undefined) },
  department: { who: PEOPLE.salesManager, visit: at(`${MY_CUSTOMERS}?view=department`) },
  forbidden: { who: PEOPLE.noRole, visit: at(MY_CUSTOMERS) },
  homeWithoutRole: { who: PEOPLE.noRole, visit: at('/home') },
  notFound: { who: PEOPLE.sales, visit: at('/nowhere/at/all') },
  notYet: { who: PEOPLE.administrator, visit: at('/crm/email') },
  users: { who: PEOPLE.administrator, visit: at('/setModule/authManage/user') },
  menu: { who: PEOPLE.administrator, visit: at('/setModule/authManage/menu') },
  permissions: { who: PEOPLE.administrator, visit: at('/setModule/authManage/permissions') },
  organization: { who: PEOPLE.humanResources, visit: at('/setModule/departmentalOrganization') },
  systemLog: { who: PEOPLE.administrator, visit: at('/setModule/systemLog') },
}

test.describe('the look of @look', () => {
  test.setTimeout(600_000)
  for (const [size, viewport] of Object.entries(WIDTHS)) {
    for (const locale of ['zh-CN', 'en-US'] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        test(`${size} ${locale} ${colorScheme}`, async ({ as, visitor, expectFaults }) => {
          expectFaults(/.*/s)
          for (const [name, { who, visit }] of Object.entries(PAGES)) {
            const page = await as(who, { viewport, locale, colorScheme })
            await visit(page)
            await picture(page, name)
            await page.context().close()
          }
          const stranger = await visitor({ viewport, locale, colorScheme })
          await stranger.goto('/login')
          await stranger.waitForURL(/\/auth\/identity/)
          await picture(stranger, 'identity')

          async function picture(page: Page, name: string): Promise<void> {
            await page.waitForLoadState('load')
            const waiting = page.locator('.sb-skeleton:visible, .ant-skeleton:visible, .ant-spin-spinning:visible')
            await waiting
              .first()
              .waitFor({ state: 'detached' })
              .catch(() => undefined)
            await still(page)
            await page.screenshot({ path: `test-results/look/${name}-${size}-${locale.slice(0, 2)}-${colorScheme}.png` })
          }
        })
      }
    }
  }

  test('the picture of the README', async ({ as }) => {
    const page = await as(PEOPLE.salesManager, { locale: 'en-US', colorScheme: 'light' })
    await openList(page, `${MY_CUSTOMERS}?view=department`)
    await page.waitForLoadState('load')
    await page.screenshot({ path: 'docs/images/my-customers.png' })
  })
})

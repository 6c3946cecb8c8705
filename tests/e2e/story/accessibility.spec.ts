import { at, faultsOf, type Visit } from '../support/looks'
import { MY_CUSTOMERS, OPEN_SEA, openList, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

/** The pages of a sales person, and what opens over them. */
const PAGES: readonly Visit[] = [
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
]

test('axe finds no serious fault on the pages of a sales person, light and dark, in Chinese and in English', async ({ as }) => {
  test.setTimeout(180_000)
  expect(await faultsOf(PAGES, as)).toEqual({})
})

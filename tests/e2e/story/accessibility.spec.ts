import { walksOf } from '../../support/walkPart'
import { at, faultsOf, PHONE, type Visit } from '../support/looks'
import { listReady, MY_CUSTOMERS, OPEN_SEA, openList, rows } from '../support/portalPage'
import { expect, PEOPLE, still, test } from '../support/realTest'

const { someOf } = walksOf(import.meta.filename)

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

/** So many are looked at, unless all are. */
const SOME = 4
const WALKED = someOf('axe', PAGES, SOME, ([name]) => name)

test('axe finds no serious fault on the pages of a sales person, light and dark, in Chinese and in English', async ({ as }) => {
  test.setTimeout(300_000)
  expect(await faultsOf(WALKED, as)).toEqual({})
})

/** Controls that a finger has to meet, small buttons aside, and what is typed into. */
const CONTROLS =
  '#sb-content :is(.ant-btn:not(.ant-btn-sm), .sb-view, .sb-tool, .sb-turn, .sb-card .sb-row-actions > .sb-link, input.sb-input, input.ant-input, .ant-select-selector, .ant-picker)'

test('a finger on a phone finds controls of 40 px, and boxes that the phone does not zoom into', async ({ as }) => {
  const page = await as(PEOPLE.sales, { viewport: PHONE, hasTouch: true, isMobile: true })
  expect(await page.evaluate(() => matchMedia('(max-width: 767px) and (pointer: coarse)').matches)).toBe(true)
  const look = async (): Promise<{ met: number; small: string[] }> => {
    await still(page)
    const seen = await page.locator(CONTROLS).evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .map((one) => {
          const what = `${one.className} ${one.textContent ?? ''}`
          const typed = one.matches('input, .ant-select-selector, .ant-picker')
          return {
            what,
            height: one.getBoundingClientRect().height,
            font: typed ? parseFloat(getComputedStyle(one).fontSize) : 16,
          }
        }),
    )
    const small = seen.filter(({ height, font }) => height < 39.5 || font < 16)
    return { met: seen.length, small: small.map(({ what, height, font }) => `${what}: ${height} px, letters of ${font} px`) }
  }
  await openList(page, MY_CUSTOMERS)
  await expect(rows(page).or(page.locator('.sb-card:visible')).first()).toBeVisible()
  const list = await look()
  expect(list.small).toEqual([])
  await page.goto(`${MY_CUSTOMERS}/edit`)
  await expect(page.locator('button[data-submit]:visible')).toBeVisible()
  const form = await look()
  expect(form.small).toEqual([])
  expect([list.met > 10, form.met > 15]).toEqual([true, true])
})

test('a form below a row says what its fields are, also after the details of a record were open', async ({ as }) => {
  const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
  await listReady(page)
  await rows(page).first().getByRole('link').first().click()
  await expect(page.getByRole('tablist', { name: /相关信息|Related/ })).toBeVisible()
  await page.goBack()
  await rows(page).first().locator('[data-sb-action="followUp"]').click()
  await expect(page.locator('[data-submit]:visible')).toBeVisible()
  const narrow = await page
    .locator('.sb-inline-row label.sb-form-label')
    .evaluateAll((labels) => labels.filter((label) => label.getBoundingClientRect().width < 20).map((label) => label.textContent))
  expect(narrow).toEqual([])
  expect(await page.locator('.sb-inline-row label.sb-form-label').count()).toBeGreaterThan(2)
})

test('a jump to a word far down, as of a screen reader or a search, scrolls the page alone on a phone', async ({ as }) => {
  const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS, viewport: PHONE, hasTouch: true, isMobile: true })
  await listReady(page)
  const card = page
    .locator('.sb-card')
    .filter({ has: page.locator('.sb-hidden-text') })
    .last()
  expect((await card.boundingBox())?.y).toBeGreaterThan(PHONE.height)
  await card
    .locator('.sb-hidden-text')
    .last()
    .evaluate((word) => word.scrollIntoView({ block: 'center' }))
  await expect(card).toBeInViewport()
  expect(await page.locator('#sb-content').evaluate((content) => content.scrollTop)).toBe(0)
})

import type { Page } from '@playwright/test'
import { listReady, MY_CUSTOMERS, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

/** Sheets of the page as a browser would print it; Chromium writes the objects of pages in the clear. */
const sheetsOf = async (page: Page): Promise<number> =>
  (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

/** The words that stand on paper. */
const onPaper = (page: Page): Promise<string> => page.locator('body').innerText()

test('a record is printed whole, over as many sheets as it needs, and without the portal around it', async ({ as }) => {
  const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
  await listReady(page)
  await rows(page).first().locator('a[data-sb-open]').first().click()
  await expect(page.locator('.sb-detail-head:visible')).toBeVisible()
  await page.getByRole('tab', { name: /跟进记录/ }).click()
  await listReady(page)
  const name = await page.locator('.sb-detail-name h1').innerText()
  const code = await page.locator('.sb-detail-head:visible .sb-code').innerText()
  const sections = await page.locator('.sb-section:visible h2').allInnerTexts()
  await page.emulateMedia({ media: 'print' })
  const text = await onPaper(page)
  for (const part of [name, code, ...sections, 'S0006']) expect(text).toContain(part)
  expect(text).toMatch(/打印于 \d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  for (const around of ['.sb-header', '.sb-aside', '.sb-tabs', '.sb-detail-actions', '.sb-row-acts'])
    for (const one of await page.locator(around).all()) await expect(one).toBeHidden()
  // nothing is cut: what is as high as the window scrolls on the screen alone
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('.sb-page, .sb-content, .sb-shell, .sb-scroller, .sb-detail-rail')]
      .filter((one) => one.checkVisibility())
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible')
      .map(({ className }) => className),
  )
  expect(cut).toEqual([])
  expect(await sheetsOf(page)).toBeGreaterThan(1)
})

test('a list is printed with the columns and rows of its loaded page', async ({ as }) => {
  const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
  await listReady(page)
  const shown = await rows(page).count()
  const titles = (await page.locator('thead th[data-column] .sb-th:visible').allInnerTexts()).filter(Boolean)
  await page.emulateMedia({ media: 'print' })
  expect(await rows(page).count()).toBe(shown)
  const text = await onPaper(page)
  for (const title of titles) expect(text).toContain(title)
  await expect(page.locator('.sb-search-bar:visible')).toHaveCount(0)
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.sb-table')]
      .filter((one) => one.checkVisibility())
      .map((one) => one.scrollWidth - one.clientWidth),
  )
  expect(wide).toEqual([0])
  // half an amount reads as another amount
  const cut = await rows(page)
    .locator('td')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
    )
  expect(cut).toEqual([])
  // the head stands on the sheet of the list, which lies on its side
  expect(await page.locator('.sb-shell').evaluate((shell) => getComputedStyle(shell).page)).toBe('wide')
})

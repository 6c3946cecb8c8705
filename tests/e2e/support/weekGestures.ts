import { expect, type Locator, type Page } from '@playwright/test'
import { rows, totalOf } from './portalPage'

/** What the people of the week do again and again. */

/** What is open over a page: a drawer, a dialog. */
export const drawer = (page: Page): Locator => page.locator('.ant-drawer-open:visible, .ant-modal:visible').last()
export const submit = (form: Page | Locator): Promise<void> => form.locator('button[data-submit]:visible').last().click()
/** Yes to the question that is asked. */
export const agree = (page: Page): Promise<void> => page.locator('.ant-modal:visible .ant-btn-primary').last().click()
export const told = (page: Page, text: string | RegExp): Promise<void> => expect(page.getByText(text).first()).toBeVisible()

const GROUPS: Readonly<Record<string, string>> = { 拜访记录: '销售过程', 商机: '销售过程' }
/** Goes to a page by the menu, whose groups fold. */
export async function go(page: Page, name: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name, exact: true })
  const group = page.getByRole('menuitem', { name: GROUPS[name] ?? '客户与伙伴', exact: true })
  await expect(group).toBeVisible()
  if (!(await entry.isVisible())) await group.click()
  await entry.click()
}

export const optionOf = (page: Page, text: string): Locator =>
  page.locator('.ant-select-item-option:visible').filter({ hasText: text }).first()

/** An action of a row, from its buttons or from behind "more". */
export async function act(page: Page, row: Locator, label: string): Promise<void> {
  const actions = row.locator('.sb-row-actions')
  await expect(actions).toBeVisible()
  const button = actions.getByText(label, { exact: true })
  if (await button.isVisible()) return button.click()
  await row.locator('[data-sb-more]').click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

/** What a dry run for a day reports. */
export async function dryRun(page: Page, day: string): Promise<Locator> {
  await page.getByPlaceholder('Day (empty = today)').fill(day)
  await page.keyboard.press('Enter')
  const job = page.locator('.ant-card-small:visible').filter({ has: page.getByText('Deadlines', { exact: true }) })
  await job.getByRole('button', { name: 'Dry run' }).click()
  const report = page.locator('.ant-drawer-open:visible')
  await expect(report).toContainText(`Deadlines · ${day} · Dry`)
  return report
}
export const figureOf = async (report: Locator, title: string): Promise<number> =>
  Number(
    await report.locator('.ant-statistic').filter({ hasText: title }).first().locator('.ant-statistic-content-value').innerText(),
  )

/** The alias of the customer of a row, from its page. */
export async function aliasOf(page: Page, row: Locator): Promise<string> {
  await row.getByRole('link').first().click()
  const alias = page
    .locator('.sb-detail:visible')
    .getByText(/^[A-Z]{2}[A-Z0-9]{4}$/)
    .first()
  await expect(alias).toBeVisible()
  return alias.innerText()
}

/** Unfolds the tables under all charts of a report. */
export async function unfoldTables(page: Page): Promise<void> {
  const folded = page.locator('.sb-chart-data:visible')
  await expect(folded.first()).toBeVisible()
  await expect(page.locator('.sb-skeleton:visible')).toHaveCount(0)
  await folded.evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)))
}

export const numberOf = (text: string): number => Number(text.replaceAll(/[^0-9.-]/g, ''))
/** A number of a report and where it leads; amounts have decimals, counts of rows have none. */
export interface Figure {
  value: number
  counts: boolean
  address: string
}
export const ledBy = async (links: Locator): Promise<Figure[]> =>
  (await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))).map(([text, href]) => ({
    value: numberOf(text ?? ''),
    counts: /^[\d,]+$/.test(text ?? ''),
    address: href ?? '',
  }))

/** The cell of a column in a row of the list that is seen. */
export async function cellOf(page: Page, row: Locator, column: string): Promise<Locator> {
  const heads = page.locator('thead:visible').first().locator('th')
  await expect(heads.first()).toBeVisible()
  const columns = await heads.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-column')))
  expect(columns).toContain(column)
  return row.locator('td').nth(columns.indexOf(column))
}

/** Numbers of a column of the list that is seen, of all its rows. */
async function numbersIn(page: Page, column: string): Promise<number[]> {
  const places = await page
    .locator('thead:visible')
    .first()
    .locator('th')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-column')))
  expect(places).toContain(column)
  const cells = page.locator(`tbody tr[data-key]:visible > td:nth-child(${places.indexOf(column) + 1})`)
  return (await cells.allInnerTexts()).map(numberOf)
}

/** Goes to an address without loading the portal anew, as its links, back and forward do. */
const within = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

/** Rows of a page of a list. */
const PAGE_ROWS = 20
/** How often a list is looked at while it comes, ms. */
const LOOKS = [50, 50, 100, 100, 250]
/**
 * The numbers of a report are the rows that they lead to: as many in all, and where one page holds them, as many that are seen. An
 * amount right behind a number that leads to the same rows is their sum in `column`. Answers how many sums were compared.
 */
export async function equalTheirRows(page: Page, figures: readonly Figure[], column: string): Promise<number> {
  let sums = 0
  for (const [at, { value, address, counts }] of figures.entries()) {
    if (!counts) continue
    await within(page, address)
    await expect.poll(() => totalOf(page), { message: address, intervals: LOOKS }).toBe(value)
    if (value > PAGE_ROWS) continue
    await expect(rows(page), address).toHaveCount(value)
    const amount = figures[at + 1]
    if (value === 0 || amount?.address !== address || amount.counts) continue
    const sum = async (): Promise<number> => (await numbersIn(page, column)).reduce((all, one) => all + one, 0)
    await expect.poll(sum, { message: address, intervals: LOOKS }).toBeCloseTo(amount.value, 2)
    sums += 1
  }
  return sums
}

import type { Locator, Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { expect, PEOPLE, test } from '../support/realTest'

const HOME = '.sb-home'
const cards = (page: Page): Locator => page.locator(`${HOME} [data-card]`)
const card = (page: Page, id: string): Locator => page.locator(`${HOME} [data-card="${id}"]`)
const ids = (page: Page): Promise<(string | null)[]> =>
  cards(page).evaluateAll((found) => found.map((one) => one.getAttribute('data-card')))
const settled = async (page: Page): Promise<void> => {
  await expect(cards(page).first()).toBeVisible()
  await expect(page.locator(`${HOME} .sb-skeleton`)).toHaveCount(0)
}

test.describe('home', () => {
  test('H1 the general manager sees nine cards whose figures lead to what they count; H3 a card that fails says so alone', async ({
    as,
    expectFaults,
  }) => {
    const page = await as(PEOPLE.generalManager)
    await settled(page)
    expect(await ids(page)).toEqual([
      ...['rpt.revenue', 'rpt.cost', 'rpt.profit', 'rpt.margin', 'rpt.trend', 'rpt.customers', 'fin.receivables'],
      ...['ew.alarms', 'wf.todo'],
    ])
    for (const id of ['rpt.revenue', 'rpt.cost', 'rpt.profit']) await expect(card(page, id)).toContainText(/[\d,]+\.\d\d USD/)
    await expect(card(page, 'rpt.margin')).toContainText('%')
    await expect(card(page, 'rpt.customers').getByRole('row')).toHaveCount(11)

    // the bills that a figure counted, no more and no less
    // on some days nothing is late yet
    const due = card(page, 'fin.receivables')
      .locator('dl > div')
      .filter({ has: page.getByRole('link') })
      .first()
    const address = await due.getByRole('link').getAttribute('href')
    const where = JSON.parse(new URL(address!, page.url()).searchParams.get('where') ?? 'null') as unknown
    expect(where, 'the conditions of the figure').not.toBeNull()
    const answer = await call<{ total: number }>(page, '/v2/fin/bill/queryPage', { pageNo: 1, pageSize: 1, where })
    await due.getByRole('link').click()
    await expect(page).toHaveURL(/\/financial\/account\/consumer\/bill/)
    await expect(page.locator('.sb-list:visible h1')).toContainText(String(answer.data.total))

    expectFaults(/500/)
    await page.route('**/v2/ew/alarm/queryPage', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/home')
    await expect(card(page, 'ew.alarms').getByRole('alert')).toBeVisible()
    await expect(card(page, 'rpt.revenue')).toContainText('USD')
    await page.unroute('**/v2/ew/alarm/queryPage')
    await card(page, 'ew.alarms').getByRole('button', { name: '重试' }).click()
    await expect(card(page, 'ew.alarms').getByRole('alert')).toHaveCount(0)
  })

  test('is arranged by its person with the keyboard, kept over a reload, and put back', async ({ as }) => {
    const page = await as(PEOPLE.sales, { locale: 'en-US' })
    await settled(page)
    const before = await ids(page)
    expect(before.slice(0, 2)).toEqual(['crm.today', 'wf.todo'])
    await page.getByRole('button', { name: /Arrange$/ }).click()
    await page.getByRole('button', { name: 'Take “Waiting for me” away' }).click()
    await page.getByRole('button', { name: 'Move “To follow today”' }).focus()
    await page.keyboard.press('Space')
    await expect(async () => {
      await page.keyboard.press('ArrowRight')
      await expect(page.locator('[id^=DndLiveRegion]')).toContainText('2 of', { timeout: 1_000 })
    }).toPass()
    await page.keyboard.press('Space')
    await page.getByRole('combobox', { name: 'Add a card' }).fill('Returned to')
    await page.locator('.ant-select-item-option', { hasText: 'Returned to me' }).click()
    await expect(card(page, 'wf.returned')).toBeVisible()
    await page.getByRole('button', { name: /Done$/ }).click()
    await expect(page.getByText('Your home page is saved')).toBeVisible()
    const now = await ids(page)
    expect(now).not.toContain('wf.todo')
    expect(now[0]).toBe('wf.returned')
    expect(now.indexOf('crm.visits')).toBeLessThan(now.indexOf('crm.today'))

    await page.reload()
    await settled(page)
    expect(await ids(page)).toEqual(now)
    await page.getByRole('button', { name: /Arrange$/ }).click()
    await page.getByRole('button', { name: /Back to default$/ }).click()
    await expect(page.getByRole('button', { name: /Arrange$/ })).toBeVisible()
    expect(await ids(page)).toEqual(before)
  })
})

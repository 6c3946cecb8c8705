import { listReady, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const OPPORTUNITIES = '/crm/opportunities'

test.describe('the forms of a list', () => {
  test('several columns order a list by Shift, with the mouse and with keys, and a link shows the same order', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: `${OPPORTUNITIES}?view=mine` })
    await listReady(page)
    const head = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
    await head('阶段').getByRole('button').click()
    await head('预计成交日')
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
    await expect(page).toHaveURL(/sort=stage\.asc%2CexpectedOn\.asc/)
    await head('预计成交日').getByRole('button').focus()
    await page.keyboard.press('Shift+Enter')
    await expect(page).toHaveURL(/sort=stage\.asc%2CexpectedOn\.desc/)
    await expect(head('阶段').locator('.sb-sort-rank')).toHaveText('1')
    await expect(head('预计成交日').locator('.sb-sort-rank')).toHaveText('2')
    await page.reload()
    await listReady(page)
    await expect(head('预计成交日')).toHaveAttribute('aria-sort', 'descending')
  })

  test('rows stand in groups with number and sums, which open by keys, and the page comes back as its link says', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: `${OPPORTUNITIES}?view=mine` })
    await listReady(page)
    await page.getByRole('button', { name: '分组', exact: true }).click()
    await page.getByRole('menuitem', { name: '按阶段', exact: true }).click()
    const groups = page.locator('.sb-group:visible')
    await expect(groups.first()).toContainText(/[\d,.]+ (CNY|USD)/)
    await expect(page).toHaveURL(/group=stage/)
    const head = groups.first().getByRole('button')
    const count = Number(await head.locator('.sb-count').innerText())
    await head.focus()
    await page.keyboard.press('ArrowRight')
    await expect(rows(page)).toHaveCount(Math.min(20, count))
    await page.keyboard.press('ArrowDown')
    await expect(rows(page).first()).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(rows(page)).toHaveCount(0)
    await page.reload()
    await expect(groups.first()).toBeVisible()
    await page.getByRole('button', { name: '分组: 阶段' }).click()
    await page.getByRole('menuitem', { name: '不分组', exact: true }).click()
    await expect(rows(page).first()).toBeVisible()
    await expect(groups).toHaveCount(0)
  })

  test('a list with a day is a calendar: its entries lead on, its month stands in the link, a phone shows the days that have some', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: `${OPPORTUNITIES}?view=mine` })
    await listReady(page)
    await page.getByRole('button', { name: '日历', exact: true }).click()
    const calendar = page.getByRole('group', { name: '商机 · 按预计成交日' })
    const month = calendar.getByRole('heading')
    const first = await month.innerText()
    await calendar.getByRole('button', { name: '下个月' }).click()
    await expect(month).not.toHaveText(first)
    await expect(page).toHaveURL(/month=\d{4}-\d{2}/)
    await expect(calendar.locator('table')).toHaveAttribute('aria-busy', 'false')
    await page.keyboard.press('PageUp')
    await expect(month).toHaveText(first)
    await calendar.getByRole('button', { name: '本月' }).click()
    await expect(page).not.toHaveURL(/month=/)
    await page.setViewportSize({ width: 375, height: 800 })
    const entry = calendar.locator('.sb-agenda .sb-entry').first()
    await expect(entry).toBeVisible()
    await entry.getByRole('link').first().click()
    await expect(page).toHaveURL(/BODetail/)
  })
})

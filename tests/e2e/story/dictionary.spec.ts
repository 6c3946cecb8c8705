import type { Locator, Page } from '@playwright/test'
import { choose, listReady, MY_CUSTOMERS, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const PAGE = '/setModule/crm/dictionary'
const line = (page: Page, code: string): Locator => page.locator(`.sb-dict-line[data-code="${code}"]:visible`)
const dialog = (page: Page): Locator => page.getByRole('dialog').last()
const act = async (page: Page, code: string, action: string): Promise<void> => {
  await line(page, code)
    .getByRole('button', { name: /更多操作$/ })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('an admin adds a value of a dictionary: a sales person finds it in form and filter at the next visit; used, it cannot be removed', async ({
  as,
}) => {
  test.setTimeout(240_000)
  const admin = await as(PEOPLE.administrator)
  const sales = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
  await listReady(sales)

  await admin.goto(PAGE)
  await admin.locator('.sb-choice').filter({ hasText: 'industry' }).click()
  await admin.getByRole('button', { name: '新增值' }).click()
  await dialog(admin).getByLabel('中文名称').fill('低空经济')
  await dialog(admin).getByLabel('英文名称').fill('Low-altitude economy')
  await dialog(admin).getByLabel('编码').fill('lowAltitude')
  await dialog(admin).locator('[data-submit]').click()
  await expect(line(admin, 'lowAltitude')).toContainText('新增')

  await test.step('it is moved by keyboard', async () => {
    const codes = (): Promise<string[]> =>
      admin
        .locator('.sb-dict-line[data-code]:visible')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-code') ?? ''))
    const before = await codes()
    await act(admin, 'lowAltitude', '上移')
    await expect.poll(codes).toEqual([...before.slice(0, -2), 'lowAltitude', before.at(-2)])
  })

  await test.step('the sales person chooses it in a form and filters by it', async () => {
    await rows(sales).first().getByRole('link').first().click()
    await sales.waitForURL(/details/)
    const id = new URL(sales.url()).searchParams.get('id') ?? ''
    await sales.goto(`${MY_CUSTOMERS}/edit?id=${id}`)
    await choose(sales, '行业', '低空经济')
    await sales.keyboard.press('Control+Enter')
    await expect(sales).toHaveURL(/details/)
    await sales.goto(`${MY_CUSTOMERS}?f.industry=in:lowAltitude`)
    await listReady(sales)
    await expect(rows(sales)).toHaveCount(1)
    await expect(sales.locator('main:visible')).toContainText('低空经济')
  })

  await test.step('used, it is not removed but retired', async () => {
    await admin.reload()
    await admin.locator('.sb-choice').filter({ hasText: 'industry' }).click()
    await expect(line(admin, 'lowAltitude')).toContainText('1 条')
    await act(admin, 'lowAltitude', '删除')
    await dialog(admin)
      .getByRole('button', { name: /删\s*除/ })
      .click()
    await expect(admin.getByText(/正被 1 条记录使用（客户 · 行业 1 条）/)).toBeVisible()
    await act(admin, 'lowAltitude', '停用')
    await dialog(admin)
      .getByRole('button', { name: /停\s*用/ })
      .click()
    await expect(line(admin, 'lowAltitude')).toContainText('已停用')
    await admin.getByRole('tab', { name: '修改记录' }).click()
    await expect(admin.locator('.sb-dict-log:visible')).toContainText('低空经济')
  })
})

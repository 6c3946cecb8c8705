import type { Page } from '@playwright/test'
import { box, choose, MY_CUSTOMERS, openList, rows, search, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const save = (page: Page) => page.locator('button[data-submit]:visible')

test.describe('saving in the real portal', () => {
  test.setTimeout(240_000)

  test('R283 a double click on save makes one customer', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: `${MY_CUSTOMERS}/edit` })
    await type(page, '客户名称', '双击星港通讯')
    await choose(page, '国家/地区', '中国')
    await choose(page, '客户性质', '企业')
    await choose(page, '来源', '官网')
    await save(page).dblclick()
    await expect(page.getByText('客户已保存').first()).toBeVisible()
    await openList(page, MY_CUSTOMERS)
    await search(page, '双击星港')
    await expect(rows(page)).toHaveCount(1)
  })

  test('two people change one customer: the second is shown what the first saved, and decides', async ({ as }) => {
    const seller = await as(PEOPLE.sales)
    const lead = await as(PEOPLE.salesManager)
    await openList(seller, MY_CUSTOMERS)
    await rows(seller).nth(2).getByRole('link', { name: '编辑' }).click()
    await expect(seller).toHaveURL(/\/edit\?id=/)
    await expect(box(seller, '城市')).toBeVisible()
    await lead.goto(seller.url())
    await expect(box(lead, '城市')).toBeVisible()

    await type(seller, '城市', '青岛')
    await save(seller).click()
    await expect(seller.getByText('客户已保存').first()).toBeVisible()

    await type(lead, '城市', '大连')
    await type(lead, '简称', '主管的简称')
    await save(lead).click()
    const dialog = lead.getByRole('dialog')
    await expect(dialog).toContainText('他人已先保存')
    await expect(dialog).toContainText('徐志强')
    await expect(dialog.getByRole('row', { name: /城市/ })).toContainText('青岛')
    await expect(dialog.getByRole('row', { name: /城市/ })).toContainText('大连')
    await dialog.getByRole('button', { name: '保留我的内容并保存' }).click()
    await expect(lead.getByText('客户已保存').first()).toBeVisible()
    await expect(lead.getByText('大连').first()).toBeVisible()
    await seller.reload()
    await expect(seller.getByText('大连').first()).toBeVisible()
    await expect(seller.getByText('主管的简称').first()).toBeVisible()
  })

  test('what the gateway refuses stands at its field', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: `${MY_CUSTOMERS}/edit` })
    await type(page, '客户名称', '甲')
    await save(page).click()
    await expect(box(page, '客户名称').locator('.sb-form-error')).toBeVisible()
    await expect(box(page, '来源').locator('.sb-form-error')).toBeVisible()
    await expect(page).toHaveURL(/\/edit/)
  })
})

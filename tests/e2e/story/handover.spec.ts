import { choose, listReady, MY_CUSTOMERS, openList, rows, search, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const TRANSFERS = '/crm/wander/transfer'

test.describe('customers that change hands', () => {
  test('a transfer is sent from the list, accepted by its receiver, and blocked while an alias changes (R366, R367)', async ({
    as,
  }) => {
    test.setTimeout(150_000)
    const page = await as(PEOPLE.sales)
    const name = '移交石榴通讯有限公司'
    await page.goto(`${MY_CUSTOMERS}/edit`)
    await type(page, '客户名称', name)
    await choose(page, '国家/地区', '中国')
    await choose(page, '客户性质', '企业')
    await choose(page, '来源', '官网')
    await page.locator('button[data-submit]:visible').click()
    await expect(page).toHaveURL(/\/details\?id=/)
    await openList(page, MY_CUSTOMERS)
    await search(page, '移交石榴')
    await rows(page).first().locator('input[type="checkbox"]').check()
    await page.getByRole('button', { name: '转移', exact: true }).first().click()
    const drawer = page.locator('.ant-drawer:visible')
    await expect(drawer).toContainText(name)
    await choose(drawer, '接收人', '唐雨欣')
    await choose(drawer, '原因', '工作量')
    await drawer.locator('button[data-submit]').click()
    await expect(page.getByText('已提交，等待接收').first()).toBeVisible()

    const receiver = await as('S0008')
    await openList(receiver, TRANSFERS)
    await rows(receiver).first().locator('a[data-sb-open]').first().click()
    await expect(receiver.getByText(name).first()).toBeVisible()
    await receiver.getByRole('button', { name: '全部接收' }).click()
    await receiver.locator('.ant-modal:visible .ant-btn-primary').click()
    await expect(rows(receiver).first()).toContainText('成功')

    await openList(page, `${MY_CUSTOMERS}?f.stage=in:dealt&view=dealt`)
    const dealt = rows(page).first()
    const code = (await dealt.locator('td').nth(2).innerText()).trim()
    await dealt.getByRole('button', { name: /更多/ }).click()
    await page.getByRole('menuitem', { name: '变更别名' }).click()
    await type(page.locator('.ant-drawer:visible'), '变更原因', '供应商得知真名')
    await page.locator('.ant-drawer:visible button[data-submit]').click()
    await expect(page.getByText('已提交，待审批').first()).toBeVisible()
    await listReady(page)
    await dealt.getByRole('button', { name: /更多/ }).click()
    await page.getByRole('menuitem', { name: '转移' }).click()
    await choose(page.locator('.ant-drawer:visible'), '接收人', '唐雨欣')
    await choose(page.locator('.ant-drawer:visible'), '原因', '工作量')
    await page.locator('.ant-drawer:visible button[data-submit]').click()
    const dialog = page.locator('.ant-modal:visible')
    await expect(dialog).toContainText(code)
    await dialog.getByRole('button', { name: '查看别名变更记录' }).click()
    await expect(page).toHaveURL(/\/crm\/operate\/alias-record\?.*id=/)
    await listReady(page)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toContainText(code)
  })
})

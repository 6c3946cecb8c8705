import type { Page } from '@playwright/test'
import { box, choose, listReady, MY_CUSTOMERS, openList, rows, search, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const save = (page: Page) => page.locator('button[data-submit]:visible')
/** What the browser itself writes about calls that fail. */
const NETWORK = /Failed to load resource|net::ERR_|Switchboard: RequestError/

test.describe('when the gateway is killed', () => {
  test.afterEach(({ gateway }) => gateway.start().catch(() => undefined))

  test('a killed gateway costs no input: the form says it, and saving again after the restart makes one record', async ({
    as,
    gateway,
    expectFaults,
  }) => {
    test.setTimeout(240_000)
    expectFaults(NETWORK)
    const page = await as(PEOPLE.sales, { fresh: true, at: `${MY_CUSTOMERS}/edit` })
    await type(page, '客户名称', '断线琥珀通讯')
    await choose(page, '国家/地区', '中国')
    await choose(page, '客户性质', '企业')
    await choose(page, '来源', '官网')
    await gateway.kill()
    await save(page).click()
    await expect(page.getByText(/无法连接服务器/).first()).toBeVisible()
    await expect(box(page, '客户名称').locator('input')).toHaveValue('断线琥珀通讯')
    await expect(save(page)).not.toHaveClass(/ant-btn-loading/)
    await gateway.start()
    await save(page).click()
    await expect(page).toHaveURL(/\/details\?id=/)
    await openList(page, MY_CUSTOMERS)
    await search(page, '断线琥珀')
    await expect(rows(page)).toHaveCount(1)
  })

  test('a page that was seen before opens while the gateway is down, and says so', async ({ as, gateway, expectFaults }) => {
    test.setTimeout(240_000)
    expectFaults(NETWORK)
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('menuitem', { name: '公海' }).click()
    await expect(page).toHaveURL(/open-sea/)
    await listReady(page)
    const tabs = page.getByRole('navigation', { name: '已打开的页面' })
    await tabs.getByRole('button', { name: '关闭 我的客户' }).click()
    await gateway.kill()
    await page.getByRole('menuitem', { name: '我的客户' }).click()
    await expect(page.getByText('当前显示的是最近一次可用的页面配置').first()).toBeVisible({ timeout: 40_000 })
    await expect(page.getByRole('heading', { level: 1, name: '我的客户' })).toBeVisible()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await gateway.start()
    await page
      .getByRole('alert')
      .getByRole('button', { name: /重\s*试/ })
      .first()
      .click()
    await expect(rows(page).first()).toBeVisible()
  })
})

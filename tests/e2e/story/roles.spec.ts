import { listReady, MY_CUSTOMERS, OPEN_SEA, openList, rows, totalOf } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const FORBIDDEN = '暂无权限，请联系管理员'

test.describe('each role sees only what it may', () => {
  test('R043 finance reads all customers, with masked contacts and without a button that changes something', async ({ as }) => {
    const page = await as(PEOPLE.finance)
    await expect(page.getByRole('menuitem', { name: '客户管理' })).toBeVisible()
    await openList(page, `${MY_CUSTOMERS}?view=visible`)
    expect(await totalOf(page)).toBeGreaterThan(50)
    await expect(page.getByRole('menuitem', { name: '公海' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /导\s*出/ })).toBeVisible()
    await expect(page.getByRole('link', { name: '新建客户' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /导\s*入/ })).toHaveCount(0)
    await expect(rows(page).first().locator('[data-sb-action="followUp"]')).toHaveCount(0)
    await rows(page).first().getByRole('link').first().click()
    await page.getByRole('tab', { name: /^联系人/ }).click()
    await listReady(page)
    await expect(rows(page).first()).toContainText(/\*\*\*@|\*{4}/)
    await expect(page.getByRole('button', { name: '添加联系人' })).toHaveCount(0)
    await page.goto(OPEN_SEA)
    await expect(page.getByRole('heading', { name: FORBIDDEN })).toBeVisible()
  })

  test('R043 a sales lead sees the department and may assign from the sea', async ({ as }) => {
    const page = await as(PEOPLE.salesManager, { at: `${MY_CUSTOMERS}?view=department` })
    await listReady(page)
    expect(await totalOf(page)).toBeGreaterThan(20)
    const owners = await rows(page).evaluateAll(
      (lines) => new Set(lines.map((line) => line.textContent?.match(/S\d{4}/)?.[0])).size,
    )
    expect(owners).toBeGreaterThan(1)
    await openList(page, OPEN_SEA)
    await rows(page).first().getByRole('button', { name: '更多操作' }).click()
    await expect(page.getByRole('menuitem', { name: '冻结' })).toBeVisible()
    await expect(rows(page).first().getByRole('button', { name: '分配' })).toBeVisible()
  })

  test('R043 whoever has only menus sees pages without a single action', async ({ as }) => {
    const page = await as(PEOPLE.menusOnly, { at: OPEN_SEA })
    await listReady(page)
    await expect(rows(page).first()).toBeVisible()
    for (const name of [/领\s*取/, /分\s*配/, /冻\s*结/, /导\s*出/])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await openList(page, MY_CUSTOMERS)
    await expect(page.getByRole('link', { name: '新建客户' })).toHaveCount(0)
    await expect(page.getByText('名下还没有客户')).toBeVisible()
  })

  test('R043 R044 whoever has no role sees no module, and every page answers 403', async ({ as }) => {
    const page = await as(PEOPLE.noRole)
    await expect(page.getByRole('menuitem', { name: '客户管理' })).toHaveCount(0)
    for (const address of [MY_CUSTOMERS, OPEN_SEA, '/setModule/authManage/user']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: FORBIDDEN })).toBeVisible()
    }
    await page.goto('/nowhere/at/all')
    await expect(page.getByRole('heading', { name: '页面不存在，请联系管理员' })).toBeVisible()
  })

  test('the address of a filtered list shows a colleague the same query under his own rights', async ({ as }) => {
    const seller = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await listReady(seller)
    await seller.getByRole('search').getByRole('button', { name: '客户阶段' }).click()
    await seller.getByLabel('成交').check()
    await seller.getByRole('button', { name: '应用' }).click()
    await expect(seller).toHaveURL(/f\.stage=/)
    await listReady(seller)
    const his = await rows(seller).evaluateAll((lines) => lines.map((line) => line.getAttribute('data-key')))
    expect(his.length).toBeGreaterThan(0)
    const { pathname, search } = new URL(seller.url())

    const lead = await as(PEOPLE.salesManager, { at: pathname + search })
    await listReady(lead)
    await expect(lead.getByRole('group', { name: '已启用的筛选' })).toContainText('成交')
    const theirs = await rows(lead).evaluateAll((lines) => lines.map((line) => line.getAttribute('data-key')))
    expect(theirs.filter((key) => his.includes(key))).toEqual([])
    await lead.goto(`${pathname}${search}&view=visible`)
    await listReady(lead)
    for (const text of await rows(lead).allInnerTexts()) expect(text).toContain('成交')
  })
})

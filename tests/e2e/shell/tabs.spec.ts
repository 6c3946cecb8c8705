import { expect, gateway, menu, signedIn, tab, tabs, test } from '../support/shellTest'

test.describe('tabs', () => {
  test('open with a menu entry (R006, R088), which sets the layout of its module (R086, R184); switch, close, come back after a reload (R188, R207, R210, R214)', async ({
    page,
  }) => {
    await signedIn(page, '/crm/list')
    await menu(page, '客户公海').click()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '客户公海'])
    await expect(page.locator('.sb-modules .ant-menu-item-selected')).toHaveText('客户管理')
    await page.goto(`${gateway.url}/crm/list/details?id=1&tagTitle=T1`)
    await expect(tab(page, 'T1')).toHaveAttribute('aria-current', 'page')
    await page.reload()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '客户公海', 'T1'])
    await tab(page, '我的客户').click()
    await expect(page).toHaveURL(`${gateway.url}/crm/list`)
    await page.getByRole('button', { name: '关闭 我的客户' }).click()
    await expect(page).toHaveURL(/tagTitle=T1/)
    await tab(page, 'T1').click({ button: 'middle' })
    await expect(tabs(page)).toHaveText(['首页', '客户公海'])
    await expect(page).toHaveURL(`${gateway.url}/crm/sea`)
  })

  test('a page is loaded when it is opened (R037); its tab is where it was left: in memory with its scroll position (R214)', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1100, height: 300 })
    await signedIn(page, '/crm/list')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const shown = page.locator('.sb-page:visible')
    await shown.evaluate((element) => element.scrollTo(0, 60))
    const calls = gateway.callsTo('/v2/sys/page/bundle').length
    await menu(page, '客户公海').click()
    await expect.poll(() => gateway.callsTo('/v2/sys/page/bundle').length).toBe(calls + 1)
    await tab(page, '我的客户').click()
    expect(await shown.evaluate((element) => element.scrollTop)).toBe(60)
    expect(gateway.callsTo('/v2/sys/page/bundle')).toHaveLength(calls + 1)
    await page.getByRole('button', { name: '刷新', exact: true }).click()
    await expect.poll(() => gateway.callsTo('/v2/sys/page/bundle').length).toBe(calls + 2)
  })

  test('the menu has exactly three actions with their disabling rules (R077, R078, R079), also as a context menu', async ({
    page,
  }) => {
    await signedIn(page, '/crm/list')
    await page.getByRole('button', { name: '标签操作' }).click()
    const items = page.locator('.ant-dropdown:visible').getByRole('menuitem')
    await expect(items).toHaveText(['关闭当前', '关闭其他', '关闭全部'])
    await expect(items.nth(1)).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await menu(page, '客户公海').click()
    await tab(page, '我的客户').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '关闭其他' }).click()
    await expect(tabs(page)).toHaveText(['首页', '我的客户'])
    // The menu that closes holds the same words.
    await expect(page.locator('.ant-dropdown:visible')).toHaveCount(0)
    await page.getByRole('button', { name: '标签操作' }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '关闭全部' }).click()
    await expect(page).toHaveURL(`${gateway.url}/home`)
    await expect(tabs(page)).toHaveText(['首页'])
  })

  test('the arrows scroll by 300 px in 300 ms (R076, R410), and a tab can be dragged to another place', async ({ page }) => {
    await page.setViewportSize({ width: 1100, height: 800 })
    await signedIn(page, '/srm/many/p1')
    for (let n = 2; n <= 12; n += 1) await menu(page, `供应商页面${n}`).click()
    const scroller = page.locator('.sb-tabs-scroller')
    const before = await scroller.evaluate((element) => (element.scrollLeft = element.scrollWidth - element.clientWidth))
    await page.getByRole('button', { name: '向左滚动标签' }).click()
    await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBe(before - 300)
    await scroller.evaluate((element) => (element.scrollLeft = 0))
    await expect(page.locator('.sb-tab-list[data-sortable]')).toBeVisible()
    const from = await tab(page, '供应商页面1').first().boundingBox()
    const to = await tab(page, '供应商页面3').boundingBox()
    if (!from || !to) throw new Error('the tabs have to be in view')
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width - 10, to.y + 10, { steps: 8 })
    await page.mouse.up()
    await expect(tabs(page).nth(3)).toHaveText('供应商页面1')
  })

  test('a page that holds unsaved input shows it and asks before it is closed', async ({ page }) => {
    await signedIn(page, '/srm/sub/app')
    const app = page.frameLocator('iframe[name="srm"]')
    await app.getByRole('button', { name: 'Say that input is unsaved' }).click()
    await expect(page.locator('.sb-tab-dot')).toBeVisible()
    await page.locator('.sb-tab-close').click()
    await expect(page.getByRole('dialog')).toContainText('有未保存的内容')
    // Enter by habit loses nothing
    await expect(page.getByRole('button', { name: '取消' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(tabs(page)).toHaveCount(2)
    await page.locator('.sb-tab-close').click()
    await page.getByRole('button', { name: '仍然关闭' }).click()
    await expect(tabs(page)).toHaveCount(1)
  })
})

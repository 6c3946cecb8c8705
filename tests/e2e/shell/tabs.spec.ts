import type { Page } from '@playwright/test'
import { listReady, MY_CUSTOMERS, OPEN_SEA, openList, rows, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'
import { menu, tab, tabs } from '../support/shellParts'

const shown = (page: Page) => page.locator('.sb-page:visible')

test.describe('tabs', () => {
  test('open with a menu entry (R006, R088), which sets the layout of its module (R086, R184); switch, close, come back after a reload (R188, R207, R210, R214)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await listReady(page)
    await menu(page, '公海').click()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '公海'])
    await expect(page.locator('.sb-modules .ant-menu-item-selected')).toHaveText('客户管理')
    await listReady(page)
    await tab(page, '我的客户').click()
    await rows(page).first().getByRole('link').first().click()
    const name = await page.locator('.sb-detail-main:visible h1').innerText()
    await expect(tab(page, name)).toHaveAttribute('aria-current', 'page')
    await page.reload()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '公海', name])
    await tab(page, '我的客户').click()
    await expect(page).toHaveURL(MY_CUSTOMERS)
    await page.getByRole('button', { name: '关闭 我的客户' }).click()
    await expect(page).toHaveURL(/details\?id=/)
    await tab(page, name).click({ button: 'middle' })
    await expect(tabs(page)).toHaveText(['首页', '公海'])
    await expect(page).toHaveURL(new RegExp(OPEN_SEA.split('?')[0] ?? ''))
  })

  test('a page is loaded when it is opened (R037); its tab is where it was left: in memory with its scroll position (R214)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS, viewport: { width: 1100, height: 300 } })
    const bundles: string[] = []
    page.on('request', (request) => request.url().includes('/v2/sys/page/bundle') && bundles.push(request.url()))
    await listReady(page)
    const scrolled = () => shown(page).evaluate((element) => element.scrollTop)
    await shown(page).evaluate((element) => element.scrollTo(0, 60))
    const left = await scrolled()
    expect(left).toBeGreaterThan(0)
    await menu(page, '公海').click()
    await listReady(page)
    expect(bundles.filter((url) => url.includes('open-sea'))).toHaveLength(1)
    const before = bundles.length
    await tab(page, '我的客户').click()
    await expect.poll(scrolled).toBe(left)
    expect(bundles).toHaveLength(before)
    await page.getByRole('button', { name: '刷新', exact: true }).first().click()
    await expect.poll(() => bundles.length).toBeGreaterThan(before)
  })

  test('the menu has exactly three actions with their disabling rules (R077, R078, R079), also as a context menu', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await page.getByRole('button', { name: '标签操作' }).click()
    const items = page.locator('.ant-dropdown:visible').getByRole('menuitem')
    await expect(items).toHaveText(['关闭当前', '关闭其他', '关闭全部'])
    await expect(items.nth(1)).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await menu(page, '公海').click()
    await tab(page, '我的客户').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '关闭其他' }).click()
    await expect(tabs(page)).toHaveText(['首页', '我的客户'])
    // The menu that closes holds the same words.
    await expect(page.locator('.ant-dropdown:visible')).toHaveCount(0)
    await page.getByRole('button', { name: '标签操作' }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '关闭全部' }).click()
    await expect(page).toHaveURL('/home')
    await expect(tabs(page)).toHaveText(['首页'])
  })

  test('the arrows scroll by 300 px in 300 ms (R076, R410), a tab can be dragged to another place, and the pages of all stay (R214)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS, viewport: { width: 1100, height: 800 } })
    await listReady(page)
    const titles = Array.from({ length: 14 }, (_, index) => `T${index + 1}`)
    await page.evaluate(
      ([list, names]) => {
        const opened = names.map((title, index) => ({
          id: `t${index + 10}`,
          path: `${list}/details`,
          fullPath: `${list}/details?id=${title}`,
          address: `${list}/details?id=${title}&tagTitle=${title}`,
          international: null,
          title,
          close: true,
          iframeName: null,
        }))
        const kept = JSON.parse(sessionStorage.getItem('switchboard.tabs') ?? '{}') as { tabs: object[] }
        sessionStorage.setItem('switchboard.tabs', JSON.stringify({ ...kept, tabs: [...kept.tabs, ...opened] }))
      },
      [MY_CUSTOMERS, titles] as const,
    )
    await page.reload()
    for (const title of titles) await tab(page, title).click()
    await expect(page.locator('.sb-page')).toHaveCount(15)
    const scroller = page.locator('.sb-tabs-scroller')
    const before = await scroller.evaluate((element) => (element.scrollLeft = element.scrollWidth - element.clientWidth))
    await page.getByRole('button', { name: '向左滚动标签' }).click()
    await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBe(Math.max(0, before - 300))
    await scroller.evaluate((element) => (element.scrollLeft = 0))
    await expect(page.locator('.sb-tab-list[data-sortable]')).toBeVisible()
    const from = await tab(page, 'T1').boundingBox()
    const to = await tab(page, 'T3').boundingBox()
    if (!from || !to) throw new Error('the tabs have to be in view')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width - 5, to.y + 10, { steps: 8 })
    await page.mouse.up()
    await expect(tabs(page).nth(4)).toHaveText('T1')
  })

  test('a page that holds unsaved input shows it and asks before it is closed', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await openList(page, MY_CUSTOMERS)
    await page.getByRole('link', { name: '新建客户' }).click()
    await type(page, '客户名称', '还没写完')
    await expect(page.locator('.sb-tab-dot')).toBeVisible()
    await page.locator('.sb-tab-close').last().click()
    await expect(page.getByRole('dialog')).toContainText('有未保存的内容')
    // Enter by habit loses nothing
    await expect(page.getByRole('button', { name: '取消' }).last()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(tabs(page)).toHaveCount(3)
    await page.locator('.sb-tab-close').last().click()
    await page.getByRole('button', { name: '仍然关闭' }).click()
    await expect(tabs(page)).toHaveCount(2)
  })
})

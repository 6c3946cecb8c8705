import { listReady, MY_CUSTOMERS } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, still, test } from '../support/realTest'
import { configured, tab } from '../support/shellParts'

test.describe('around the page', () => {
  test('header of logo, modules and user area (R070), 52 px (R407); menu that collapses (R005), 221, 65 and 0 px (R073, R074, R075, R201, R202, R203), items 42 (R408), icons 20 (R409)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    const size = async (selector: string, side: 'width' | 'height') =>
      Math.round((await page.locator(selector).first().boundingBox())?.[side] ?? -1)
    await expect.poll(() => size('.sb-aside', 'width')).toBe(221)
    expect(await size('.sb-header', 'height')).toBe(52)
    for (const part of ['.sb-logo', '.sb-modules', '.sb-user']) await expect(page.locator(`.sb-header ${part}`)).toBeVisible()
    expect(await size('.sb-tabs', 'height')).toBe(36)
    expect(await size('.sb-side-menu .ant-menu-item', 'height')).toBe(42)
    await expect.poll(() => size('.sb-side-menu .sb-menu-icon svg', 'width')).toBe(20)
    await page.getByRole('button', { name: '收起菜单' }).click()
    await expect.poll(() => size('.sb-aside', 'width')).toBe(65)
    await page.setViewportSize({ width: 900, height: 800 })
    await expect.poll(() => size('.sb-aside', 'width')).toBe(65)
    await page.setViewportSize({ width: 768, height: 800 })
    await expect(page.locator('.sb-aside')).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('switchboard.device'))).toBe('Mobile')
  })

  test('a module outside the portal opens in a new tab, for whom the menu answer gives it (R071, R299); the logo leads home (R069)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales)
    await configured(page, { externalModules: { IMFS: '/login?reason=signedOut', NWP: '/login' } })
    await page.goto(MY_CUSTOMERS)
    await listReady(page)
    await expect(page.getByRole('menuitem', { name: 'IMFS' })).toHaveCount(0)
    await page.route('**/getResourceByMenu*', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: object[] }
      const imfs = { id: 'imfs', name: 'IMFS', international: 'imfs:imfs', router: null, webShowFlag: true, children: [] }
      await route.fulfill({ response, json: { ...answer, data: [...answer.data, imfs] } })
    })
    await page.reload()
    await listReady(page)
    // how many modules stand in the header before "more" depends on the fonts of the machine; at these widths all do, or not all
    for (const [width, place] of [
      [2400, page.locator('.sb-modules')],
      [1024, page.locator('.ant-menu-submenu-popup')],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      if (width === 1024) await page.locator('.sb-modules').getByRole('img', { name: '更多' }).hover()
      const opened = page.context().waitForEvent('page')
      await place.getByRole('menuitem', { name: 'IMFS' }).click()
      const outside = await opened
      await outside.waitForURL(/\/(login|home)/)
      await outside.close()
      await expect(page.getByRole('menuitem', { name: 'NWP' })).toHaveCount(0)
    }
    await expect(page).toHaveURL(MY_CUSTOMERS)
    await page.getByRole('link', { name: 'Switchboard，返回首页' }).click()
    await expect(page).toHaveURL('/home')
  })

  test('a menu entry opens in a new browser tab, or shows a sub-application, as it says', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await page.route('**/getResourceByMenu*', async (route) => {
      const response = await route.fetch()
      const text = (await response.text())
        .replace(/("router":"\/crm\/today"[^{}]*?"newWindow":)false/, '$1true')
        .replace(/("router":"\/crm\/leads"[^{}]*?"iframeName":)null/, '$1"boards"')
      await route.fulfill({ response, body: text })
    })
    await page.goto(MY_CUSTOMERS)
    await listReady(page)
    const opened = page.context().waitForEvent('page')
    await page.locator('.sb-side-menu').getByText('今日工作').click()
    const beside = await opened
    await expect(beside).toHaveURL('/crm/today')
    await beside.close()
    await expect(page).toHaveURL(MY_CUSTOMERS)
    await page.locator('.sb-side-menu').getByText('销售过程').click()
    await page.locator('.sb-side-menu').getByText('我的线索').click()
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible()
    await expect(page.getByText('boards')).toBeVisible()
  })

  test('the search finds entries in both languages and opens one by keyboard', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('open sea')
    await expect(page.getByRole('option').first()).toHaveText(/公海/)
    await expect(page.getByText('正在搜索…')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/open-sea/)
  })

  test('the search opens a record by its code with one Enter, an action by its name, and says what went wrong', async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/v2\/sys\/search|500/)
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    const code = await page
      .getByText(/^CU\d{7}$/)
      .first()
      .innerText()
    await page.getByRole('banner').getByRole('button', { name: '搜索' }).click()
    await expect(page.getByRole('combobox', { name: '搜索' })).toBeFocused()
    // an answer to earlier words comes after that to later ones
    await page.route('**/v2/sys/search', async (route) => {
      if (route.request().postData()?.includes('"CU"')) await new Promise((wake) => setTimeout(wake, 1_500))
      await route.continue().catch(() => undefined)
    })
    await page.keyboard.type('CU')
    await page.waitForRequest('**/v2/sys/search')
    await page.keyboard.type(code.slice(2))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/my-client\/details\?id=/)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('group', { name: '最近打开' }).getByRole('option')).not.toHaveCount(0)
    await page.unroute('**/v2/sys/search')
    await page.route('**/v2/sys/search', (route) => route.fulfill({ status: 500, body: '' }))
    // Chinese comes as text, not by keys, and goes where the focus is
    await expect(page.getByRole('combobox', { name: '搜索' })).toBeFocused()
    await page.keyboard.type('新建商机')
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
    await page.unroute('**/v2/sys/search')
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0)
    await page.getByRole('group', { name: '操作' }).getByRole('option', { name: '新建商机' }).click()
    await expect(page).toHaveURL('/crm/addBo')
  })

  test('the language and the theme change without a reload and are kept (R012, R013, R014)', async ({ as, gateway, browser }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await page.evaluate(() => Object.assign(window, { stillHere: true }))
    await page.getByRole('button', { name: /切换语言/ }).click()
    await expect(tab(page, 'My customers')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(tab(page, 'My customers')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    for (const [locale, text] of [
      ['zh-TW', '使用企业账号登录'],
      ['de-DE', 'Sign in with company account'],
    ] as const) {
      const other = await browser.newPage({ locale })
      await other.goto(`${gateway.url}/login?reason=signedOut`)
      await expect(other.getByRole('button', { name: text })).toBeVisible()
      await other.close()
    }
  })

  for (const [width, scheme, address] of [
    [1440, 'light', '/crm/no-such-page'],
    [1440, 'dark', '/crm/no-such-page'],
    [375, 'light', '/crm/no-such-page'],
    [375, 'dark', '/home'],
  ] as const) {
    test(`axe finds no serious fault at ${width} px, ${scheme}, ${address}`, async ({ as }) => {
      const page = await as(PEOPLE.sales, { at: address, viewport: { width, height: 800 }, colorScheme: scheme })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
      if (width < 768) {
        await page.getByRole('button', { name: '打开菜单' }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
      } else await page.keyboard.press('Control+k')
      await still(page)
      expect(await seriousFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    })
  }

  test('on a phone the menu is a drawer and the tabs are a sheet (R075, R203)', async ({ as }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS, viewport: { width: 375, height: 700 } })
    await page.getByRole('button', { name: '打开菜单' }).click()
    await page.getByRole('dialog').getByText('公海', { exact: true }).click()
    await expect(page).toHaveURL(/open-sea/)
    await page.getByRole('button', { name: '已打开 3 个页面' }).click()
    await page.locator('.sb-sheet').getByRole('button', { name: '我的客户', exact: true }).click()
    await expect(page).toHaveURL(MY_CUSTOMERS)
  })

  test('a local gray flag shows a banner (R313) and goes with every call (R312)', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await page.evaluate(() => localStorage.setItem('grayVersion', 'blue-7'))
    const asked = page.waitForRequest('**/getUserInfo')
    await page.reload()
    await expect(page.getByText('灰度版本：blue-7')).toBeVisible()
    expect((await asked).headers()['x-gray-version']).toBe('blue-7')
  })

  test('a part of the program that is gone shows the upgrade banner (R383); its refresh clears the kept route list (R384)', async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/SearchPalette|PartError|一部分没有加载成功/)
    const page = await as(PEOPLE.sales)
    await page.route('**/SearchPalette*.js*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await expect(page.getByText('系统已升级到新版本')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).not.toBeNull()
    await page.route('**/v2/sys/page/routes', async (route) => {
      await new Promise((wake) => setTimeout(wake, 500))
      await route.continue()
    })
    const loaded = page.waitForEvent('domcontentloaded')
    await page.locator('.sb-upgrade').click()
    await loaded
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).toBeNull()
  })

  test('says when the network is gone, and calls what does not arrive then no upgrade (R383)', async ({ as, expectFaults }) => {
    expectFaults(/SearchPalette|PartError|一部分没有加载成功|ERR_INTERNET_DISCONNECTED|stream/)
    const page = await as(PEOPLE.sales)
    const context = page.context()
    await expect(page.locator('#sb-content h2').first()).toBeVisible()
    await expect(page.locator('#sb-content .ant-skeleton, #sb-content [aria-busy="true"]')).toHaveCount(0)
    await context.setOffline(true)
    await expect(page.getByText('网络已断开')).toBeVisible()
    // the browser may have kept it from another test
    await page.route('**/SearchPalette*.js*', (route) => route.abort('internetdisconnected'))
    await page.keyboard.press('Control+k')
    await expect(page.getByText('这一部分没有加载成功')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('网络已断开')).toHaveCount(0)
    await expect(page.getByText('系统已升级到新版本')).toHaveCount(0)
  })

  test('copied text is the trimmed plain selection outside inputs (R296) and untouched inside (R297)', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.evaluate(() => {
      const block = document.createElement('pre')
      block.textContent = '   some text  \n'
      document.querySelector('main')?.append(block)
      getSelection()?.selectAllChildren(block)
    })
    // what tidies it comes after the page
    await expect(async () => {
      await page.keyboard.press('Control+c')
      expect(await copied()).toBe('some text')
    }).toPass()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('  a b  ')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    expect(await copied()).toBe('  a b  ')
  })
})

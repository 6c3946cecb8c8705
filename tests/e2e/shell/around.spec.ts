import { expect, gateway, seriousFaults, signedIn, still, tab, test } from '../support/shellTest'

test.describe('around the page', () => {
  test('header of logo, modules and user area (R070), 52 px (R407); menu that collapses (R005), 221, 65 and 0 px (R073, R074, R075, R201, R202, R203), items 42 (R408), icons 20 (R409)', async ({
    page,
  }) => {
    await signedIn(page, '/crm/list')
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

  test('the modules outside the portal open in a new tab (R071), and the logo leads home (R069)', async ({ page, context }) => {
    gateway.configuration = { externalModules: { IMFS: `${gateway.url}/login?reason=signedOut` } }
    await signedIn(page, '/crm/list')
    const opened = context.waitForEvent('page')
    await page.getByRole('menuitem', { name: 'IMFS' }).click()
    await expect(await opened).toHaveURL(/\/login/)
    await expect(page).toHaveURL(`${gateway.url}/crm/list`)
    await page.getByRole('link', { name: 'Switchboard，返回首页' }).click()
    await expect(page).toHaveURL(`${gateway.url}/home`)
  })

  test('the search finds entries in both languages and opens one by keyboard', async ({ page }) => {
    await signedIn(page, '/home')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('open s')
    await expect(page.getByRole('option')).toHaveText([/客户公海/])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${gateway.url}/crm/sea`)
  })

  test('the language and the theme change without a reload and are kept (R012, R013, R014)', async ({ page, browser }) => {
    await signedIn(page, '/crm/list')
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
    [1440, 'light', '/crm/list'],
    [1440, 'dark', '/crm/list'],
    [375, 'light', '/crm/list'],
    [375, 'dark', '/home'],
  ] as const) {
    test(`axe finds no serious fault at ${width} px, ${scheme}, ${address}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 800 })
      await signedIn(page, address)
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

  test('on a phone the menu is a drawer and the tabs are a sheet (R075, R203)', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 700 })
    await signedIn(page, '/crm/list')
    await page.getByRole('button', { name: '打开菜单' }).click()
    await page.getByRole('dialog').getByText('客户公海').click()
    await expect(page).toHaveURL(`${gateway.url}/crm/sea`)
    await page.getByRole('button', { name: '已打开 3 个页面' }).click()
    await page.locator('.sb-sheet').getByRole('button', { name: '我的客户', exact: true }).click()
    await expect(page).toHaveURL(`${gateway.url}/crm/list`)
  })

  test('a local gray flag shows a banner (R313) and goes with every call (R312)', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('grayVersion', 'blue-7'))
    await signedIn(page, '/home')
    await expect(page.getByText('灰度版本：blue-7')).toBeVisible()
    expect(gateway.callsTo('/v2/sys/staff/overseas/getUserInfo')[0]?.headers['x-gray-version']).toBe('blue-7')
  })

  test('a part of the program that is gone shows the upgrade banner (R383); its refresh clears the kept route list (R384)', async ({
    page,
  }) => {
    await signedIn(page, '/home')
    await page.route('**/SearchPalette*.js', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await expect(page.getByText('系统已升级到新版本')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).not.toBeNull()
    gateway.fail('/v2/sys/page/routes', { type: 'slow', ms: 500 })
    const loaded = page.waitForEvent('domcontentloaded')
    await page.locator('.sb-upgrade').click()
    await loaded
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).toBeNull()
  })

  test('says when the network is gone, and calls what does not arrive then no upgrade (R383)', async ({ page, context }) => {
    await signedIn(page, '/home')
    await context.setOffline(true)
    await expect(page.getByText('网络已断开')).toBeVisible()
    // the browser may have kept it from another test
    await page.route('**/SearchPalette*.js', (route) => route.abort('internetdisconnected'))
    await page.keyboard.press('Control+k')
    await expect(page.getByText('这一部分没有加载成功')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('网络已断开')).toHaveCount(0)
    await expect(page.getByText('系统已升级到新版本')).toHaveCount(0)
  })

  test('copied text is the trimmed plain selection outside inputs (R296) and untouched inside (R297)', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signedIn(page, '/home')
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.evaluate(() => {
      const block = document.createElement('pre')
      block.textContent = '   some text  \n'
      document.querySelector('main')?.append(block)
      getSelection()?.selectAllChildren(block)
    })
    await page.keyboard.press('Control+c')
    expect(await copied()).toBe('some text')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('  a b  ')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    expect(await copied()).toBe('  a b  ')
  })
})

import AxeBuilder from '@axe-core/playwright'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { startFakeGateway, type FakeGateway } from './support/fakeGateway'

let gateway: FakeGateway
let apps: FakeGateway
test.beforeAll(async () => {
  gateway = await startFakeGateway()
  // A second origin for the sub-application.
  apps = await startFakeGateway()
})
test.afterAll(async () => {
  await gateway.stop()
  await apps.stop()
})
test.beforeEach(() => {
  gateway.heal()
  gateway.refuseRefresh(false)
  gateway.configuration = { microApps: { srm: `${apps.url}/sample` } }
  gateway.calls.splice(0)
})

test.use({ locale: 'zh-CN' })

/** A browser that is signed in already. */
async function signedIn(page: Page, address: string) {
  await keepToken(page.context(), gateway.issueToken())
  await page.goto(gateway.url + address)
  await expect(page.locator('.sb-user')).toBeVisible()
}
async function keepToken(
  context: BrowserContext,
  { token, refreshToken, expiresIn }: ReturnType<FakeGateway['issueToken']>,
  used = 0,
) {
  const values = {
    token,
    refreshToken,
    lifetime: String(expiresIn * 1000),
    expiresAt: String(Date.now() + expiresIn * 1000 * (1 - used)),
  }
  await context.addCookies(Object.entries(values).map(([name, value]) => ({ name: `TEST_${name}`, value, url: gateway.url })))
}
const tabs = (page: Page) => page.locator('.sb-tab')
const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name })
const menu = (page: Page, name: string) => page.locator('.sb-side-menu').getByText(name, { exact: true })
const seriousFaults = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)

test.describe('sign-in', () => {
  test('a signed-out visitor goes through the corporate sign-in and comes back with the query (R003, R176, R187, R180)', async ({
    page,
  }) => {
    await page.goto(`${gateway.url}/crm/list?keyword=a%26b`)
    await expect(page).toHaveURL(`${gateway.url}/crm/list?keyword=a%26b`)
    await expect(page.locator('.sb-user')).toBeVisible()
    const [call] = gateway.callsTo('/auth/oauth/dingAuth')
    expect(call?.query.get('code')).toBe('good-code')
  })

  test('the token lies in cookies with the prefix of the environment (R174, R175, R177)', async ({ page, context }) => {
    gateway.configuration = { environment: 'pre-production' }
    await page.goto(`${gateway.url}/`)
    await expect(page.locator('.sb-user')).toBeVisible()
    const names = (await context.cookies()).map((cookie) => cookie.name)
    expect(names).toEqual(
      expect.arrayContaining([
        'PRE-PRODUCTION_token',
        'PRE-PRODUCTION_refreshToken',
        'PRE-PRODUCTION_expiresAt',
        'PRE-PRODUCTION_lifetime',
      ]),
    )
  })

  test('no return address leads to another site, and neither does redirectPath (R029)', async ({ page }) => {
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      await page.context().clearCookies()
      await page.goto(`${gateway.url}/login?redirectPath=${encodeURIComponent(evil)}`)
      await expect(page).toHaveURL(`${gateway.url}/home`)
      await page.goto(`${gateway.url}/refresh?redirectPath=${encodeURIComponent(evil)}`)
      await expect(page).toHaveURL(`${gateway.url}/home`)
    }
  })

  test('a sign-in that was not started here is refused, and can be tried again', async ({ page }) => {
    await page.goto(`${gateway.url}/authorize?code=good-code&state=forged`)
    await expect(page.getByRole('alert')).toHaveText(/不是从此页面发起的/)
    expect(gateway.callsTo('/auth/oauth/dingAuth')).toHaveLength(0)
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('a sign-in platform that is down shows a sentence and a way to try again', async ({ page }) => {
    gateway.fail('/auth/oauth/authorize', { type: 'status', status: 503 })
    await page.goto(`${gateway.url}/login`)
    await expect(page.getByRole('alert')).toHaveText(/无法连接登录平台/)
    gateway.heal()
    gateway.fail('/auth/oauth/dingAuth', { type: 'answer', body: { code: 10020001, msg: '账号已停用', data: null } }, 1)
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.getByRole('alert')).toHaveText(/账号已停用/)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('/offerManage is open to a signed-out visitor and shows a plain notice (R186)', async ({ page }) => {
    await page.goto(`${gateway.url}/offerManage/customerQuotation?accountId=7`)
    await expect(page.getByRole('heading', { name: '报价单需要有效链接' })).toBeVisible()
    expect(gateway.calls).toEqual([])
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: '员工登录' }).click()
    await expect(page).toHaveURL(`${gateway.url}/offerManage/customerQuotation?accountId=7`)
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('signing out clears local storage and cookies (R178, R179), leads to the sign-in with the way back (R180), also in other tabs', async ({
    page,
    context,
  }) => {
    await signedIn(page, '/crm/list?a=1')
    const other = await context.newPage()
    await other.goto(`${gateway.url}/home`)
    await expect(other.locator('.sb-user')).toBeVisible()
    await page.bringToFront()
    await page.evaluate(() => localStorage.setItem('grayVersion', 'x'))
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login\?a=1&redirectPath=%2Fcrm%2Flist&reason=signedOut/)
    await expect(page.getByText('已退出登录')).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    expect((await context.cookies()).filter((cookie) => /token/i.test(cookie.name))).toEqual([])
    await expect(other).toHaveURL(/\/login/)
    await page.getByRole('button', { name: '使用企业账号登录' }).click()
    await expect(page).toHaveURL(`${gateway.url}/crm/list?a=1`)
  })
})

test.describe('the token in use', () => {
  test('two tabs with an old token refresh once (R197)', async ({ context }) => {
    await keepToken(context, gateway.issueToken(), 0.99)
    gateway.fail('/auth/oauth/token', { type: 'slow', ms: 300 })
    const pages = await Promise.all([context.newPage(), context.newPage()])
    await Promise.all(pages.map((page) => page.goto(`${gateway.url}/home`)))
    for (const page of pages) await expect(page.locator('.sb-user')).toBeVisible()
    expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(1)
  })

  test('a 401 for every call of a page leads to one refresh and no sign-out (R197)', async ({ page, context }) => {
    await keepToken(context, gateway.issueToken())
    gateway.expireTokens()
    await page.goto(`${gateway.url}/home`)
    await expect(page.locator('.sb-user')).toBeVisible()
    expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(1)
  })

  test('a clock that is a day wrong on either side changes nothing (R195)', async ({ browser }) => {
    for (const days of [-1, 1]) {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.clock.install({ time: Date.now() + days * 86_400_000 })
      gateway.calls.splice(0)
      await page.goto(`${gateway.url}/home`)
      await expect(page.locator('.sb-user')).toBeVisible()
      await page.reload()
      await expect(page.locator('.sb-user')).toBeVisible()
      expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(0)
      await context.close()
    }
  })

  test('a refused refresh in two tabs shows the message and leads both to authorization (R200, R364)', async ({ context }) => {
    await keepToken(context, gateway.issueToken(), 0.99)
    gateway.refuseRefresh(true)
    gateway.fail('/auth/oauth/authorize', { type: 'status', status: 503 })
    const pages = await Promise.all([context.newPage(), context.newPage()])
    await Promise.all(pages.map((page) => page.goto(`${gateway.url}/crm/list?b=2`)))
    await expect(pages[0]?.getByText('刷新凭证已失效，请重新登录') ?? expect.anything()).toBeVisible()
    for (const page of pages) await expect(page).toHaveURL(/\/login\?.*redirectPath=%2Fcrm%2Flist/, { timeout: 8_000 })
  })

  test('the end of a session shows its message for 2 s, then leads to authorization (R362, R379)', async ({ page }) => {
    await signedIn(page, '/home')
    gateway.fail('/v2/', { type: 'status', status: 401, body: { code: 11015, msg: '已在别处退出' } })
    gateway.fail('/auth/oauth/authorize', { type: 'status', status: 503 })
    await page.getByRole('menuitem', { name: '客户管理' }).click()
    await expect(page.locator('.ant-message').getByText('已在别处退出')).toBeVisible()
    await page.waitForTimeout(1_000)
    expect(page.url()).not.toContain('/login')
    await expect(page).toHaveURL(/\/login/, { timeout: 4_000 })
  })
})

test.describe('a gateway that misbehaves', () => {
  test('the user information fails: a message for 2 s and sign-out (R183)', async ({ page, context }) => {
    await keepToken(context, gateway.issueToken())
    gateway.fail('/v2/sys/staff/overseas/getUserInfo', { type: 'status', status: 500 })
    await page.goto(`${gateway.url}/home`)
    await expect(page.getByText('500 Internal Server Error')).toBeVisible()
    await expect(page).toHaveURL(/\/login\?reason=ended/, { timeout: 5_000 })
  })

  for (const fault of [
    { type: 'status', status: 500 },
    { type: 'html' },
    { type: 'empty' },
    { type: 'half' },
    { type: 'broken' },
    { type: 'nothing' },
  ] as const) {
    test(`resources answer ${fault.type}: the person has none, and the portal stands (R381, R382)`, async ({ page }) => {
      gateway.fail('/v2/sys/staff/overseas/getResource', fault)
      await signedIn(page, '/crm/list')
      await expect(page.getByRole('heading', { name: '暂无权限，请联系管理员' })).toBeVisible()
      await page.getByRole('button', { name: '返回首页' }).click()
      await expect(page).toHaveURL(`${gateway.url}/home`)
    })
    test(`routes and pages answer ${fault.type}: the kept ones are used, with a notice`, async ({ page }) => {
      await signedIn(page, '/crm/list')
      await expect(page.getByRole('heading', { name: /王伟/ })).toBeVisible()
      gateway.fail('/v2/sys/page/', fault)
      await page.reload()
      await expect(page.getByText('正在使用本机保存的页面目录')).toBeVisible()
      await expect(tab(page, '我的客户')).toBeVisible()
      await expect(page.getByRole('heading', { name: /王伟/ })).toBeVisible()
    })
  }

  test('without a kept list of pages the reason and a way to try again are shown', async ({ page, context }) => {
    await keepToken(context, gateway.issueToken())
    gateway.fail('/v2/sys/page/routes', { type: 'html' })
    await page.goto(`${gateway.url}/home`)
    await expect(page.getByRole('heading', { name: /无法读取页面目录：服务器返回了网页/ })).toBeVisible()
    gateway.heal()
    await page.getByRole('button', { name: '重试' }).click()
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('a slow gateway shows that something is loading, and then the page', async ({ page, context }) => {
    await keepToken(context, gateway.issueToken())
    gateway.fail('/v2/sys/page/routes', { type: 'slow', ms: 700 })
    await page.goto(`${gateway.url}/home`)
    await expect(page.locator('.ant-spin').first()).toBeVisible()
    await expect(page.locator('.sb-user')).toBeVisible()
  })
})

test.describe('addresses', () => {
  test('redirects: / (R024), aliases, /message/email (R123), /login when signed in (R185), /refresh (R030)', async ({ page }) => {
    await signedIn(page, '/')
    for (const [from, to] of [
      ['/', '/home'],
      ['/crm/customerDetail?id=1&name=Acme', '/crm/list/details?id=1&name=Acme'],
      ['/message/email', '/message/email/inbox'],
      ['/login', '/home'],
      ['/authorize', '/home'],
      ['/refresh?redirectPath=/message/email/inbox&a=1', '/message/email/inbox?a=1'],
    ]) {
      await page.goto(gateway.url + from)
      await expect(page).toHaveURL(gateway.url + to)
    }
  })

  test('404 (R034, R042), 403 (R043, R044, R265), a page that is not there yet, /ddNotice (R031), detail pages (R050)', async ({
    page,
  }) => {
    await signedIn(page, '/nowhere/at-all')
    await expect(page.getByRole('heading', { name: '页面不存在，请联系管理员' })).toBeVisible()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto(`${gateway.url}/crm/secret`)
    await expect(page.getByRole('heading', { name: '暂无权限，请联系管理员' })).toBeVisible()
    await page.goto(`${gateway.url}/crm/coming`)
    await expect(page.getByRole('heading', { name: '页面尚未上线' })).toBeVisible()
    await expect(menu(page, '未上线页面')).toHaveCount(0)
    await page.goto(`${gateway.url}/ddNotice`)
    await expect(page.getByRole('heading', { name: '通知' })).toBeVisible()
    await page.goto(`${gateway.url}/crm/list/details?id=1&name=Acme`)
    await expect(tab(page, 'Acme')).toHaveAttribute('aria-current', 'page')
    await expect(page.locator('.sb-side-menu .ant-menu-item-selected')).toHaveText('我的客户')
  })

  test('a person of the mobile platform goes to the mobile site and can come back (R194, R205, R206)', async ({
    page,
    context,
  }) => {
    gateway.configuration = { h5Url: `${apps.url}/h5` }
    await signedIn(page, '/crm/list?a=1')
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '切换到手机版' }).click()
    await page.waitForURL(`${apps.url}/**`)
    const cookie = (await context.cookies(gateway.url)).find(({ name }) => name === 'TEST_platform')
    expect(cookie?.value).toBe('H5')
    expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
    await page.goto(`${gateway.url}/crm/list`)
    await page.waitForURL(`${apps.url}/**`)
    await page.goto(`${gateway.url}/crm/list?platform=PC`)
    await expect(page.locator('.sb-user')).toBeVisible()
  })
})

test.describe('tabs', () => {
  test('open, switch, close and come back after a reload (R188, R207, R210, R214)', async ({ page }) => {
    await signedIn(page, '/crm/list')
    await menu(page, '客户公海').click()
    await expect(tabs(page)).toHaveText(['首页', '我的客户', '客户公海'])
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

  test('a tab is where it was left: its page stays in memory with its scroll position (R214)', async ({ page }) => {
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
    await page.getByRole('button', { name: '取消' }).click()
    await expect(tabs(page)).toHaveCount(2)
    await page.locator('.sb-tab-close').click()
    await page.getByRole('button', { name: '仍然关闭' }).click()
    await expect(tabs(page)).toHaveCount(1)
  })
})

test.describe('around the page', () => {
  test('measures: header 52 (R407), menu 221, 65 and 0 px (R073, R074, R075, R201, R202, R203), items 42 (R408), icons 20 (R409)', async ({
    page,
  }) => {
    await signedIn(page, '/crm/list')
    const size = async (selector: string, side: 'width' | 'height') =>
      Math.round((await page.locator(selector).first().boundingBox())?.[side] ?? -1)
    await expect.poll(() => size('.sb-aside', 'width')).toBe(221)
    expect(await size('.sb-header', 'height')).toBe(52)
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
      await page.waitForTimeout(400)
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
    await page.evaluate(() =>
      window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: new Error('gone') })),
    )
    await expect(page.getByText('系统已升级到新版本')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).not.toBeNull()
    gateway.fail('/v2/sys/page/routes', { type: 'slow', ms: 500 })
    await page.getByRole('button', { name: '刷新页面' }).click()
    await page.waitForEvent('domcontentloaded')
    expect(await page.evaluate(() => localStorage.getItem('switchboard.routes'))).toBeNull()
  })

  test('says when the network is gone', async ({ page, context }) => {
    await signedIn(page, '/home')
    await context.setOffline(true)
    await expect(page.getByText('网络已断开')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('网络已断开')).toHaveCount(0)
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

test.describe('embedded sub-applications', () => {
  test('a path below a module that is no route reaches its sub-application over a checked bridge (R032, R035, R036, R085)', async ({
    page,
  }) => {
    await signedIn(page, '/srm/some/where?x=1')
    const app = page.frameLocator('iframe[name="srm"]')
    await expect(app.locator('#path')).toHaveText('/srm/some/where?x=1')
    await expect(app.locator('#locale')).toHaveText('zh')
    await expect(app.locator('#token')).toHaveText(/^access-/)
    await page.getByRole('button', { name: /切换语言/ }).click()
    await expect(app.locator('#locale')).toHaveText('en')
    await app.getByRole('button', { name: 'Set the title' }).click()
    await expect(tab(page, 'Sample title')).toBeVisible()
    await app.getByRole('button', { name: 'Ask for a height' }).click()
    await expect.poll(async () => (await page.locator('iframe[name="srm"]').boundingBox())?.height).toBe(1234)
    const before = await app.locator('#token').textContent()
    gateway.expireTokens()
    await app.getByRole('button', { name: 'Ask for another token' }).click()
    await expect(app.locator('#token')).not.toHaveText(before ?? '')
    await app.getByRole('button', { name: 'Try to leave the portal' }).click()
    await page.waitForTimeout(200)
    expect(page.url()).toContain(`${gateway.url}/srm/`)
    await app.getByRole('button', { name: 'Open a page of the portal' }).click()
    await expect(page).toHaveURL(`${gateway.url}/crm/list?from=sample`)
  })

  test('messages of other windows and origins are not heard', async ({ page }) => {
    await signedIn(page, '/srm/x')
    await expect(page.frameLocator('iframe[name="srm"]').locator('#token')).toHaveText(/^access-/)
    await page.evaluate(() =>
      window.postMessage({ channel: 'switchboard', version: 1, type: 'navigate', address: '/crm/list' }, '*'),
    )
    await page.waitForTimeout(200)
    expect(page.url()).toBe(`${gateway.url}/srm/x`)
  })

  test('a module without a configured sub-application says so', async ({ page }) => {
    await signedIn(page, '/crm/no-such-page')
    await expect(page.getByRole('heading', { name: '没有配置子应用' })).toBeVisible()
    expect(await seriousFaults(page)).toEqual([])
  })
})

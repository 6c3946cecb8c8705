import { apps, expect, gateway, menu, seriousFaults, signedIn, tab, test } from '../support/shellTest'

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

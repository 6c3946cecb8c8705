import { expect, gateway, seriousFaults, signedIn, test } from '../support/shellTest'

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

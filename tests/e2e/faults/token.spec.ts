import { expect, gateway, keepToken, signedIn, test } from '../support/faultTest'

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
    // in the tab that asked: one that comes after it finds no token any more, and has nothing to be told
    const told = Promise.any(
      pages.map((page) => expect(page.getByText('刷新凭证已失效，请重新登录')).toBeVisible({ timeout: 20_000 })),
    )
    await Promise.all([told, ...pages.map((page) => page.goto(`${gateway.url}/crm/list?b=2`))])
    for (const page of pages) await expect(page).toHaveURL(/\/login\?.*redirectPath=%2Fcrm%2Flist/, { timeout: 8_000 })
  })

  test('the end of a session shows its message for 2 s, then leads to authorization (R362, R379)', async ({ page }) => {
    await signedIn(page, '/home')
    gateway.fail('/v2/', { type: 'status', status: 401, body: { code: 11015, msg: '已在别处退出' } })
    gateway.fail('/auth/oauth/authorize', { type: 'status', status: 503 })
    await page.getByRole('menuitem', { name: '客户管理' }).click()
    await expect(page.locator('.ant-message').getByText('已在别处退出')).toBeVisible()
    const shownAt = Date.now()
    await expect(page).toHaveURL(/\/login/, { timeout: 4_000 })
    // seen a little late, it may seem a little shorter
    expect(Date.now() - shownAt).toBeGreaterThan(1_000)
  })
})

import { chooseOnIdentityPage, expect, PEOPLE, seriousFaults, signInAs, test } from '../support/realTest'

test.describe('sign-in', () => {
  test('the token lies in cookies with the prefix of the environment (R174, R175, R177)', async ({ visitor }) => {
    const page = await visitor()
    await signInAs(page, PEOPLE.sales)
    await expect(page.locator('.sb-user')).toBeVisible()
    const names = (await page.context().cookies()).map((cookie) => cookie.name)
    expect(names).toEqual(expect.arrayContaining(['TEST_token', 'TEST_refreshToken', 'TEST_expiresAt', 'TEST_lifetime']))
  })

  test('no redirectPath leads to another site (R029)', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      await page.goto(`/refresh?redirectPath=${encodeURIComponent(evil)}`)
      await expect(page).toHaveURL('/home')
    }
  })

  test('a sign-in that was not started here is refused, and can be tried again', async ({ visitor }) => {
    const page = await visitor()
    const exchanged: string[] = []
    page.on('request', (request) => request.url().includes('/auth/oauth/dingAuth') && exchanged.push(request.url()))
    await page.goto('/authorize?code=good-code&state=forged')
    await expect(page.getByRole('alert')).toHaveText(/不是从此页面发起的/)
    expect(exchanged).toEqual([])
    await page.getByRole('button', { name: '重试' }).click()
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('another name takes the place of whoever is signed in and says so, and going back leads to the portal', async ({
    visitor,
    expectFaults,
  }) => {
    expectFaults(/401/)
    const page = await visitor()
    await page.goto('/home')
    const other = await page.context().newPage()
    await other.goto('/home')
    await other.waitForURL(/\/auth\/identity/)
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page.locator('.sb-user')).toBeVisible()
    const seller = await page.locator('.sb-user').innerText()
    await chooseOnIdentityPage(other, PEOPLE.humanResources)
    await expect(other.getByText(/现在以 .+ 登录，之前的登录已结束/)).toBeVisible()
    await expect(other.locator('.sb-user')).not.toHaveText(seller)
    await expect(page.locator('.sb-user')).not.toHaveText(seller)
    await other.goBack()
    await expect(other).toHaveURL('/home')
    await expect(other.locator('.sb-user')).toBeVisible()
  })

  test('/offerManage is open to a signed-out visitor and shows a plain notice (R186)', async ({ visitor }) => {
    const page = await visitor()
    const calls: string[] = []
    page.on('request', (request) => /\/(v2|auth)\//.test(request.url()) && calls.push(request.url()))
    await page.goto('/offerManage/customerQuotation?accountId=7')
    await expect(page.getByRole('heading', { name: '报价单需要有效链接' })).toBeVisible()
    expect(calls).toEqual([])
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: '员工登录' }).click()
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page).toHaveURL('/offerManage/customerQuotation?accountId=7')
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('signing out clears local storage and cookies (R178, R179), leads to the sign-in with the way back (R180), also in other tabs', async ({
    as,
    expectFaults,
  }) => {
    // What the other tab still asks for when the session ends.
    expectFaults(/401/)
    const page = await as(PEOPLE.sales, { fresh: true, at: '/crm/today?a=1' })
    const context = page.context()
    const other = await context.newPage()
    await other.goto('/home')
    await expect(other.locator('.sb-user')).toBeVisible()
    await page.bringToFront()
    await page.evaluate(() => localStorage.setItem('grayVersion', 'x'))
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login\?a=1&redirectPath=%2Fcrm%2Ftoday&reason=signedOut/)
    await expect(page.getByText('已退出登录')).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    expect((await context.cookies()).filter((cookie) => /_(token|refreshToken)$/.test(cookie.name))).toEqual([])
    await expect(other).toHaveURL(/\/login|\/auth\/identity/)
    await page.getByRole('button', { name: '使用企业账号登录' }).click()
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page).toHaveURL('/crm/today?a=1')
  })
})

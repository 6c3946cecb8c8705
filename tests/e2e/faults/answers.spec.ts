import { expect, gateway, keepToken, signedIn, tab, test } from '../support/faultTest'

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

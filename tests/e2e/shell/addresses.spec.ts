import type { Page } from '@playwright/test'
import { listReady, MY_CUSTOMERS, rows } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, signInAs, test } from '../support/realTest'
import { configured, menu } from '../support/shellParts'

/** Where the mobile site would be; nothing answers there. */
const MOBILE = 'http://mobile.example'
const onMobileSite = (page: Page) =>
  page.context().route(`${MOBILE}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Mobile</title>' }))

test.describe('addresses', () => {
  test('redirects: / (R024), aliases, /message/email (R123), /login when signed in (R185), /refresh (R030)', async ({ as }) => {
    const page = await as(PEOPLE.administrator, { at: '/' })
    for (const [from, to] of [
      ['/', '/home'],
      ['/crm/paramSet/addEditEmail?id=1&name=Acme', '/crm/addEditEmail?id=1&name=Acme'],
      ['/message/email', '/message/email/inbox'],
      ['/login', '/home'],
      ['/authorize', '/home'],
      ['/refresh?redirectPath=/message/email/inbox&a=1', '/message/email/inbox?a=1'],
    ] as const) {
      await page.goto(from)
      await expect(page).toHaveURL(to)
    }
  })

  test('404 (R034, R042), 403 (R043, R044, R265), a page that is not there yet, /ddNotice (R031), detail pages (R050)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: '/nowhere/at-all' })
    await expect(page.getByRole('heading', { name: '页面不存在，请联系管理员' })).toBeVisible()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto('/setModule/pages')
    await expect(page.getByRole('heading', { name: '暂无权限，请联系管理员' })).toBeVisible()
    await page.goto('/offerManage/customerQuotation/sendSmsQuotation?id=1')
    await expect(page.getByRole('heading', { name: '页面尚未上线' })).toBeVisible()
    await page.goto('/ddNotice')
    await expect(page.getByRole('heading', { name: '通知' })).toBeVisible()
    await page.goto(MY_CUSTOMERS)
    await listReady(page)
    await expect(menu(page, '客户报价')).toHaveCount(0)
    await rows(page).first().getByRole('link').first().click()
    await expect(page.locator('.sb-side-menu .ant-menu-item-selected')).toHaveText('我的客户')
  })

  test('who switches to the mobile site goes there from then on and can come back (R080, R194, R205, R206)', async ({ as }) => {
    const page = await as(PEOPLE.sales)
    await onMobileSite(page)
    await configured(page, { h5Url: MOBILE })
    await page.goto('/home?a=1')
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '切换到手机版' }).click()
    await page.waitForURL(`${MOBILE}/home?a=1`)
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'TEST_platform')
    expect(cookie?.value).toBe('H5')
    expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
    await page.goto('/crm/today')
    await page.waitForURL(`${MOBILE}/crm/today`)
    await page.goto('/home?platform=PC')
    await expect(page.locator('.sb-user')).toBeVisible()
    await expect(page).toHaveURL('/home')
    await page.context().unroute(`${MOBILE}/**`)
  })

  test('a phone is sent to the mobile site before it signs in, where there is one; its owner can come back (R194)', async ({
    visitor,
  }) => {
    const page = await visitor({ viewport: { width: 375, height: 700 } })
    const phone = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36'
    await page.addInitScript((agent) => Object.defineProperty(navigator, 'userAgent', { get: () => agent }), phone)
    await onMobileSite(page)
    await configured(page, { h5Url: MOBILE })
    await page.goto('/crm/today?x=1')
    await page.waitForURL(`${MOBILE}/crm/today?x=1`)
    await signInAs(page, PEOPLE.sales, '/home?platform=PC')
    await expect(page.locator('.sb-user')).toBeVisible()
    await page.context().unroute(`${MOBILE}/**`)
  })
})

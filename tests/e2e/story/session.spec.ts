import type { Page } from '@playwright/test'
import { box, listReady, MY_CUSTOMERS, openList, rows, type } from '../support/portalPage'
import { chooseOnIdentityPage, expect, PEOPLE, signInAs, test } from '../support/realTest'

async function signOutEverywhere(page: Page): Promise<void> {
  await page.locator('.sb-user').click()
  await page.getByRole('menuitem', { name: '退出所有设备' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出所有设备' }).click()
  await expect(page).toHaveURL(/\/login/)
}

test.describe('a session', () => {
  test('R001 R187 leads through the sign-in back to the address that was asked for, with its query', async ({ visitor }) => {
    const page = await visitor()
    await page.goto(`${MY_CUSTOMERS}?q=%E5%85%AC%E5%8F%B8&view=all`)
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page).toHaveURL(/my-client\?q=%E5%85%AC%E5%8F%B8&view=all$/)
    await listReady(page)
    await expect(page.locator('input[data-sb-keyword]:visible')).toHaveValue('公司')
  })

  test('R001 does not lead to another site after signing in', async ({ visitor, gateway }) => {
    const page = await visitor()
    await page.goto('/login?redirectPath=https%3A%2F%2Fevil.example%2Fx')
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page.locator('.sb-user')).toBeVisible()
    expect(new URL(page.url()).origin).toBe(gateway.url)
  })

  test('says what is wrong with name or password', async ({ visitor }) => {
    const page = await visitor()
    await page.goto('/')
    await page.waitForURL(/\/auth\/identity/)
    await page.getByRole('link', { name: '账号密码' }).click()
    await page.getByLabel('工号或企业邮箱').fill(PEOPLE.sales)
    await page.getByLabel('密码').fill('wrong-password1')
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByLabel('密码').fill('switchboard1')
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.locator('.sb-user')).toBeVisible()
  })

  test('is shared by two tabs, and each keeps its own page', async ({ as }) => {
    const first = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await listReady(first)
    const second = await first.context().newPage()
    await openList(second, `${MY_CUSTOMERS}?view=shared`)
    await expect(second.locator('.sb-user')).toContainText('徐志强')
    await first.reload()
    await listReady(first)
    await expect(first).toHaveURL(new RegExp(`${MY_CUSTOMERS}$`))
  })

  test('keeps its open pages through a reload and switches the language of all', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    await rows(page).first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/details/)
    const tabs = page.getByRole('navigation', { name: '已打开的页面' })
    await expect(tabs).toContainText('我的客户')
    await page.reload()
    await expect(tabs).toContainText('我的客户')
    await page.getByRole('button', { name: /English/ }).click()
    await expect(page.getByRole('navigation', { name: 'Open pages' })).toContainText('My customers')
    await expect(page.getByRole('heading', { name: 'Ownership' })).toBeVisible()
  })

  test('signing out everywhere ends the other browser', async ({ as, sessions, expectFaults }) => {
    expectFaults(/401/)
    const office = await as(PEOPLE.sales, { fresh: true })
    const home = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(home)
    await signOutEverywhere(office)
    sessions.clear()
    await home.getByRole('button', { name: '刷新' }).first().click()
    await expect(home).toHaveURL(/\/login|\/auth\/identity/)
  })

  test('that ends in the middle of a form loses nothing that was typed: it is there after signing in again (R178)', async ({
    as,
    sessions,
    expectFaults,
  }) => {
    expectFaults(/401/)
    const page = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(page)
    const id = await rows(page).first().getAttribute('data-key')
    await page.goto(`${MY_CUSTOMERS}/edit?id=${id}`)
    await type(page, '客户名称', '写到一半的客户')
    await expect(page.locator('.sb-form-draft')).toContainText('草稿已保存于')
    const phone = await as(PEOPLE.sales, { fresh: true })
    await signOutEverywhere(phone)
    sessions.clear()
    // Typed after the session has ended, and not written yet when the portal leaves.
    await type(page, '备注', '会话结束后写的')
    await page.locator('[data-submit]').click()
    await page.waitForURL(/\/auth\/identity/)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    await chooseOnIdentityPage(page, PEOPLE.sales)
    await expect(page).toHaveURL(new RegExp(`/edit\\?id=${id}$`))
    await expect(page.getByText(/已恢复 \d\d:\d\d 保存的草稿/)).toBeVisible()
    await expect(box(page, '客户名称').locator('input')).toHaveValue('写到一半的客户')
    await expect(box(page, '备注')).toContainText('会话结束后写的')
  })

  test('that is ended by hand asks about forms; what is kept is for nobody else, what is discarded is gone', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: `${MY_CUSTOMERS}/edit` })
    const signOut = async (choice: string) => {
      await page.locator('.sb-user').click()
      await page.getByRole('menuitem', { name: '退出登录' }).click()
      const dialog = page.getByRole('dialog').filter({ hasText: '有 1 张表单没有提交' })
      await dialog.getByRole('button', { name: choice }).click()
      await expect(dialog).toHaveCount(0)
    }
    const name = box(page, '客户名称').locator('input')
    await type(page, '客户名称', '留在本设备')
    await expect(page.locator('.sb-form-draft')).toContainText('草稿已保存于')
    await signOut('暂不退出')
    await expect(name).toHaveValue('留在本设备')
    await signOut('保留并退出')
    await expect(page).toHaveURL(/\/login/)
    await signInAs(page, PEOPLE.salesManager, `${MY_CUSTOMERS}/edit`)
    await expect(name).toHaveValue('')
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login/)
    await signInAs(page, PEOPLE.sales, `${MY_CUSTOMERS}/edit`)
    await expect(name).toHaveValue('留在本设备')
    await signOut('丢弃并退出')
    await expect(page).toHaveURL(/\/login/)
    await signInAs(page, PEOPLE.sales, `${MY_CUSTOMERS}/edit`)
    await expect(name).toHaveValue('')
  })

  test('asks before unsaved input is lost with a closed tab', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true, at: `${MY_CUSTOMERS}/edit` })
    await type(page, '客户名称', '还没写完')
    await page.getByRole('button', { name: '标签操作' }).click()
    await page.getByRole('menuitem', { name: '关闭当前' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('未保存')
    await dialog.getByRole('button', { name: /取\s*消/ }).click()
    await expect(page).toHaveURL(/\/edit/)
  })
})

test('whoever is signed in and comes to the sign-in goes on to the portal', async ({ visitor }) => {
  const page = await visitor()
  await signInAs(page, PEOPLE.sales, '/login')
  await expect(page).toHaveURL(/\/home$/)
})

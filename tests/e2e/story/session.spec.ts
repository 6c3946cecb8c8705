import { listReady, MY_CUSTOMERS, openList, rows, type } from '../support/portalPage'
import { chooseOnIdentityPage, expect, PEOPLE, signInAs, test } from '../support/realTest'

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

  test('signing out everywhere ends the other browser', async ({ as, expectFaults }) => {
    expectFaults(/401/)
    const office = await as(PEOPLE.sales, { fresh: true })
    const home = await as(PEOPLE.sales, { fresh: true, at: MY_CUSTOMERS })
    await listReady(home)
    await office.getByRole('button', { name: /用户菜单/ }).click()
    await office.getByRole('menuitem', { name: '退出所有设备' }).click()
    await office.getByRole('dialog').getByRole('button', { name: '退出所有设备' }).click()
    await expect(office).toHaveURL(/\/login/)
    await home.getByRole('button', { name: '刷新' }).first().click()
    await expect(home).toHaveURL(/\/login|\/auth\/identity/)
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

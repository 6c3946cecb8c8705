import { expect, PEOPLE, seriousFaults, still, test } from '../support/realTest'

test.describe('the user menu', () => {
  test('offers switch to mobile, change password and sign out (R080); the password is checked and changed', async ({ as }) => {
    const page = await as(PEOPLE.noRole, { fresh: true })
    await expect(page.locator('.sb-user-badge')).toHaveText(/^\S$/)
    await page.locator('.sb-user').click()
    const mobile = page.getByRole('menuitem', { name: '切换到手机版' })
    await expect(mobile).toHaveAttribute('aria-disabled', 'true')
    await expect(mobile).toContainText('未配置手机版地址')
    await expect(page.getByRole('menuitem', { name: '退出登录' })).toBeVisible()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('当前密码').fill('Old-pass-1')
    await dialog.getByLabel('新密码', { exact: true }).fill('short')
    await dialog.getByLabel('再次输入新密码').fill('other')
    await dialog.getByRole('button', { name: '修改密码' }).click()
    await expect(dialog).toContainText('密码格式不正确')
    await expect(dialog).toContainText('两次输入的新密码不一致')
    // A button under the pointer has the colour of the moment.
    await page.mouse.move(0, 0)
    await still(page)
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByLabel('新密码', { exact: true }).fill('Quiet-harbour-22')
    await dialog.getByLabel('再次输入新密码').fill('Quiet-harbour-22')
    await dialog.getByRole('button', { name: '修改密码' }).click()
    await expect(dialog.getByRole('alert').filter({ hasText: '密码' })).toBeVisible()
    await dialog.getByLabel('当前密码').fill('switchboard1')
    await dialog.getByRole('button', { name: '修改密码' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('密码已修改')).toBeVisible()
  })

  test('the home page says when and how the person signed in before (R324)', async ({ as }) => {
    await as(PEOPLE.menusOnly, { fresh: true })
    const page = await as(PEOPLE.menusOnly, { fresh: true })
    await expect(page.getByText(/上次登录：\d{4}-\d\d-\d\d \d\d:\d\d · 演示登录 · IP /)).toBeVisible()
  })

  test('a part that does not arrive says so, and comes with another try once the network is back (R383)', async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/PasswordDialog|PartError|一部分没有加载成功/)
    const page = await as(PEOPLE.sales)
    const asked: string[] = []
    await page.route(/PasswordDialog-[^/]*\.js/, (route) => {
      asked.push(route.request().url())
      return asked.length <= 2 ? route.abort() : route.continue()
    })
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const missing = page.getByRole('alert').filter({ hasText: '这一部分没有加载成功' })
    await expect(missing).toContainText('网络中断，或系统已升级')
    await expect(missing.getByRole('button', { name: '刷新页面' })).toBeVisible()
    await expect(page.getByText('系统已升级到新版本')).toBeVisible()
    expect(asked).toHaveLength(2)
    await missing.getByRole('button', { name: /^重\s?试$/ }).click()
    await expect(page.getByRole('dialog').getByLabel('当前密码')).toBeVisible()
    await expect(missing).toHaveCount(0)
  })

  test('a part that fails once is asked for again without a word', async ({ as, expectFaults }) => {
    expectFaults(/PasswordDialog/)
    const page = await as(PEOPLE.sales)
    let failed = 0
    await page.route(/PasswordDialog-[^/]*\.js/, (route) => (failed++ === 0 ? route.abort() : route.continue()))
    await page.locator('.sb-user').click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    await expect(page.getByRole('dialog').getByLabel('当前密码')).toBeVisible()
    await expect(page.getByText('这一部分没有加载成功')).toHaveCount(0)
    expect(failed).toBeGreaterThan(1)
  })

  test('signing out everywhere stays here with the reason when the gateway does not answer', async ({
    as,
    sessions,
    expectFaults,
  }) => {
    expectFaults(/503/)
    const page = await as(PEOPLE.finance, { fresh: true })
    // what the home page still asks for would be refused once the person has left
    await expect(page.locator('.sb-home-card').first()).toBeVisible()
    await expect(page.locator('.sb-skeleton:visible, .ant-skeleton:visible, [aria-busy="true"]:visible')).toHaveCount(0)
    const body = JSON.stringify({ code: 10010099, msg: '', data: null })
    await page.route('**/v2/sys/staff/user/signOut', (route) => route.fulfill({ status: 503, body }), { times: 1 })
    for (const step of ['fails', 'works']) {
      await page.locator('.sb-user').click()
      await page.getByRole('menuitem', { name: '退出所有设备' }).click()
      await page.getByRole('dialog').getByRole('button', { name: '退出所有设备' }).click()
      if (step === 'fails') await expect(page.locator('.ant-message')).toContainText('503 Service Unavailable')
    }
    await expect(page).toHaveURL(/\/login\?reason=signedOut/)
    sessions.clear()
  })
})

import { expect, gateway, seriousFaults, test } from '../support/faultTest'

test.describe('sign-in', () => {
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
})

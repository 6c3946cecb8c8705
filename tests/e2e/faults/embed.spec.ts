import { expect, gateway, seriousFaults, signedIn, still, tab, test } from '../support/faultTest'

test.describe('embedded sub-applications', () => {
  test('a path below a module that is no route reaches its sub-application over a checked bridge (R087, R032, R035, R036, R085)', async ({
    page,
  }) => {
    await signedIn(page, '/srm/some/where?x=1')
    const app = page.frameLocator('iframe[name="srm"]')
    await expect(app.locator('#path')).toHaveText('/srm/some/where?x=1')
    await expect(app.locator('#locale')).toHaveText('zh')
    await expect(app.locator('#token')).toHaveText(/^access-/)
    await page.getByRole('button', { name: /切换语言/ }).click()
    await expect(app.locator('#locale')).toHaveText('en')
    await app.getByRole('button', { name: 'Set the title' }).click()
    await expect(tab(page, 'Sample title')).toBeVisible()
    await app.getByRole('button', { name: 'Ask for a height' }).click()
    await expect.poll(async () => (await page.locator('iframe[name="srm"]').boundingBox())?.height).toBe(1234)
    const before = await app.locator('#token').textContent()
    gateway.expireTokens()
    await app.getByRole('button', { name: 'Ask for another token' }).click()
    await expect(app.locator('#token')).not.toHaveText(before ?? '')
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(frame.url()))
    page.on('request', (request) => request.isNavigationRequest() && visited.push(request.url()))
    await app.getByRole('button', { name: 'Try to leave the portal' }).click()
    // heard after the other one
    await app.getByRole('button', { name: 'Open a page of the portal' }).click()
    await expect(page).toHaveURL(`${gateway.url}/crm/list?from=sample`)
    expect(visited.filter((address) => !address.startsWith(gateway.url))).toEqual([])
  })

  test('messages of other windows and origins are not heard', async ({ page }) => {
    await signedIn(page, '/srm/x')
    await expect(page.frameLocator('iframe[name="srm"]').locator('#token')).toHaveText(/^access-/)
    await page.evaluate(async () => {
      const heard = new Promise((wake) => window.addEventListener('message', wake, { once: true }))
      window.postMessage({ channel: 'switchboard', version: 1, type: 'navigate', address: '/crm/list' }, '*')
      await heard
    })
    await still(page)
    expect(page.url()).toBe(`${gateway.url}/srm/x`)
  })

  test('an address that no module knows is not there, and no fault of a sub-application', async ({ page }) => {
    await signedIn(page, '/crm/no-such-page')
    await expect(page.getByRole('heading', { name: '页面不存在，请联系管理员' })).toBeVisible()
    expect(await seriousFaults(page)).toEqual([])
  })
})

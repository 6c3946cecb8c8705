import { expect, gateway, seriousFaults, signedIn, test } from '../support/faultTest'

test.describe('the error catalogue on the screen', () => {
  const STATISTICS = '/v2/crm/index/customer/statistics'
  const answers = (code: number, data: unknown = null) =>
    gateway.fail(STATISTICS, { type: 'answer', body: { code, msg: `消息 ${code}`, data } })

  test('10060053 opens a warning dialog titled "cannot execute" with the message and a got-it button (R369)', async ({
    page,
  }) => {
    answers(10060053)
    await signedIn(page, '/home')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('无法执行')
    await expect(dialog).toContainText('消息 10060053')
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: '知道了' }).click()
    await expect(dialog).toHaveCount(0)
  })

  test('10050027 opens a dialog with the code of the record; its button opens the record with the task (R366, R367)', async ({
    page,
  }) => {
    answers(10050027, { code: 'AL-7', taskId: 'T9' })
    await signedIn(page, '/home')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('记录（AL-7）有未完成的别名变更记录')
    await expect(dialog.getByRole('button', { name: '我知道了' })).toBeVisible()
    await dialog.getByRole('button', { name: '查看别名变更记录' }).click()
    await expect(page).toHaveURL(`${gateway.url}/crm/operate/alias-record?taskId=T9`)
  })

  test('10170036 goes to the page of the missing mailbox (R365)', async ({ page }) => {
    answers(10170036)
    await signedIn(page, '/home')
    await expect(page).toHaveURL(`${gateway.url}/message/email/none`)
  })

  test('10050016 shows its message for 2 s (R368, R379); at most 3 messages stand at once (R403), above everything (R405)', async ({
    page,
  }) => {
    answers(10050016)
    await signedIn(page, '/crm/list')
    const messages = page.locator('.ant-message-notice')
    await expect(messages.first()).toHaveText('应用别名已被占用，已生成新的别名，请再次点击确定')
    for (let n = 0; n < 4; n += 1) await page.getByRole('button', { name: '刷新', exact: true }).click()
    await expect.poll(() => gateway.callsTo(STATISTICS).length).toBe(5)
    const standing = await messages.evaluateAll(
      (all) => all.filter((notice) => notice.closest('[class*="-leave"]') === null).length,
    )
    expect(standing).toBeLessThanOrEqual(3)
    expect(await page.locator('.ant-message').evaluate((element) => getComputedStyle(element).zIndex)).toBe('3000')
    await expect(messages).toHaveCount(0, { timeout: 6_000 })
  })
})

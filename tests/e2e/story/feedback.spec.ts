import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { listReady, MY_CUSTOMERS, rowOf, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const BASE = '/v2/sys/staff'
const MANAGER = 'S0062'
/** A picture of one dot. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const entry = (page: Page, answers = 0) =>
  page.locator('.sb-header').getByRole('button', {
    name: answers === 0 ? '评分与反馈' : `评分与反馈，${answers}条新回复`,
    exact: true,
  })
const good = async <T = { id: string }>(page: Page, path: string, body?: unknown): Promise<T> => {
  const { code, data, message } = await call<T>(page, `${BASE}/${path}`, body)
  expect([code, message]).toEqual([0, message])
  return data
}
const writeIn = async (page: Page, text: string): Promise<void> => {
  const editor = page.locator('.sb-rich [role="textbox"]:visible')
  await editor.click()
  await editor.fill(text)
}

test('F3 F4 R010 R306 feedback with a pasted screenshot is answered, the header counts the answer until its sender has seen it', async ({
  as,
}) => {
  const sender = await as(PEOPLE.sales, { at: MY_CUSTOMERS, fresh: true })
  await listReady(sender)
  await entry(sender).click()
  await expect(sender).toHaveURL(/\/csc\/feedbackmanagement\/feedback\?from=/)
  await listReady(sender)
  await sender.getByRole('button', { name: '写反馈' }).first().click()
  const form = sender.getByRole('dialog', { name: '写反馈' })
  await type(form, '标题', '列表里的日期看不全')
  await writeIn(sender, '窗口窄的时候，日期只显示一半。')
  await expect(form.getByText('我的客户', { exact: true })).toBeVisible()
  await form.locator('.sb-rich [role="textbox"]').evaluate((editor, pixel) => {
    const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], 'screenshot.png', { type: 'image/png' }))
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, PIXEL)
  await expect(form.getByText('screenshot.png')).toBeVisible()
  await expect(form.locator('.ant-progress')).toHaveCount(0)
  await form.getByRole('button', { name: '提交' }).dblclick()
  await expect(form).toBeHidden()
  await listReady(sender)
  await expect(rowOf(sender, '列表里的日期看不全')).toHaveCount(1)

  const manager = await as(MANAGER, { at: '/csc/feedbackmanagement/fb-list' })
  await listReady(manager)
  await rowOf(manager, '列表里的日期看不全').getByText('列表里的日期看不全').click()
  await manager.getByRole('tab', { name: /^附件|^截图/ }).click()
  await expect(manager.getByRole('button', { name: /screenshot\.png/ }).first()).toBeVisible()
  await manager.getByRole('button', { name: '回复', exact: true }).first().click()
  await writeIn(manager, '已加宽，请刷新页面。')
  await manager.getByRole('dialog').getByRole('button', { name: '回复', exact: true }).click()
  await expect(manager.getByText(/已回复，.+会收到消息/)).toBeVisible()

  await expect(entry(sender, 1)).toBeVisible()
  await rowOf(sender, '列表里的日期看不全').getByText('列表里的日期看不全').click()
  await expect(sender.getByText('已加宽，请刷新页面。')).toBeVisible()
  await expect(entry(sender, 0)).toBeVisible()
})

test('F2 R216 R217 a hint is read with 我知道了, and shows once more when its text has changed', async ({ as }) => {
  const admin = await as(PEOPLE.administrator)
  const { id } = await good(admin, 'feedbackConfig/updateFeedbackTips', {
    textZh: '<p>写<strong>反馈</strong>给我们</p>',
    textEn: '<p>Write</p>',
  })
  const person = await as(PEOPLE.salesManager)
  const hint = person.locator('.ant-popover:visible').filter({ has: person.getByRole('button', { name: '我知道了' }) })
  const read = async (text: string): Promise<void> => {
    await person.reload()
    await expect(hint).toContainText(text)
    const told = person.waitForResponse(/triggerPopupFeedbackWindow/)
    await hint.getByRole('button', { name: '我知道了' }).click()
    await told
    await expect(hint).toBeHidden()
    const tip = person.waitForResponse(/checkUserHasFeedback/)
    await person.reload()
    await tip
    await expect(hint).toBeHidden()
  }
  await read('写反馈给我们')
  await good(admin, 'feedbackConfig/updateFeedbackTips', { id, version: 1, textZh: '<p>两天内回复</p>' })
  await read('两天内回复')
  await good(admin, 'feedbackConfig/updateFeedbackTips', { id, version: 2, enabled: false })
})

test('F1 R218 R220 a page asks for a rating on the fifth visit; closed, it asks no more in this session', async ({ as }) => {
  const admin = await as(PEOPLE.administrator)
  const popup = async () =>
    (
      await call<{ records: { id: string; version: number; shown: number; dismissed: number }[] }>(
        admin,
        '/v2/csc/popupConfig/queryPage',
        { pageNo: 1, pageSize: 10, where: [{ field: 'kind', operator: 'eq', value: 'score' }] },
      )
    ).data.records[0]!
  const turn = async (enabled: boolean): Promise<void> => {
    const { id, version } = await popup()
    expect((await call(admin, '/v2/csc/popupConfig/save', { id, version, enabled })).code).toBe(0)
  }
  await turn(true)
  try {
    const person = await as(PEOPLE.sales, { fresh: true })
    const dialog = person.getByRole('dialog', { name: '请评分' })
    const visit = async (): Promise<void> => {
      const asked = person.waitForResponse(/triggerPopupScoreWindow/)
      await person.goto(MY_CUSTOMERS)
      await listReady(person)
      await asked
    }
    for (let count = 1; count < 5; count += 1) {
      await visit()
      await expect(dialog).toHaveCount(0)
    }
    await visit()
    await expect(dialog).toBeVisible()
    await expect(dialog.locator('.ant-rate')).toBeVisible()
    const told = person.waitForResponse(/triggerPopupScoreWindow/)
    await dialog.getByRole('button', { name: /^取\s*消$/ }).click()
    await told
    await expect(dialog).toHaveCount(0)
    await visit()
    await expect(dialog).toHaveCount(0)
    expect(await popup()).toMatchObject({ shown: 1, dismissed: 1 })
  } finally {
    await turn(false)
  }
})

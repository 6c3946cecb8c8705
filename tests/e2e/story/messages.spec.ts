import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { listReady, MY_CUSTOMERS } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const RECEIVER = { jobNumber: 'S0014', id: 'st-s0014' }

/** The bell by how many messages are unread. */
const bell = (page: Page, unread: number) =>
  page.locator('.sb-header').getByRole('button', { name: unread === 0 ? '消息' : `消息，${unread} 条未读`, exact: true })

test.describe('messages', () => {
  test('R007 R226 a share makes the bell of its receiver count up without a reload; what is read in one tab is read in the other', async ({
    as,
  }) => {
    const receiver = await as(RECEIVER.jobNumber, { fresh: true })
    // the nightly jobs have told him something already
    expect((await call(receiver, '/v2/sys/mc/message/query/home/message/change/status', {})).code).toBe(0)
    await expect(bell(receiver, 0)).toBeVisible()
    const second = await receiver.context().newPage()
    await second.goto('/home')
    await expect(bell(second, 0)).toBeVisible()

    const sales = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await listReady(sales)
    const mine = await call<{ records: { id: string; name: string }[] }>(sales, '/v2/crm/customer/queryPage', {
      view: 'mine',
      pageSize: 2,
    })
    for (const [index, { id }] of mine.data.records.entries()) {
      const answer = await call(sales, '/v2/crm/share/save', {
        customerId: id,
        toStaffId: RECEIVER.id,
        mode: 'read',
        reason: '一起跟进',
      })
      expect(answer.code).toBe(0)
      for (const page of [receiver, second]) await expect(bell(page, index + 1)).toBeVisible()
    }

    await bell(receiver, 2).click()
    const panel = receiver.getByRole('dialog', { name: '消息' })
    const [older, newer] = mine.data.records
    const first = panel.getByRole('link').first()
    await expect(first).toContainText(`将客户 ${newer?.name} 共享给您，请接收`)
    await expect(first).toContainText('一起跟进')
    await panel.getByText('未读', { exact: true }).first().click()
    await expect(panel.getByRole('link')).toHaveCount(2)
    await first.focus()
    await receiver.keyboard.press('Enter')
    await expect(receiver).toHaveURL(/\/crm\/wander\/share\?view=toAccept/)
    await expect(panel).toBeHidden()
    for (const page of [receiver, second]) await expect(bell(page, 1)).toBeVisible()
    // it goes to the page where the share is accepted, and whoever shared it hears of that
    await listReady(receiver)
    await expect(receiver.getByText(newer?.name ?? '', { exact: true }).first()).toBeVisible()

    await bell(second, 1).click()
    await expect(second.getByRole('dialog', { name: '消息' }).getByRole('link').nth(1)).toContainText(older?.name ?? '')
    await second.getByRole('button', { name: '全部标为已读' }).click()
    for (const page of [receiver, second]) await expect(bell(page, 0)).toBeVisible()
  })
})

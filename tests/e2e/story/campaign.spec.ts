import { call } from '../support/adminTest'
import { expect, PEOPLE, seriousFaults, still, test } from '../support/realTest'

test('M13 a campaign: whom it reaches is counted while one chooses, a test comes to oneself, it is sent and its recipients tell what became of it', async ({
  as,
}) => {
  const page = await as(PEOPLE.sales, { at: '/crm/sendList' })
  const senders = await call<{ accountId: string; address: string }[]>(page, '/v2/emailbox/email/sender/list', {})
  const own = senders.data.find(({ address }) => !address.startsWith('sales@'))!
  await call(page, '/v2/emailbox/temp/save', {
    ...{ name: '春季活动', kind: 'campaign', scope: 'mine', subject: '{{contact.name}}，新价格' },
    bodyHtml: '<p>您好 {{contact.name}}，新价格已发布。</p>',
  })
  await page.getByText('新建营销', { exact: true }).click()
  await expect(page).toHaveURL(/sendEditMarketingEmails/)
  await page.getByLabel('名称', { exact: true }).fill('春季价格')
  await page.getByLabel('发件箱').click()
  await page.getByLabel('发件箱').fill(own.address.split('@')[0]!)
  await page.locator('.ant-select-item-option', { hasText: own.address }).click()
  await page.getByRole('combobox', { name: '用模板填写…' }).click()
  await page.locator('.ant-select-item-option', { hasText: '春季活动' }).click()
  await expect(page.getByRole('textbox', { name: '主题', exact: true })).toHaveValue('{{contact.name}}，新价格')
  await expect(page.locator('[contenteditable=true]').first()).toContainText('您好 {{contact.name}}，新价格已发布。')
  await page.locator('.sb-form-item[data-address$=audienceKind] .sb-form-box').click()
  await page.locator('.ant-select-item-option', { hasText: '粘贴或导入的地址' }).click()
  await page
    .getByRole('textbox', { name: '地址', exact: true })
    .fill(`Li <sales@switchboard.example>; billing@switchboard.example\nnobody@else.example; wrong@`)
  const reach = page.getByRole('region', { name: '收件人' })
  await expect(reach).toContainText('将发给 2 人')
  await expect(reach).toContainText('邮箱无效 1')
  await expect(reach).toContainText('发件箱发不到 1')
  // one of them has no name: what is said instead is asked for
  await expect(reach).toContainText('没有联系人姓名时写')
  await page.getByRole('textbox', { name: '没有联系人姓名时写' }).fill('您')
  await expect(reach.locator('.ant-alert-warning')).toHaveCount(0)
  await page.getByRole('button', { name: '给我发测试邮件' }).click()
  await expect(page.locator('.ant-message-notice', { hasText: '测试邮件（1 封）已发往' })).toBeVisible()
  await expect(page.frameLocator('iframe[title="预览正文"]').locator('body')).toContainText('退订')
  await page.mouse.move(0, 0)
  await still(page)
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page).toHaveURL(/emailMarketingDetails\?id=/)
  await page.getByRole('button', { name: '发送', exact: true }).click()
  await page
    .getByRole('dialog')
    .or(page.locator('.ant-popover'))
    .getByRole('button', { name: /发\s*送|确\s*定|确认/ })
    .first()
    .click()
  const id = new URL(page.url()).searchParams.get('id')!
  await expect
    .poll(async () => (await call<{ record: { status: string } }>(page, `/v2/crm/mailCampaign/view/${id}`)).data.record.status, {
      timeout: 60_000,
    })
    .toBe('done')
  await page.reload()
  await page.getByRole('tab', { name: /收件人/ }).click()
  await expect(page.getByRole('row', { name: /billing@/ })).toContainText('送达')
  await page.getByRole('tab', { name: /带来的商机/ }).click()
  await expect(page.getByText('点击后90天内还没有新商机。')).toBeVisible()
})

import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { box, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const WRITE = '/message/email/write'
const BASE = '/v2/emailbox'

/** Nobody of the sales floor that has a mailbox from the beginning. */
const NEWCOMER = PEOPLE.salesManager
const SELLER = PEOPLE.sales
const COLLEAGUE = 'S0007'

interface Listed {
  id: string
  accountId: string
  subject: string
  hasAttachment: boolean
}

/** What a call of mail answers, which has to succeed. */
const asked = async <T>(page: Page, path: string, body: object = {}): Promise<T> => {
  const answer = await call<T>(page, `${BASE}/${path}`, body)
  expect(answer.code, JSON.stringify(answer)).toBe(0)
  return answer.data
}

const received = async (page: Page, keyword: string): Promise<readonly Listed[]> =>
  (await asked<{ list: readonly Listed[] }>(page, 'receive/query', { keyword })).list

const ownMailbox = async (page: Page): Promise<{ accountId: string; address: string }> => {
  const [first] = await asked<readonly { accountId: string; address: string }[]>(page, 'email/sender/list')
  return first!
}

/** Pastes a text into a box, as from another program. */
const paste = (page: Page, label: string, text: string): Promise<void> =>
  page.getByRole('combobox', { name: label, exact: true }).evaluate((box, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
  }, text)

const chip = (page: Page, text: string) => page.locator('.sb-mail-chip', { hasText: text })
const send = (page: Page) => page.getByRole('button', { name: /^(?:send )?(?:发\s?送|Send)$/ })

test.describe('writing mail', () => {
  test('M2 M9 R066 R274 a mailbox is bound in three steps; a mail with pasted addresses, template and file is sent, undone from another page, and sent again', async ({
    as,
  }) => {
    const seller = await as(SELLER)
    const to = await ownMailbox(seller)
    const page = await as(NEWCOMER, { at: WRITE })
    await expect(page).toHaveURL(/\/message\/email\/none/)
    await page.getByLabel('邮箱地址').fill('a@b')
    await page.getByRole('button', { name: '下一步' }).click()
    await expect(page.getByRole('alert')).toContainText('输入邮箱格式有误，请更正')
    await page.getByLabel('邮箱地址').fill('newcomer@switchboard.example')
    await page.getByRole('button', { name: '下一步' }).click()
    await expect(page.getByRole('radio', { name: /^本系统邮箱/ })).toBeChecked()
    await page.getByRole('button', { name: '绑定', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'newcomer@switchboard.example 可以使用了' })).toBeVisible()
    await asked(page, 'temp/save', {
      name: '首次报价',
      kind: 'quote',
      scope: 'mine',
      subject: '报价：{{customer.name}}',
      bodyHtml: '<p>{{contact.name}}您好，请看附件中的报价。</p>',
    })
    await page.getByRole('button', { name: '写邮件', exact: true }).click()

    await paste(page, '收件人', `"Li, 娜" <${to.address}>；wrong@b`)
    await expect(chip(page, 'Li, 娜')).toBeVisible()
    await send(page).click()
    await expect(page.getByText('有收件人地址不正确')).toBeVisible()
    // a wrong one goes back into its box
    await chip(page, 'wrong@b').click()
    await page.getByRole('combobox', { name: '收件人', exact: true }).fill('')
    await page.getByRole('button', { name: '模板' }).click()
    await page.getByRole('menuitem', { name: '首次报价' }).click()
    await page.getByRole('dialog').getByLabel('客户名称').fill('Acme & Söhne')
    await page.getByRole('dialog').getByRole('button', { name: '填入' }).click()
    await expect(page.getByRole('textbox', { name: '主题' })).toHaveValue('报价：Acme & Söhne')
    await expect(page.getByRole('textbox', { name: '正文' })).toContainText('Li, 娜您好')
    await page.getByLabel('添加附件').setInputFiles({ name: '报价.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    // what is being uploaded cannot be opened yet
    await expect(page.getByRole('button', { name: '报价.csv', exact: true })).toBeVisible()
    await page.getByRole('checkbox', { name: '要求已读回执' }).check()
    await page.getByRole('textbox', { name: '正文' }).press('Control+Enter')

    const undo = page.locator('.ant-message').getByRole('button', { name: /^撤销/ })
    await expect(undo).toContainText(/\((?:10|[5-9])\)/)
    await page.evaluate(() => {
      history.pushState(null, '', '/message/email/logs')
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    })
    await expect(page.getByRole('heading', { name: '邮件日志' })).toBeVisible()
    await undo.click()
    await expect(page).toHaveURL(/write\?draftId=/)
    await expect(page.getByRole('textbox', { name: '主题' })).toHaveValue('报价：Acme & Söhne')
    await expect(chip(page, 'Li, 娜')).toBeVisible()
    await expect(page.getByRole('button', { name: '移除 报价.csv' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: '要求已读回执' })).toBeChecked()
    expect(await received(seller, 'Söhne')).toEqual([])

    await send(page).click()
    await expect(page.locator('.ant-message').getByRole('button', { name: /^撤销/ })).toBeVisible()
    await expect.poll(async () => (await received(seller, 'Söhne')).length, { timeout: 30_000 }).toBe(1)
    const [mail] = await received(seller, 'Söhne')
    expect(mail).toMatchObject({ subject: '报价：Acme & Söhne', hasAttachment: true })
    // its reader is asked, and sends the receipt himself
    await seller.goto(`/message/email/details?id=${mail!.id}`)
    await seller.getByRole('button', { name: '发送回执' }).click()
    await expect(seller.getByText('已发送回执')).toBeVisible()
    await expect(seller.getByRole('button', { name: '发送回执' })).toHaveCount(0)
  })

  test('M7 M8 a forgotten attachment is asked for once; a mail waits for its time and becomes a draft again', async ({ as }) => {
    const page = await as(SELLER, { at: `${WRITE}?to=${encodeURIComponent((await ownMailbox(await as(COLLEAGUE))).address)}` })
    await page.getByRole('textbox', { name: '主题' }).fill('定时的邮件')
    const text = page.getByRole('textbox', { name: '正文' })
    await text.fill('见附件')
    await send(page).click()
    const forgotten = page.getByRole('dialog', { name: '没有附件，仍然发送？' })
    await forgotten.getByRole('button', { name: /取\s*消/ }).click()
    await page.getByRole('button', { name: '定时发送' }).click()
    const dialog = page.getByRole('dialog', { name: '定时发送' })
    await dialog.getByRole('button', { name: '明天 08:30' }).click()
    await expect(dialog.getByRole('status')).toContainText('08:30')
    await dialog.getByRole('button', { name: /定\s*时$/ }).click()
    await expect(page.getByText(/将于 .* 08:30 发送/)).toBeVisible()
    const { list } = await asked<{ list: readonly { id: string; subject: string }[] }>(page, 'draft/query', { timed: true })
    const timed = list.find(({ subject }) => subject === '定时的邮件')
    await page.goto(`${WRITE}?draftId=${timed?.id}`)
    await page.getByRole('button', { name: '改为草稿并编辑' }).click()
    await expect(page.getByRole('textbox', { name: '主题' })).toHaveValue('定时的邮件')
    await expect(page.getByRole('textbox', { name: '正文' })).toContainText('见附件')
    await page.getByRole('button', { name: '放弃' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /放\s*弃/ })
      .click()
    await expect.poll(async () => (await asked<{ total: number }>(page, 'draft/query', { keyword: '定时的邮件' })).total).toBe(0)
  })

  test('an answer stands beside the pages while one looks at others, is made small and full, and goes when it is sent', async ({
    as,
  }) => {
    const page = await as(SELLER)
    const own = await ownMailbox(page)
    const [mail] = (await asked<{ list: readonly Listed[] }>(page, 'receive/query', { accountIds: [own.accountId] })).list
    await page.goto(`/message/email/inbox?id=${mail!.id}&tagPath=path`)
    await page
      .getByRole('button', { name: /回\s?复$/ })
      .first()
      .click()
    const answer = page.getByRole('region', { name: /^回复/ })
    const text = answer.getByRole('textbox', { name: '正文' })
    await text.fill('写到一半')
    await page.evaluate(() => {
      history.pushState(null, '', '/message/email/logs')
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    })
    await expect(page.getByRole('heading', { name: '邮件日志' })).toBeVisible()
    await expect(text).toContainText('写到一半')
    await text.press('Escape')
    await expect(text).toBeHidden()
    await answer.getByRole('button', { name: '展开' }).click()
    await expect(text).toContainText('写到一半')
    await answer.getByRole('button', { name: '整页编辑' }).click()
    await expect(page).toHaveURL(/write\?draftId=/)
    await expect(answer).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: '正文' })).toContainText('写到一半')
    await page.goto('/message/email/inbox')
    await page.getByRole('button', { name: /写邮件$/ }).click()
    const fresh = page.getByRole('region', { name: '写邮件' })
    await fresh.getByRole('combobox', { name: '收件人', exact: true }).fill(`${own.address},`)
    await fresh.getByRole('textbox', { name: '主题' }).fill('停靠的邮件')
    const docked = page.getByRole('region', { name: '停靠的邮件' })
    await docked.getByRole('textbox', { name: '正文' }).fill('好')
    await send(page).click()
    await expect(page.locator('.ant-message').getByRole('button', { name: /^撤销/ })).toBeVisible()
    await expect(docked).toHaveCount(0)
    await expect(page).toHaveURL(/email\/inbox/)
  })

  test('a draft outlives a reload; the newer one of another device stands beside it, and nothing is overwritten', async ({
    as,
  }) => {
    const first = await as(SELLER, { at: WRITE })
    await first.getByRole('textbox', { name: '主题' }).fill('两台设备')
    await first.getByRole('textbox', { name: '正文' }).fill('第一台')
    await expect(first.getByText(/草稿已保存/)).toBeVisible({ timeout: 15_000 })
    await first.reload()
    await expect(first.getByRole('textbox', { name: '主题' })).toHaveValue('两台设备')
    const { list } = await asked<{ list: readonly { id: string; subject: string }[] }>(first, 'draft/query', {
      keyword: '两台设备',
    })
    const second = await as(SELLER, { at: `${WRITE}?draftId=${list[0]?.id}` })
    await second.getByRole('textbox', { name: '正文' }).fill('第二台写得更新')
    await expect(second.getByText(/草稿已保存/)).toBeVisible({ timeout: 15_000 })
    await first.getByRole('textbox', { name: '正文' }).fill('第一台又写了')
    const newer = first.getByRole('alertdialog', { name: '另一台设备上有更新的草稿' })
    await expect(newer).toBeVisible({ timeout: 15_000 })
    await expect(newer.frameLocator('iframe').first().getByText('第一台又写了')).toBeVisible()
    await newer.getByRole('button', { name: '采用另一台设备的' }).click()
    await expect(first.getByRole('textbox', { name: '正文' })).toContainText('第二台写得更新')
    await asked(first, 'draft/del', { ids: [list[0]?.id] })
  })

  test('who is away says until when in the settings of the mailbox; the mails say so until he is back', async ({ as }) => {
    const page = await as(SELLER, { at: '/message/email/set' })
    const { address } = await ownMailbox(page)
    await page.locator('tbody tr', { hasText: address }).getByText('编辑', { exact: true }).click()
    await expect(box(page, '邮箱地址').locator('input').or(box(page, '邮箱地址').getByText(address))).toBeVisible()
    await type(page, '外出开始', '今天')
    await page.keyboard.press('Enter')
    await type(page, '外出结束', '3天后')
    await page.keyboard.press('Enter')
    await type(page, '外出回复', '外出中，急事请找唐杰。')
    await page.keyboard.press('Control+Enter')
    // leaving the page would take back what is on its way
    await expect(page).toHaveURL(/\/message\/email\/set/)
    await page.goto('/message/email/inbox')
    const away = page.getByText(/外出中，至 .*：来信人会收到一次外出回复/)
    await expect(away).toBeVisible()
    await page.getByRole('button', { name: '结束外出' }).click()
    await expect(away).toHaveCount(0)
    await page.reload()
    await expect(page.locator('.sb-mail-row').first()).toBeVisible()
    await expect(away).toHaveCount(0)
  })

  test('M4 M5 M10 R279 an answer quotes in the language of whoever writes; a second one sees who is answering before he types', async ({
    as,
  }) => {
    const seller = await as(SELLER)
    const { data } = await call<{ accounts: readonly { accountId: string; address: string }[] }>(
      seller,
      `${BASE}/account/staff/state`,
    )
    const shared = data.accounts.find(({ address }) => address.startsWith('sales@'))
    const { list } = await asked<{ list: readonly Listed[] }>(seller, 'receive/query', { accountIds: [shared?.accountId] })
    const mail = list[0]!
    const answer = `${WRITE}?kind=reply&messageId=${mail.id}&accountId=${mail.accountId}`
    await seller.goto(answer)
    await expect(seller.getByRole('textbox', { name: '主题' })).toHaveValue(/^回复：(?!Re|回复)/)
    await seller.getByRole('button', { name: '显示引用的邮件' }).click()
    const quote = seller.frameLocator('iframe[title="引用的邮件"]')
    for (const label of ['发件人', '发送时间', '收件人', '主题']) await expect(quote.getByText(`${label}：`)).toBeVisible()

    const colleague = await as(COLLEAGUE, { locale: 'en-US', at: answer })
    await expect(colleague.getByRole('alert').filter({ hasText: /is writing an answer since \d\d:\d\d/ })).toBeVisible()
    await expect(colleague.getByRole('textbox', { name: 'Subject' })).toHaveValue(/^Re: (?!Re|回复)/)
    await colleague.getByRole('button', { name: 'Show the quoted mail' }).click()
    const english = colleague.frameLocator('iframe[title="Quoted mail"]')
    for (const label of ['From', 'Sent', 'To', 'Subject'])
      await expect(english.getByText(`${label}:`, { exact: true })).toBeVisible()
  })
})

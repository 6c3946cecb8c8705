import type { Locator, Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { call } from './support/adminTest'
import { expect, PEOPLE, seriousFaults, still, test } from './support/realTest'

const ME = 'reader@switchboard.example'
const OUTSIDE = '"Anna <b>" <anna@carrier.example>'
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

let letters = 0

/** What comes from outside, over SMTP. */
const mailFrom = (port: number) => {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
  return async (subject: string, more: object = {}): Promise<void> => {
    letters += 1
    const messageId = `<${letters}.${Date.now()}@carrier.example>`
    await transport.sendMail({ from: OUTSIDE, to: ME, subject, text: `Text of ${subject}`, messageId, ...more })
  }
}

/** The mailbox of the tests, bound at the first call; answers its id. */
async function bound(page: Page): Promise<string> {
  const body = { address: ME, displayName: 'Reader', kind: 'personal', transport: 'local' }
  await call(page, '/v2/mail/account/save', body)
  const state = await call<{ accounts: { accountId: string; address: string }[] }>(page, '/v2/emailbox/account/staff/state')
  const found = state.data.accounts.find(({ address }) => address === ME)
  expect(found, 'the mailbox is bound').toBeDefined()
  return found!.accountId
}

const rowOf = (page: Page, subject: string): Locator => page.locator('.sb-mail-row').filter({ hasText: subject })
const reader = (page: Page): Locator => page.getByRole('article', { name: '邮件内容' })
const letter = (page: Page) => page.frameLocator('iframe[title="邮件正文"]')
const toast = (page: Page, text: string): Locator => page.locator('.ant-message-notice').filter({ hasText: text })
const bell = (page: Page): Locator => page.locator('.sb-header').getByRole('button', { name: /^消息/ })

test.describe('mail is read', () => {
  test('R228 R229 R230 R231 R232 R233 R234 new mail raises a toast that stays and leads to its folder; the menu counts it, not the bell', async ({
    as,
    gateway,
  }) => {
    const page = await as(PEOPLE.sales)
    const send = mailFrom(gateway.mailPort)
    const accountId = await bound(page)
    const counted = page.waitForResponse('**/v2/emailbox/message/non/read')
    await page.goto(`/message/email/sent?account=${accountId}&tagPath=path`)
    await expect(page.getByRole('heading', { name: '还没有发出邮件' })).toBeVisible()
    const unread = page.locator('.sb-side-menu .sb-menu-entry', { hasText: '收件箱' }).locator('.sb-menu-count')
    const { data: counts }: { data: { receiveUnReadNum: number } } = await (await counted).json()
    const before = counts.receiveUnReadNum
    const said = await bell(page).getAttribute('aria-label')

    await send('First letter')
    await expect(toast(page, '新邮件 Anna <b>：First letter')).toBeVisible()
    await expect(unread).toHaveText(String(before + 1))
    await expect(bell(page)).toHaveAttribute('aria-label', said ?? '')
    // longer than any other toast stands
    const steps = await page.evaluate(() => history.length)
    await page.waitForTimeout(4_000)
    await toast(page, 'First letter').getByRole('button', { name: '去查看' }).click()
    await expect(page).toHaveURL(/\/message\/email\/inbox$/)
    await expect(toast(page, 'First letter')).toHaveCount(0)
    await expect(rowOf(page, 'First letter')).toHaveAttribute('data-unread', 'true')
    // in place of what stood there: one step back is what was before it
    expect(await page.evaluate(() => history.length)).toBe(steps)

    // whoever is there sees the page anew, where he stands
    await page.locator('.sb-mail-row a', { hasText: 'First letter' }).click()
    await expect(page).toHaveURL(/id=/)
    const address = page.url()
    await send('Second letter')
    await toast(page, 'Second letter').getByRole('button', { name: '去查看' }).click()
    await expect(page).toHaveURL(address)
    await expect(rowOf(page, 'Second letter')).toBeVisible()

    await call(page, '/v2/emailbox/blacklist/update', { value: 'spam.example', scope: 'mine' })
    await send('You won', { from: 'x@spam.example' })
    await toast(page, '垃圾邮件 x@spam.example：You won').getByRole('button', { name: '去查看' }).click()
    await expect(page).toHaveURL(/\/message\/email\/spam$/)
    await expect(rowOf(page, 'You won')).toBeVisible()
    await send('Third letter')
    await toast(page, 'Third letter').getByRole('button', { name: '关闭' }).click()
    await expect(toast(page, 'Third letter')).toHaveCount(0)
  })

  test('R150 R276 R277 with the keyboard alone: opened, starred, archived, taken back; spam from now on and back; found, not found, failed', async ({
    as,
    gateway,
  }) => {
    const page = await as(PEOPLE.sales)
    const send = mailFrom(gateway.mailPort)
    const accountId = await bound(page)
    const inbox = `/message/email/inbox?account=${accountId}&tagPath=path`
    await send('Invoice of October', { html: '<p>See the <b>invoice</b>.</p><blockquote type="cite">earlier words</blockquote>' })
    await send('Rates of November', {
      attachments: [
        { filename: 'rates 11.txt', content: 'a;b' },
        { filename: 'dot.gif', content: PIXEL },
      ],
    })
    await page.goto(inbox)
    await expect(rowOf(page, 'Rates of November')).toBeVisible()
    await page.keyboard.press('j')
    await expect(reader(page).getByRole('heading', { level: 2 })).toHaveText('Rates of November')
    await page.keyboard.press('j')
    await expect(reader(page).getByRole('heading', { level: 2 })).toHaveText('Invoice of October')
    await expect(reader(page).locator('.sb-mail-sender')).toHaveText('Anna <b> <anna@carrier.example>')
    await expect(reader(page).locator('.sb-mail-people')).toContainText('reader <reader@switchboard.example>')
    await expect(letter(page).getByText('See the invoice.')).toBeVisible()
    await expect(letter(page).getByText('earlier words')).toBeHidden()
    await letter(page).locator('summary').click()
    await expect(letter(page).getByText('earlier words')).toBeVisible()
    await expect(rowOf(page, 'Invoice of October')).not.toHaveAttribute('data-unread')
    await page.reload()
    await expect(reader(page).getByRole('heading', { level: 2 })).toHaveText('Invoice of October')

    await page.keyboard.press('s')
    await expect(rowOf(page, 'Invoice of October').getByRole('button', { name: '取消星标' })).toBeVisible()
    await page.keyboard.press('e')
    await expect(rowOf(page, 'Invoice of October')).toHaveCount(0)
    await toast(page, '1 封已移至归档').getByRole('button', { name: '撤销' }).click()
    await expect(rowOf(page, 'Invoice of October')).toBeVisible()
    await rowOf(page, 'Invoice of October').getByRole('checkbox').check()
    await page.keyboard.press('b')
    await page.getByRole('menuitem', { name: '明天' }).click()
    await expect(rowOf(page, 'Invoice of October')).toHaveCount(0)
    await expect(toast(page, '1 封将于')).toBeVisible()
    await page.getByRole('link', { name: '稍后处理' }).click()
    await expect(rowOf(page, 'Invoice of October')).toContainText('09:00 回到收件箱')
    await page.locator('.sb-mail-row a', { hasText: 'Invoice of October' }).click()
    await reader(page).getByRole('button', { name: '移回收件箱' }).click()
    await expect(page.getByRole('heading', { name: '没有稍后处理的邮件' })).toBeVisible()
    await page.goto(inbox)
    const invoice = await rowOf(page, 'Invoice of October').getAttribute('data-id')
    const soon = new Date(Date.now() + 1_000).toISOString()
    await call(page, '/v2/emailbox/receive/mark', { messageIds: [invoice], snoozedUntil: soon })
    // older than the other one, it comes back above it
    await expect(toast(page, '新邮件 Anna <b>：Invoice of October')).toBeVisible()
    await expect(page.locator('.sb-mail-row').first()).toHaveAttribute('data-id', invoice!)
    await expect(rowOf(page, 'Invoice of October')).toHaveAttribute('data-unread', 'true')
    await toast(page, 'Invoice of October').getByRole('button', { name: '关闭' }).click()

    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: '快捷键' })).toContainText('回复全部')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await seriousFaults(page, '.sb-mail')).toEqual([])

    // with "from now on" the sender's next mail goes the same way, and back
    await page.locator('.sb-mail-row a', { hasText: 'Rates of November' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      reader(page).getByRole('button', { name: '下载: rates 11.txt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('rates 11.txt')
    await reader(page).getByRole('button', { name: '预览: dot.gif' }).click()
    await expect(page.getByRole('dialog').getByRole('img', { name: 'dot.gif' })).toBeVisible()
    await page.getByRole('dialog').press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await reader(page).getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '移至垃圾邮件，今后也拦截该发件人' }).click()
    await expect(rowOf(page, 'Rates of November')).toHaveCount(0)
    await send('Held back')
    await page.goto(`/message/email/spam?account=${accountId}&tagPath=path`)
    await expect(rowOf(page, 'Held back')).toBeVisible()
    for (const subject of ['Held back', 'Rates of November']) await rowOf(page, subject).getByRole('checkbox').check()
    await page.locator('.sb-mail-bulk').getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '不是垃圾邮件，今后信任该发件人' }).click()
    await expect(rowOf(page, 'Held back')).toHaveCount(0)

    await page.goto(inbox)
    await expect(rowOf(page, 'Held back')).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('invoice')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/q=invoice/)
    await expect(page.locator('.sb-mail-row')).toHaveCount(1)
    await page.getByRole('textbox', { name: '搜索主题、人员、正文' }).fill('nobody wrote this')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: '没有找到符合“nobody wrote this”的邮件' })).toBeVisible()
    const unreachable = await call<{ id: string }>(page, '/v2/mail/account/save', {
      ...{ address: 'far@nowhere.invalid', displayName: 'Far', kind: 'personal', transport: 'imapSmtp', authKind: 'password' },
      ...{ imapHost: 'imap.nowhere.invalid', imapPort: 993, imapSecurity: 'tls', login: 'far', secret: 'secret' },
      ...{ smtpHost: 'smtp.nowhere.invalid', smtpPort: 465, smtpSecurity: 'tls' },
    })
    expect(unreachable.code, unreachable.message).toBe(0)
    await call(page, '/v2/emailbox/receive/sync', { accountIds: [unreachable.data.id] })
    const state = () => call<{ failing: number }>(page, '/v2/emailbox/account/staff/state')
    await expect.poll(async () => (await state()).data.failing, { timeout: 60_000 }).toBe(1)
    await page.goto('/message/email/inbox?q=invoice&tagPath=path')
    await expect(page.getByText('far@nowhere.invalid 无法同步：')).toBeVisible()
    await expect(rowOf(page, 'Invoice of October').first()).toBeVisible()
    await call(page, '/v2/mail/account/stateUpdate', { ids: [unreachable.data.id], field: 'state', transition: 'unbind' })

    const phone = await as(PEOPLE.sales, { viewport: { width: 375, height: 812 }, locale: 'en-US', at: inbox })
    await phone.locator('.sb-mail-row a', { hasText: 'Invoice of October' }).click()
    await expect(phone.getByRole('article', { name: 'Message' })).toBeVisible()
    await expect(phone.locator('.sb-mail-rows')).toHaveCount(0)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await still(phone)
    expect(await seriousFaults(phone, '.sb-mail')).toEqual([])
    await phone.getByRole('button', { name: 'Back to list' }).click()
    await expect(rowOf(phone, 'Invoice of October')).toBeVisible()
  })

  test('a hostile mail runs nothing, loads nothing and stays in its frame; pictures come by the gateway when they are trusted', async ({
    as,
    gateway,
    expectFaults,
  }) => {
    const page = await as(PEOPLE.sales)
    const send = mailFrom(gateway.mailPort)
    const accountId = await bound(page)
    const evil = 'https://evil.example'
    await send('Hostile', {
      html: `<base href="${evil}/"><meta http-equiv="refresh" content="0;url=${evil}/refresh"><link rel="stylesheet" href="${evil}/a.css">
        <style>@import url(${evil}/b.css); body { background: url(${evil}/c.png) }</style><script>top.hacked = 1</script>
        <div style="position:fixed;inset:0;z-index:9999;background:url('${evil}/d.png')" onclick="top.hacked = 1">Cover</div>
        <img src="x" onerror="top.hacked = 1"><img src="${evil}/e.png" width="40" height="40" alt="Banner" srcset="${evil}/f.png 2x">
        <svg onload="top.hacked = 1"><script>top.hacked = 1</script></svg><math><a href="javascript:top.hacked=1">m</a></math>
        <a href="javascript:top.hacked=1" id="run">Run</a><a href="data:text/html,<script>top.hacked=1</script>">Data</a>
        <form action="${evil}/form"><input name="p"><button>Send</button></form><iframe src="${evil}/g"></iframe>
        <object data="${evil}/h"></object><video src="${evil}/i" autoplay></video><p>Plain words</p>${'<table><tr><td>'.repeat(2_000)}deep`,
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`/message/email/inbox?account=${accountId}&tagPath=path`)
    await page.locator('.sb-mail-row a', { hasText: 'Hostile' }).click()
    await expect(letter(page).getByText('Plain words')).toBeVisible()
    await expect(page.locator('iframe.sb-mail-letter')).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
    await letter(page).getByText('Cover').click()
    expect(await letter(page).locator('script, form, iframe, object, svg, video, link, base, [onclick], [onerror]').count()).toBe(
      0,
    )
    expect(await letter(page).locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0)
    expect(
      await letter(page)
        .getByText('Cover')
        .evaluate((one) => getComputedStyle(one).position),
    ).toBe('static')
    await expect(page.getByText('为保护隐私，未显示外部图片。')).toBeVisible()
    // nothing stands there to be fetched, and nobody answers for it
    expectFaults(/\/v2\/mail\/picture/)
    const answered = page.waitForResponse((response) => response.url().includes('/v2/mail/picture'))
    await page.getByRole('button', { name: '显示图片' }).click()
    await answered
    await expect(page.getByText('1 张图片未能取得。')).toBeVisible()
    expect(asked.filter((address) => !address.startsWith(gateway.url) && !/^(?:data|blob|about):/.test(address))).toEqual([])
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await page.goto(page.url())
    await page.getByRole('button', { name: '始终显示 anna@carrier.example 的图片' }).click()
    await expect(page.getByText('已信任 anna@carrier.example，自动显示图片。')).toBeVisible()
    await page.getByRole('button', { name: '取消信任' }).click()
    await expect(page.getByText('为保护隐私，未显示外部图片。')).toBeVisible()
  })
})

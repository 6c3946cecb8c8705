import type { Page } from '@playwright/test'
import { listReady, MY_CUSTOMERS } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, still, test } from '../support/realTest'

const panelOf = (page: Page) => page.getByRole('dialog', { name: /^(AI 助手|AI assistant)$/ })
const boxOf = (page: Page) => panelOf(page).getByRole('textbox', { name: '问题' })
const repliesOf = (page: Page) => panelOf(page).locator('.sb-reply')
/** The answer is there, whole: it is no longer busy. */
const answered = async (page: Page, count: number) => {
  await expect(repliesOf(page)).toHaveCount(count)
  await expect(repliesOf(page).last()).toHaveAttribute('aria-busy', 'false')
}
const ask = async (page: Page, question: string) => {
  await boxOf(page).fill(question)
  await boxOf(page).press('Enter')
}
/** Others each time, whatever is kept. */
const suggest = async (page: Page) => {
  let round = 0
  await page.route('**/common-questions/random*', async (route) => {
    expect(new URL(route.request().url()).searchParams.get('limit')).toBe('3')
    round += 1
    const data = ['我这个月的收入多少', '为什么客户被回收', '我有几个审批'].map((question) => ({
      question: `${question} ${round}`,
      type: 'crm',
    }))
    await route.fulfill({ json: { code: 0, msg: 'OK', data } })
  })
}
const widthOf = async (page: Page, selector: string) => Math.round((await page.locator(selector).boundingBox())?.width ?? -1)

test.describe('the assistant', () => {
  test('opens by an icon that moves up and down only (R011, R089, R090), greets and suggests (R092, R414), is 700 or 556 wide (R415), and asks by Enter what is not empty and not longer than 100 (R286, R288, R290)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales, { at: MY_CUSTOMERS })
    await listReady(page)
    await suggest(page)
    const icon = page.getByRole('button', { name: '打开 AI 助手' })
    const before = await icon.boundingBox()
    await icon.hover()
    await page.mouse.down()
    await page.mouse.move(200, 5000, { steps: 4 })
    await page.mouse.up()
    const after = await icon.boundingBox()
    expect(after?.y).toBe(900 - 52)
    expect((after?.x ?? 0) + (after?.width ?? 0)).toBe((before?.x ?? 0) + (before?.width ?? 0))
    await icon.press('ArrowUp')
    expect((await icon.boundingBox())?.y).toBe(900 - 52 - 24)
    await icon.click()
    const panel = panelOf(page)
    await expect(panel.getByRole('heading', { level: 3 })).toContainText('我是 AI 助手')
    await expect(panel.locator('.sb-suggestions button')).toHaveCount(3)
    await panel.getByRole('button', { name: '换一换' }).click()
    await expect(panel.locator('.sb-suggestions button')).toHaveText([/2$/, /2$/, /2$/])
    await expect(panel.getByText('关于：我的客户')).toBeVisible()
    expect(await widthOf(page, '.sb-assistant-chat')).toBe(700)
    await panel.getByRole('button', { name: '展开历史会话' }).click()
    expect(await widthOf(page, '.sb-assistant-chat')).toBe(556)
    await panel.getByRole('button', { name: '全屏', exact: true }).click()
    expect(await widthOf(page, '.sb-assistant-chat')).toBe(700)
    await panel.getByRole('button', { name: '退出全屏' }).click()

    await expect(panel.getByRole('button', { name: '发送' })).toBeDisabled()
    await boxOf(page).fill('  \n ')
    await expect(panel.getByRole('button', { name: '发送' })).toBeDisabled()
    await boxOf(page).fill('问'.repeat(130))
    await expect(boxOf(page)).toHaveValue('问'.repeat(100))
    await boxOf(page).fill('一')
    await boxOf(page).press('Shift+Enter')
    await expect(boxOf(page)).toHaveValue('一\n')
    expect(await seriousFaults(page, '.sb-assistant')).toEqual([])
    await panel.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(icon).toBeFocused()
  })

  test('answers, is rated and asked anew; conversations are found, pinned and deleted (R235-R243, R247-R252, R292, R397-R401)', async ({
    as,
  }) => {
    const page = await as(PEOPLE.sales)
    await page.getByRole('button', { name: 'AI 助手', exact: true }).click()
    const panel = panelOf(page)
    await ask(page, '我这个月的收入多少')
    await answered(page, 1)
    await expect(panel.locator('.sb-question').first()).toContainText('我这个月的收入多少')
    await expect(panel.getByRole('status')).toHaveText('回答完毕')
    await expect(boxOf(page)).toHaveValue('')

    const reply = repliesOf(page).last()
    await reply.getByRole('button', { name: '有帮助', exact: true }).click()
    await reply.getByRole('button', { name: '提交', exact: true }).click()
    await expect(page.getByText('请选择标签')).toBeVisible()
    await reply.locator('.sb-opinion-tags button').first().click()
    await reply.getByRole('button', { name: '提交', exact: true }).click()
    await expect(page.getByText('感谢反馈')).toBeVisible()
    await expect(reply.getByRole('button', { name: '有帮助', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await reply.getByRole('button', { name: '有帮助', exact: true }).click()
    await expect(reply.getByRole('button', { name: '有帮助', exact: true })).toHaveAttribute('aria-pressed', 'false')
    await reply.getByRole('button', { name: '没有帮助' }).click()
    const dialog = page.getByRole('dialog', { name: '哪里需要改进？' })
    await dialog.getByRole('textbox').fill('数字不对')
    await dialog.getByRole('button', { name: '提交', exact: true }).click()
    await expect(reply.getByRole('button', { name: '没有帮助' })).toHaveAttribute('aria-pressed', 'true')

    await boxOf(page).press('ArrowUp')
    await expect(boxOf(page)).toHaveValue('我这个月的收入多少')
    await ask(page, '为什么客户被回收')
    await answered(page, 1)
    await expect(panel.locator('.sb-question')).toContainText('为什么客户被回收')

    await panel.getByRole('button', { name: '展开历史会话' }).click()
    const line = panel.locator('.sb-sessions li').filter({ hasText: '我这个月的收入多少' })
    await line.getByRole('button', { name: '的操作' }).click()
    await page.getByRole('menuitem', { name: '置顶' }).click()
    await expect(page.getByRole('dialog', { name: '提示' })).toContainText('确定置顶？')
    await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '确定' }).click()
    await expect(line.getByLabel('已置顶')).toBeVisible()
    await panel.getByRole('textbox', { name: '搜索会话' }).fill('没有这样的会话')
    await expect(panel.getByText('没有找到会话')).toBeVisible()
    await panel.getByRole('textbox', { name: '搜索会话' }).fill('收入')
    await line.getByRole('button', { name: '的操作' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    const sure = page.getByRole('dialog', { name: '确定删除对话？' })
    await expect(sure).toContainText('删除后，聊天记录不可恢复')
    await sure.getByRole('button', { name: '确定' }).click()
    await expect(page.getByText('删除成功')).toBeVisible()
    await expect(panel.getByRole('heading', { level: 3 })).toContainText('我是 AI 助手')
  })

  test('an answer that breaks off goes on, and is there after a reload and in another tab (R391); what is refused says why (R390)', async ({
    as,
    expectFaults,
  }) => {
    expectFaults(/429/)
    const page = await as(PEOPLE.finance)
    const asked: (string | undefined)[] = []
    await page.route('**/chat/sse', async (route) => {
      asked.push(route.request().headers()['last-event-id'])
      if (asked.length > 1) return route.continue()
      const whole = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/event-stream',
        body: whole.slice(0, whole.indexOf('\n\n', whole.indexOf('event: init')) + 30),
      })
    })
    await page.getByRole('button', { name: 'AI 助手', exact: true }).click()
    await ask(page, '有哪些账单逾期超过30天')
    await answered(page, 1)
    expect(asked[1]).toMatch(/^[\w-]+\.\d+\.\d+$/)
    const said = await repliesOf(page).locator('.sb-answer').innerText()
    expect(said).not.toBe('')
    await page.reload()
    await expect(repliesOf(page).locator('.sb-answer')).toHaveText(said, { useInnerText: true })

    const beside = await page.context().newPage()
    await beside.goto('/home')
    await beside.getByRole('button', { name: 'AI 助手', exact: true }).click()
    await panelOf(beside).getByRole('button', { name: '展开历史会话' }).click()
    await panelOf(beside).locator('.sb-session').first().click()
    await expect(repliesOf(beside).locator('.sb-answer')).toHaveText(said, { useInnerText: true })
    await ask(page, '我有几个审批')
    await answered(page, 2)
    await answered(beside, 2)
    await beside.close()

    await page.unroute('**/chat/sse')
    await page.route('**/chat/sse', (route) =>
      route.fulfill({ status: 429, json: { code: 10010011, msg: '今天的提问次数已用完，明天可以继续。', data: null } }),
    )
    await ask(page, '今天天气')
    await expect(panelOf(page).getByRole('alert')).toContainText('今天的提问次数已用完')
    await page.unroute('**/chat/sse')
    await panelOf(page).getByRole('alert').getByRole('button', { name: '重试' }).click()
    await answered(page, 3)
  })

  test('fills a phone, in English and in the dark; nobody sees it without its key (R302)', async ({ as }) => {
    const nobody = await as(PEOPLE.noRole)
    await expect(nobody.getByRole('button', { name: /AI 助手/ })).toHaveCount(0)
    const page = await as(PEOPLE.sales, { locale: 'en-US', viewport: { width: 375, height: 720 }, colorScheme: 'dark' })
    await suggest(page)
    await page.getByRole('button', { name: 'Open the AI assistant' }).click()
    const panel = panelOf(page)
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 720 })
    await panel.locator('.sb-suggestions button').first().click()
    await answered(page, 1)
    await still(page)
    expect(await panel.evaluate((element) => element.scrollWidth)).toBe(375)
    expect(await seriousFaults(page, '.sb-assistant')).toEqual([])
  })
})

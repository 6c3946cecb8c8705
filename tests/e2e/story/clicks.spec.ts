import type { Locator, Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { filledTemplate, listReady, rows } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

/**
 * The commonest tasks, each begun at the home page by whoever has to do it. What counts is a press of the mouse or a finger, Enter with or
 * without Ctrl, and Space on a button; typing, Tab and other keys are free.
 */

const BUYER = 'S0047'

const clicks = (page: Page): Promise<number> => page.evaluate(() => Number(document.documentElement.dataset.clicks))
const count = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset.clicks = '0'
    const one = (): void => void (dataset.clicks = String(Number(dataset.clicks) + 1))
    addEventListener('pointerdown', one, true)
    addEventListener(
      'keydown',
      ({ key, target }) => {
        const pressed = key === 'Enter' || (key === ' ' && target instanceof Element && target.matches('button, a, [role]'))
        if (pressed) one()
      },
      true,
    )
  })

/** Does a task from the home page on and holds it to the number of clicks that it may take. */
const task = (page: Page, title: string, most: number, perform: () => Promise<void>): Promise<void> =>
  test.step(`${title}: ${most}`, async () => {
    await page.goto('/home')
    await expect(page.locator('.sb-home [data-card]').first()).toBeVisible()
    await count(page)
    await perform()
    expect.soft(await clicks(page), title).toBeLessThanOrEqual(most)
  })

/** Ctrl K, a few letters, Enter. */
async function go(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: '搜索', exact: true })
  await expect(input).toBeFocused()
  await page.keyboard.insertText(words)
  await expect(page.getByRole('option', { selected: true }).filter({ hasText: words }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(input).toHaveCount(0)
}
const heading = (page: Page): Locator => page.locator('.sb-detail-main:visible h1')
async function find(page: Page, name: string): Promise<void> {
  await go(page, name)
  await expect(heading(page)).toContainText(name)
}

const MOST_TABS = 60
/** Tab until the focus is in `field`. */
async function tabTo(page: Page, field: Locator): Promise<void> {
  await expect(field).toBeVisible()
  for (let at = 0; at < MOST_TABS; at += 1) {
    if (await field.evaluate((element) => element.contains(document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  await expect(field).toBeFocused()
}
/** The box of a label in the form that is open. */
const field = (form: Locator, label: string): Locator =>
  form.locator('.sb-form-item:visible').filter({ has: form.page().locator('label.sb-form-label', { hasText: label }) })
async function write(form: Locator, label: string, text: string): Promise<void> {
  await tabTo(form.page(), field(form, label))
  await form.page().keyboard.insertText(text)
}
/** Types a part of the word of a choice; Tab takes what stands first. */
async function choose(form: Locator, label: string, word: string): Promise<void> {
  const page = form.page()
  await tabTo(page, field(form, label))
  await page.keyboard.insertText(word)
  await expect(page.locator('.ant-select-item-option-active:visible').first()).toContainText(word)
  await page.keyboard.press('Tab')
  await expect(field(form, label)).toContainText(word)
}
const drawer = (page: Page): Locator => page.locator('.ant-drawer-open:visible, .ant-modal:visible').last()
const save = (page: Page): Promise<void> => page.keyboard.press('Control+Enter')
const told = (page: Page, text: string | RegExp): Promise<void> => expect(page.getByText(text).first()).toBeVisible()

test.describe('the fifteen commonest tasks in clicks', () => {
  test('of sales, from finding a customer to writing to him', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true })
    const { data } = await call<{ records: { id: string; name: string; partyType: string }[] }>(
      page,
      '/v2/crm/customer/queryPage',
      { pageNo: 1, pageSize: 50, view: 'mine' },
    )
    const customers = data.records.filter(({ name, partyType }) => partyType === 'customer' && /^[\u4e00-\u9fff]+$/.test(name))
    const [customer, other] = customers.map(({ name }) => name) as [string, string]
    const main = page.locator('.sb-detail-main:visible')
    const related = page.locator('.sb-related:visible')
    const rail = page.locator('.sb-detail-rail:visible')

    await task(page, 'find a customer', 1, () => find(page, customer))

    await task(page, 'follow up', 2, async () => {
      await find(page, customer)
      await page.keyboard.press('n')
      const box = rail.getByRole('group', { name: '写跟进' })
      await page.keyboard.insertText('客户问下周能否开始测试泰国路由')
      await choose(box, '结果', '有意向')
      await save(page)
      const written = rail.getByRole('listitem').filter({ hasText: '客户问下周能否开始测试泰国路由' })
      await expect(written).toContainText(/有意向/)
    })

    await task(page, 'new customer with a contact', 5, async () => {
      await go(page, '新建客户')
      const form = page.locator('.sb-form:visible')
      await write(form, '客户名称', '鹭岛棠梨通讯有限公司')
      await choose(form, '国家/地区', '中国')
      await choose(form, '客户性质', '企业')
      await choose(form, '来源', '官网')
      await save(page)
      await expect(heading(page)).toContainText('鹭岛棠梨通讯有限公司')
      await related.getByRole('button', { name: '添加联系人' }).click()
      await write(drawer(page), '姓名', '林棠')
      await write(drawer(page), '邮箱', 'lin.tang@ludao-tangli.example')
      await save(page)
      await expect(related).toContainText('林棠')
    })

    await task(page, 'opportunity from a customer', 3, async () => {
      await find(page, customer)
      await related.getByRole('button', { name: '新建商机' }).click()
      const form = page.locator('.sb-form:visible')
      await expect(field(form, '客户')).toContainText(customer)
      await write(form, '商机名称', '泰国短信扩容')
      await choose(form, '产品', '短信')
      await choose(form, '目的国家', '泰国')
      await write(form, '预计成交日', '2026-12-30')
      await page.keyboard.press('Tab')
      await write(form, '预计月量', '1000000')
      await write(form, '预计售价', '0.02')
      await save(page)
      await expect(heading(page)).toContainText('泰国短信扩容')
    })

    const step = (name: string): Locator => main.locator('.sb-step').filter({ hasText: name })
    await task(page, 'advance an opportunity', 2, async () => {
      await find(page, '泰国短信扩容')
      await step('需求确认').getByRole('button').click()
      await expect(step('需求确认')).toHaveAttribute('aria-current', 'step')
    })
    await page.locator('.ant-message').getByRole('button', { name: /^撤销/ }).click()
    await expect(step('发现需求')).toHaveAttribute('aria-current', 'step')

    await task(page, 'win an opportunity', 2, async () => {
      await find(page, '泰国短信扩容')
      await step('赢单').getByRole('button').click()
      await expect(step('赢单')).toHaveAttribute('aria-current', 'step')
    })
    await page.locator('.ant-message').getByRole('button', { name: /^撤销/ }).click()
    await expect(step('发现需求')).toHaveAttribute('aria-current', 'step')

    await task(page, 'visit a customer', 4, async () => {
      await find(page, customer)
      await related.getByRole('button', { name: '计划拜访' }).click()
      const form = drawer(page)
      await write(form, '计划时间', '2026-12-20 10:00')
      await page.keyboard.press('Tab')
      await write(form, '目的', '谈下一季度的价格')
      await save(page)
      await told(page, '拜访已保存')
    })

    await task(page, 'write to a customer', 2, async () => {
      await find(page, customer)
      await related.locator('a[href^="mailto:"]').first().click()
      await expect(page.locator('.sb-dock')).toContainText('@')
    })

    await task(page, 'transfer a customer', 3, async () => {
      await find(page, other)
      await main.getByRole('button', { name: '转移', exact: true }).click()
      await choose(drawer(page), '接收人', 'S0007')
      await choose(drawer(page), '原因', '更合适')
      await save(page)
      await told(page, '已提交，等待接收')
    })

    await task(page, 'save a view', 2, async () => {
      await go(page, '我的客户')
      await listReady(page)
      await page.keyboard.press('/')
      await page.keyboard.insertText('有限公司')
      await expect(page).toHaveURL(/q=/)
      await page.keyboard.press('Control+s')
      await expect(page.getByRole('dialog', { name: '保存视图' }).getByLabel('名称')).toBeFocused()
      await page.keyboard.insertText('有限公司的客户')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('tab', { name: '有限公司的客户' })).toHaveAttribute('aria-selected', 'true')
    })

    await task(page, 'import', 4, async () => {
      await go(page, '我的客户')
      await listReady(page)
      await page.getByRole('button', { name: '导入' }).first().click()
      const wizard = page.getByRole('dialog')
      const template = page.waitForEvent('download')
      await wizard.getByRole('button', { name: '下载模板' }).click()
      const buffer = await filledTemplate(await template, [
        { 客户名称: '鹊桥墨竹网络有限公司', '国家/地区': '中国', 客户性质: '企业', 来源: '官网' },
      ])
      await wizard.locator('input[type=file]').setInputFiles({
        name: '客户.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer,
      })
      await wizard.getByRole('button', { name: /^导入 1 行/ }).click()
      await expect(wizard.getByText('已导入 1 行。')).toBeVisible()
    })
  })

  test('of everybody who applies and approves', async ({ as }) => {
    const page = await as(PEOPLE.sales, { fresh: true })
    await task(page, 'apply', 3, async () => {
      await go(page, '通用申请')
      await choose(page.locator('.sb-form:visible').first(), '申请类型', '其他')
      const content = page.getByLabel('申请内容', { exact: true })
      await tabTo(page, content)
      // at once, whether the editor is there or not
      await page.keyboard.type('为客户开通第二个登录账号')
      await page.locator('.sb-process-bar:visible').getByRole('button', { name: '提交' }).click()
      await page.waitForURL(/my-initiate\/profile\?instanceId=/)
      await expect(page.locator('.sb-process-name:visible .sb-tag').first()).toHaveText('审批中')
    })
    const leader = await as(PEOPLE.salesManager, { fresh: true })
    const decided = (): string => new URL(leader.url()).searchParams.get('taskId') ?? ''
    let taskId = ''
    await task(leader, 'approve', 2, async () => {
      const todo = leader.locator('.sb-home [data-card="wf.todo"]')
      await todo.getByRole('link').filter({ hasText: '徐志强' }).first().click()
      await expect(leader.locator('.sb-process-bar:visible')).toBeVisible()
      taskId = decided()
      await leader.keyboard.press('a')
      await expect(leader.getByRole('dialog', { name: '同意' }).getByRole('textbox').first()).toBeFocused()
      await save(leader)
      await expect(leader.getByRole('dialog', { name: '同意' })).toHaveCount(0)
    })
    await expect
      .poll(async () => {
        const { data } = await call<{ timeline: { byId: string; action: string }[] }>(
          leader,
          '/v2/workflow/operate/instanceDetail',
          { taskId },
        )
        return data.timeline.filter(({ byId }) => byId === `st-${PEOPLE.salesManager.toLowerCase()}`).map(({ action }) => action)
      })
      .toEqual(['agree'])
  })

  test('of purchase and finance', async ({ as }) => {
    const buyer = await as(BUYER, { fresh: true })
    const { data } = await call<{ records: { supplierId: string }[] }>(buyer, '/v2/qm/supplierRate/queryPage', {
      pageNo: 1,
      pageSize: 1,
    })
    const { name } = (
      await call<{ record: { name: string } }>(buyer, `/v2/srm/supplier/view/${data.records[0]?.supplierId ?? ''}`)
    ).data.record
    await task(buyer, 'what a supplier costs us', 2, async () => {
      await find(buyer, name)
      await buyer.getByRole('tab', { name: /^成本费率/ }).click()
      await expect(rows(buyer).first()).toContainText(/\d\.\d+/)
    })

    const finance = await as(PEOPLE.finance, { fresh: true })
    await task(finance, 'whose bill is oldest', 2, async () => {
      await go(finance, '客户账单')
      await listReady(finance)
      // the open tab, oldest due first: the first row says whose it is
      await expect(finance.getByRole('tab', { name: /^未结清/ })).toHaveAttribute('aria-selected', 'true')
      await expect(finance.getByRole('columnheader', { name: /^到期日/ })).toHaveAttribute('aria-sort', 'ascending')
      await expect(rows(finance).first()).toBeVisible()
    })
  })
})

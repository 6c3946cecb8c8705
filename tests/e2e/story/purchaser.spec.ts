import type { Locator, Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { box, choose, listReady, openList, rowOf, rows, search, totalOf, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'
import { act, agree, drawer, optionOf, submit, told } from '../support/weekGestures'

const BUYER = { jobNumber: 'S0047', id: 'st-s0047', name: '郭佳琪' }
const COLLEAGUE = { jobNumber: 'S0048', id: 'st-s0048', name: '蒋磊' }
const MANAGER = 'S0045'

const LEADS = '/srm/clue/followed'
const MINE = '/srm/supplier/my-supplier'
const SEA = '/srm/supplier/sea-supplier'
const DISTRIBUTE = '/srm/wander/distribute'

const BLUE_HERON = '汕头市苍鹭云信科技有限公司'

/** Rows of the sea that whoever looks may claim. */
const claimable = (page: Page): Locator =>
  rows(page).filter({ has: page.locator('[data-sb-action="claim"]:not([aria-disabled="true"])') })
/** What the head of the page says of a limit: how much is used, and the most. */
const limitOf = async (page: Page, title: string): Promise<[used: number, most: number]> => {
  const said = page.locator('.sb-list:visible').getByText(title, { exact: true }).locator('..')
  await expect(said).toContainText(/\d+ \/ \d+/)
  const [, used, most] = /(\d+) \/ (\d+)/.exec(await said.innerText()) ?? []
  return [Number(used), Number(most)]
}
const nameIn = async (row: Locator): Promise<string> => (await row.getByRole('link').first().innerText()).trim()
const bell = (page: Page, unread: number): Locator =>
  page.locator('.sb-header').getByRole('button', { name: unread === 0 ? '消息' : `消息，${unread} 条未读`, exact: true })
const tab = (page: Page, title: string): Promise<void> => page.getByRole('tab', { name: new RegExp(`^${title}`) }).click()

test.describe('the day of a purchaser', () => {
  test('a lead becomes a supplier with people, an account and a talk; its status follows the rule (R068, R103, R107)', async ({
    as,
  }) => {
    const buyer = await as(BUYER.jobNumber, { at: LEADS })
    await listReady(buyer)

    await test.step('she notes a lead and converts it', async () => {
      await buyer.getByRole('button', { name: '新建线索' }).click()
      await type(drawer(buyer), '公司名称', BLUE_HERON)
      await choose(drawer(buyer), '国家', '中国')
      await choose(drawer(buyer), '供应产品', '短信')
      await choose(drawer(buyer), '覆盖国家', '泰国')
      await type(drawer(buyer), '线路类型', '直连')
      await choose(drawer(buyer), '来源', '主动来访')
      await type(drawer(buyer), '邮箱', 'sales@canglu-cloud.example')
      await submit(drawer(buyer))
      await told(buyer, '线索已放入线索池，领取后即可跟进')
      await openList(buyer, `${LEADS}?view=pool`)
      await search(buyer, '苍鹭')
      await act(buyer, rowOf(buyer, BLUE_HERON), '领取')
      await told(buyer, '已领取，请尽快跟进')
      await openList(buyer, LEADS)
      await act(buyer, rowOf(buyer, BLUE_HERON), '转为供应商')
      await expect(box(drawer(buyer), '供应商名称').locator('input')).toHaveValue(BLUE_HERON)
      await choose(drawer(buyer), '供应商类型', '聚合商')
      await submit(drawer(buyer))
      await expect(drawer(buyer)).toHaveCount(0)
      await openList(buyer, MINE)
      await search(buyer, '苍鹭')
      await rowOf(buyer, BLUE_HERON).getByRole('link').first().click()
      await expect(buyer.getByRole('heading', { level: 1, name: BLUE_HERON })).toBeVisible()
    })

    await test.step('a test needs somebody who answers at night', async () => {
      const details = buyer.locator('.sb-detail:visible')
      await tab(buyer, '联系人')
      await buyer.getByRole('button', { name: '添加联系人' }).last().click()
      await type(drawer(buyer), '姓名', '林晓')
      await choose(drawer(buyer), '角色', '值班')
      await type(drawer(buyer), '邮箱', 'noc@canglu-cloud.example')
      await submit(drawer(buyer))
      await told(buyer, '联系人已保存')
      await details.getByRole('button', { name: '更多' }).first().click()
      await buyer.getByRole('menuitem', { name: '开始测试', exact: true }).click()
      await told(buyer, '已进入测试')
    })

    await test.step('an account and a talk stand with it', async () => {
      await tab(buyer, '账户与余额')
      await buyer.getByRole('button', { name: '新建账户' }).first().click()
      await type(drawer(buyer), '账户名称', 'SMS USD 苍鹭')
      await choose(drawer(buyer), '类型', '短信')
      await submit(drawer(buyer))
      await told(buyer, '账户已保存')
      await tab(buyer, '跟进记录')
      await buyer.getByRole('button', { name: '写跟进' }).first().click()
      await choose(drawer(buyer), '方式', '电话')
      await type(drawer(buyer), '内容', '约定周三做泰国直连线路的测试，先发五十条。')
      await choose(drawer(buyer), '结果', '有意向')
      await submit(drawer(buyer))
      await told(buyer, '跟进已记录')
      await expect(rowOf(buyer, '约定周三做泰国直连线路的测试')).toHaveCount(1)
    })
  })

  test('she claims from the open sea until the settings of her manager stop her (R102, R105)', async ({ as }) => {
    const buyer = await as(BUYER.jobNumber, { at: SEA })
    await listReady(buyer)
    const [held] = await limitOf(buyer, '保有量')
    const [today] = await limitOf(buyer, '今日领取')
    const name = await nameIn(claimable(buyer).first())
    await act(buyer, rowOf(buyer, name), '领取')
    await told(buyer, '已领取，请尽快跟进')
    await expect(rowOf(buyer, name)).toHaveCount(0)
    await openList(buyer, SEA)
    expect(await limitOf(buyer, '今日领取')).toEqual([today + 1, 5])
    expect((await limitOf(buyer, '保有量'))[0]).toBe(held + 1)

    const manager = await as(MANAGER, { at: '/setModule/purchase/rules/retention' })
    await expect(manager.getByRole('heading', { level: 1, name: '供应商保有上限' })).toBeVisible()
    for (const rank of ['普通员工', '资深员工', '新人']) await type(manager, rank, String(held + 1))
    await submit(manager)
    const effect = manager.locator('.ant-drawer-open:visible')
    await effect.locator('.ant-select').first().click()
    await optionOf(manager, '员工').click()
    await effect.locator('.ant-select').nth(1).click()
    await manager.keyboard.type(BUYER.jobNumber)
    await optionOf(manager, BUYER.jobNumber).click()
    await effect.getByLabel('原因').fill('先跟进已有的供应商')
    await effect.getByRole('button', { name: /保\s*存/ }).click()
    await expect(manager.getByRole('tab', { name: '例外 (1)' })).toBeVisible()

    await openList(buyer, SEA)
    await expect(claimable(buyer)).toHaveCount(0)
    await expect(rows(buyer).filter({ hasText: '保有量已达上限' }).first()).toBeVisible()
  })

  test('a supplier goes to a colleague who accepts, another is shared with him (R108)', async ({ as }) => {
    const buyer = await as(BUYER.jobNumber, { at: `${MINE}?view=all` })
    const colleague = await as(COLLEAGUE.jobNumber, { fresh: true })
    await call(colleague, '/v2/sys/mc/message/query/home/message/change/status', {})
    await expect(bell(colleague, 0)).toBeVisible()
    await listReady(buyer)
    const [given, shared] = [await nameIn(rows(buyer).nth(0)), await nameIn(rows(buyer).nth(1))]

    await act(buyer, rowOf(buyer, given), '转移')
    await choose(drawer(buyer), '接收人', COLLEAGUE.name)
    await choose(drawer(buyer), '原因', '更合适')
    await submit(drawer(buyer))
    await told(buyer, '已提交，等待接收')
    await expect(bell(colleague, 1)).toBeVisible()
    await bell(colleague, 1).click()
    const message = colleague.getByRole('dialog', { name: '消息' }).getByRole('link').first()
    await expect(message).toContainText('转移')
    await message.click()
    await expect(colleague).toHaveURL(/\/srm\/wander\/transfer/)
    // the demo company may have sent him a supplier, too; the newest is hers
    const waiting = colleague.getByRole('button', { name: '全部接收' })
    await expect(waiting.first()).toBeVisible()
    const before = await waiting.count()
    await waiting.first().click()
    await agree(colleague)
    // leaving the page would take the answer back before it is on its way
    await expect(waiting).toHaveCount(before - 1)
    // he may look before the last supplier has come over
    await expect(async () => {
      await openList(colleague, MINE)
      await search(colleague, given)
      await expect(rows(colleague)).toHaveCount(1, { timeout: 3_000 })
    }).toPass({ timeout: 60_000 })

    await openList(buyer, MINE)
    await expect(rowOf(buyer, given)).toHaveCount(0)
    await act(buyer, rowOf(buyer, shared), '共享')
    await choose(drawer(buyer), '接收人', COLLEAGUE.name)
    await type(drawer(buyer), '原因', '一起比泰国的价格')
    await submit(drawer(buyer))
    await told(buyer, '已提交共享')
    await openList(colleague, '/srm/wander/share?view=toAccept')
    await act(colleague, rowOf(colleague, shared), '接收')
    await told(colleague, '已接收')
    await openList(colleague, `${MINE}?view=shared`)
    await expect(rowOf(colleague, shared)).toHaveCount(1)
  })

  test('the manager splits the sea evenly, a buyer gives one back, and sales may do neither (R299)', async ({ as }) => {
    const manager = await as(MANAGER, { at: DISTRIBUTE })
    await listReady(manager)
    const free = await totalOf(manager)
    const names = [await nameIn(rows(manager).nth(0)), await nameIn(rows(manager).nth(1)), await nameIn(rows(manager).nth(2))]
    for (const name of names) await rowOf(manager, name).locator('input[type="checkbox"]').check()
    await manager.getByRole('button', { name: '平均分配' }).click()
    await choose(drawer(manager), '接收人', '于婷')
    await choose(drawer(manager), '接收人', COLLEAGUE.name)
    await expect(drawer(manager)).toContainText('3 家分给 2 人，每人 1 至 2 家')
    await submit(drawer(manager))
    await told(manager, '已分配')
    await expect.poll(() => totalOf(manager)).toBe(free - 3)
    await openList(manager, `${DISTRIBUTE}/records`)
    for (const name of names) await expect(rowOf(manager, name)).toContainText('规则')

    const colleague = await as(COLLEAGUE.jobNumber, { at: MINE })
    await listReady(colleague)
    await search(colleague, names[1] ?? '')
    await act(colleague, rows(colleague).first(), '退回公海')
    await choose(drawer(colleague), '退回原因', '不匹配')
    await submit(drawer(colleague))
    await expect(rows(colleague)).toHaveCount(0)
    await openList(colleague, SEA)
    await search(colleague, names[1] ?? '')
    await expect(rows(colleague).first()).toContainText('起可领取')

    const sales = await as(PEOPLE.sales)
    const ids = await call<{ records: { id: string }[] }>(manager, '/v2/srm/supplier/queryPage', { view: 'sea', pageSize: 1 })
    const body = { ids: ids.data.records.map(({ id }) => id), transition: 'claim' }
    expect((await call(sales, '/v2/srm/supplier/stateUpdate', body)).code).toBe(10010003)
    expect((await call(sales, '/v2/srm/distribute/queryPage', {})).code).toBe(10010003)
  })
})

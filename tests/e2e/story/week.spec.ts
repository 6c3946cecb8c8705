import type { Page } from '@playwright/test'
import {
  box,
  choose,
  listReady,
  MY_CUSTOMERS,
  OPEN_SEA,
  openList,
  rowOf,
  rows,
  search,
  totalOf,
  type,
} from '../support/portalPage'
import { walksOf } from '../../support/walkPart'
import {
  act,
  agree,
  aliasOf,
  cellOf,
  drawer,
  dryRun,
  equalTheirRows,
  figureOf,
  go,
  ledBy,
  numberOf,
  optionOf,
  submit,
  told,
  unfoldTables,
  type Figure,
} from '../support/weekGestures'
import { DAYS, expect, test } from '../support/weekTest'

const { walksAll } = walksOf(import.meta.filename)

const LEADS = '/crm/leads'
const FUNNEL = '/crm/data-analysis/sales-funnels'
const VISITS = '/crm/visiting-records'

const GREEN_KITE = '苏州青鸢数字科技有限公司'
const TOMORROW = '宁波明日回收信息技术有限公司'
const NUMBERS = '新加坡号码 2,500 个'
const IN_THREE_DAYS = '宁波三日回收网络科技有限公司'

test.describe.configure({ mode: 'serial', timeout: 240_000 })

test.describe('the week of a sales team', () => {
  let buyer = ''
  let tonight = 0
  /** Where the shared customer stands. */
  let shared = ''
  /** Moves the opportunity on by one stage. */
  const forward = async (page: Page, step: string): Promise<void> => {
    await openList(page, '/crm/opportunities')
    await act(page, rowOf(page, NUMBERS), step)
    await expect(rowOf(page, NUMBERS).getByText(step.replace('转到', ''), { exact: true })).toBeVisible()
  }

  test('Monday: a lead becomes a customer, duplicates are refused, a visit is planned (R001, R015)', async ({ week }) => {
    const { zhiqiang, jie, admin } = week
    await week.moveTo('monday', '10:30')

    await test.step('徐志强 takes his lead, calls, and makes it a customer', async () => {
      await openList(zhiqiang, LEADS)
      await act(zhiqiang, rowOf(zhiqiang, GREEN_KITE), '接受')
      await expect(rowOf(zhiqiang, GREEN_KITE)).toContainText('跟进中')
      await act(zhiqiang, rowOf(zhiqiang, GREEN_KITE), '跟进')
      await type(drawer(zhiqiang), '内容', '确认了用途：注册验证码，每月一百万条，周二下午见面。')
      await choose(drawer(zhiqiang), '结果', '有意向')
      await submit(drawer(zhiqiang))
      await expect(drawer(zhiqiang)).toHaveCount(0)
      // the row is read anew, with the version that the follow-up gave it
      await listReady(zhiqiang)
      await act(zhiqiang, rowOf(zhiqiang, GREEN_KITE), '转为客户')
      await expect(box(drawer(zhiqiang), '客户名称').locator('input')).toHaveValue(GREEN_KITE)
      await choose(drawer(zhiqiang), '客户性质', '企业')
      await type(drawer(zhiqiang), '官网', 'https://www.qingyuan-digital.example')
      await submit(drawer(zhiqiang))
      await expect(rowOf(zhiqiang, GREEN_KITE)).toHaveCount(0)
      await go(zhiqiang, '我的客户')
      await listReady(zhiqiang)
      await search(zhiqiang, '青鸢')
      await expect(rows(zhiqiang)).toHaveCount(1)
    })

    await test.step('Jie Tang is refused: his lead is a customer of a colleague', async () => {
      await openList(jie, LEADS)
      const lead = rowOf(jie, 'NOVA REACH')
      await act(jie, lead, 'Convert')
      await type(drawer(jie), 'English name', 'Nova Reach Technologies')
      await choose(drawer(jie), 'Customer type', 'Enterprise')
      await submit(drawer(jie))
      const refusal = jie.getByRole('dialog', { name: 'It exists already' })
      await expect(refusal).toContainText(
        'Nova Reach Technologies Pte Ltd (CU2300017). Please ask the department that has it: China Team 1.',
      )
      await refusal.getByRole('button', { name: 'Close' }).last().click()
      await drawer(jie).getByRole('button', { name: 'Cancel' }).click()
      await agree(jie)
      await act(jie, lead, 'Hand to the owner')
      await agree(jie)
      await expect(lead).toHaveCount(0)
    })

    await test.step('徐志强 is refused twice: by the name in another spelling, and by the domain of its website', async () => {
      await zhiqiang.getByRole('link', { name: '新建客户' }).click()
      await type(zhiqiang, '客户名称', '苏州青鸢数字科技 有限责任公司')
      await choose(zhiqiang, '国家/地区', '中国')
      await choose(zhiqiang, '客户性质', '企业')
      await choose(zhiqiang, '来源', '官网')
      const refusal = zhiqiang.getByRole('dialog', { name: '记录已存在' })
      await submit(zhiqiang)
      await expect(refusal).toContainText(`客户已存在：${GREEN_KITE}`)
      await refusal
        .getByRole('button', { name: /^关\s*闭$/ })
        .last()
        .click()
      await type(zhiqiang, '客户名称', '南通白鹭云通信有限公司')
      await type(zhiqiang, '官网', 'https://shop.qingyuan-digital.example')
      await submit(zhiqiang)
      await expect(refusal).toContainText(`客户已存在：${GREEN_KITE}`)
      await refusal
        .getByRole('button', { name: /^关\s*闭$/ })
        .last()
        .click()
    })

    await test.step('he plans the visit of Tuesday', async () => {
      await go(zhiqiang, '拜访记录')
      await listReady(zhiqiang)
      await zhiqiang.getByRole('button', { name: '计划拜访' }).first().click()
      await choose(drawer(zhiqiang), '客户', GREEN_KITE)
      await choose(drawer(zhiqiang), '拜访方式', '上门')
      await type(drawer(zhiqiang), '计划时间', '2026-06-09 14:00')
      await zhiqiang.keyboard.press('Enter')
      await type(drawer(zhiqiang), '目的', '看注册流程，谈验证码报价')
      await submit(drawer(zhiqiang))
      await told(zhiqiang, '拜访已保存')
      await expect(rowOf(zhiqiang, GREEN_KITE)).toContainText('明天')
    })

    await test.step('his day shows who is about to be recycled', async () => {
      await go(zhiqiang, '今日工作')
      const soon = zhiqiang.getByRole('list', { name: '三天内将被回收' })
      await expect(soon.getByRole('listitem')).toContainText([TOMORROW, IN_THREE_DAYS])
    })

    await test.step('he takes up an opportunity at a customer whose account runs', async () => {
      await openList(zhiqiang, '/crm/market-analysis/accounts?f.product=in:number')
      buyer = await (await cellOf(zhiqiang, rows(zhiqiang).first(), 'customerId')).innerText()
      await go(zhiqiang, '商机')
      await listReady(zhiqiang)
      await zhiqiang.getByRole('link', { name: '新建商机' }).click()
      await choose(zhiqiang, '客户', buyer)
      await type(zhiqiang, '商机名称', NUMBERS)
      await choose(zhiqiang, '产品', '号码')
      await choose(zhiqiang, '目的国家', '新加坡')
      await type(zhiqiang, '预计成交日', '2026-06-30')
      await zhiqiang.keyboard.press('Enter')
      await type(zhiqiang, '预计月量', '2500')
      await type(zhiqiang, '预计售价', '4.8')
      await submit(zhiqiang)
      await expect(zhiqiang.getByRole('heading', { level: 1, name: NUMBERS })).toBeVisible()
      await expect(zhiqiang.locator('.sb-detail:visible').getByText('12,000.00').first()).toBeVisible()
    })

    await test.step('the administrator looks at what the night will take, and nothing is taken yet', async () => {
      await admin.goto('/crm/paramSet')
      await admin.getByRole('tab', { name: 'Scheduled jobs' }).click()
      const report = await dryRun(admin, DAYS.tuesday)
      await expect(report).toContainText(TOMORROW)
      await expect(report).not.toContainText(IN_THREE_DAYS)
      tonight = await figureOf(report, 'Recycling to the open sea')
      expect(tonight).toBeGreaterThan(0)
    })
  })

  // Monday stands for the week, which is played to its end in the full run
  if (!walksAll) return

  test('Tuesday: the night took a customer; a visit, a share and the cool-down', async ({ week }) => {
    const { zhiqiang, jie, admin } = week
    expect(await week.moveTo('tuesday', '09:30')).toContain('sys.deadlines')

    await test.step('the run of the night did what the dry run said', async () => {
      await admin.goto('/crm/paramSet')
      await admin.getByRole('tab', { name: 'Scheduled jobs' }).click()
      const runs = admin.locator('.ant-table-row:visible').filter({ hasText: 'Deadlines' }).filter({ hasText: 'For real' })
      const next = admin.locator('.ant-pagination-next:visible:not(.ant-pagination-disabled)').last()
      await expect(admin.locator('.ant-table-row:visible').filter({ hasText: 'For real' }).first()).toBeVisible()
      while (!(await runs.first().isVisible()) && (await next.isVisible())) await next.click()
      await runs.first().getByRole('button', { name: 'Show' }).click()
      const report = admin.locator('.ant-drawer-open:visible')
      await expect(report).toContainText(TOMORROW)
      expect(await figureOf(report, 'Recycling to the open sea')).toBe(tonight)
    })

    await test.step('徐志强 reads that it went, and cannot take it back', async () => {
      await zhiqiang.goto('/crm/today')
      await told(zhiqiang, new RegExp(`${TOMORROW}（.*）已回收到公海：超期未跟进`))
      await go(zhiqiang, '公海')
      await zhiqiang.getByRole('tab', { name: /^客户/ }).click()
      await listReady(zhiqiang)
      await search(zhiqiang, TOMORROW)
      await expect(rows(zhiqiang).first()).toContainText('2026-06-10 10:00 起可领取')
    })

    await test.step('he shares the new customer until Thursday; Jie Tang accepts and finds it', async () => {
      await openList(zhiqiang, MY_CUSTOMERS)
      await act(zhiqiang, rowOf(zhiqiang, GREEN_KITE), '共享')
      await choose(drawer(zhiqiang), '接收人', '唐杰')
      await choose(drawer(zhiqiang), '权限', '可编辑')
      await type(drawer(zhiqiang), '原因', '一起谈香港的路由')
      await type(drawer(zhiqiang), '截止', DAYS.thursday)
      await zhiqiang.keyboard.press('Enter')
      await submit(drawer(zhiqiang))
      await told(zhiqiang, '已提交共享')
      await openList(jie, '/crm/wander/share?view=toAccept')
      // what only the giver may do is not offered to the receiver
      await rowOf(jie, GREEN_KITE).getByRole('checkbox').check()
      const offered = jie.getByRole('region', { name: 'selected' })
      await expect(offered.getByRole('button', { name: 'Accept' })).toBeVisible()
      await expect(offered.getByRole('button', { name: 'End', exact: true })).toHaveCount(0)
      await act(jie, rowOf(jie, GREEN_KITE), 'Accept')
      await told(jie, 'Accepted; you find it under Shared with me')
      await openList(jie, `${MY_CUSTOMERS}?view=shared`)
      await rowOf(jie, GREEN_KITE).getByRole('link').first().click()
      await expect(jie.getByRole('heading', { level: 1, name: GREEN_KITE })).toBeVisible()
      shared = jie.url()
    })

    await test.step('the visit begins and is written down', async () => {
      await week.moveTo('tuesday', '14:05')
      await openList(zhiqiang, VISITS)
      const visit = rowOf(zhiqiang, GREEN_KITE)
      await act(zhiqiang, visit, '开始拜访')
      await expect(visit.locator('[data-sb-action="start"]')).toHaveCount(0)
      await zhiqiang.context().setGeolocation({ latitude: 31.2304, longitude: 121.4737, accuracy: 12 })
      await act(zhiqiang, visit, '记录位置')
      await drawer(zhiqiang).getByRole('button', { name: '添加当前位置' }).click()
      await expect(drawer(zhiqiang).getByRole('alert')).toContainText('请在浏览器的网站设置中允许“位置”')
      await zhiqiang.context().grantPermissions(['geolocation'])
      await drawer(zhiqiang).getByRole('button', { name: '添加当前位置' }).click()
      await expect(drawer(zhiqiang).getByRole('link')).toHaveAttribute('href', 'geo:31.23040,121.47370;u=12')
      await submit(drawer(zhiqiang))
      await expect(visit.locator('a[href^="geo:"]')).toHaveText('31.23040, 121.47370')
      await week.moveTo('tuesday', '15:20')
      await act(zhiqiang, visit, '完成拜访')
      await type(drawer(zhiqiang), '结果', '看了注册流程，每天三万条，下周给报价。')
      await choose(drawer(zhiqiang), '跟进结果', '需报价')
      await submit(drawer(zhiqiang))
      await expect(visit).toHaveCount(0)
      await openList(zhiqiang, `${VISITS}?view=mine`)
      await expect(visit).toContainText('完成')
      await openList(zhiqiang, MY_CUSTOMERS)
      await rowOf(zhiqiang, GREEN_KITE).getByRole('link').first().click()
      await zhiqiang.getByRole('tab', { name: /^跟进记录/ }).click()
      await expect(rowOf(zhiqiang, '看了注册流程')).toContainText('拜访')
      await forward(zhiqiang, '转到需求确认')
    })
  })

  test('Wednesday: a reminder, a transfer that is accepted, a claim at its limit, an alias change that blocks (R366, R367, R368)', async ({
    week,
  }) => {
    const { zhiqiang, jie, admin } = week
    await week.moveTo('wednesday', '10:30')

    await test.step('徐志强 is reminded of the customer that goes tomorrow, and transfers it', async () => {
      await zhiqiang.goto('/crm/today')
      const soon = zhiqiang.getByRole('list', { name: '三天内将被回收' }).getByRole('listitem')
      await expect(soon.filter({ hasText: IN_THREE_DAYS })).toContainText(DAYS.thursday)
      await go(zhiqiang, '我的客户')
      await listReady(zhiqiang)
      await rowOf(zhiqiang, IN_THREE_DAYS).locator('input[type="checkbox"]').check()
      await zhiqiang.getByRole('button', { name: '转移', exact: true }).first().click()
      await expect(drawer(zhiqiang)).toContainText(IN_THREE_DAYS)
      await choose(drawer(zhiqiang), '接收人', '唐杰')
      await choose(drawer(zhiqiang), '原因', '更合适')
      await submit(drawer(zhiqiang))
      await told(zhiqiang, '已提交，等待接收')
      await expect(rowOf(zhiqiang, IN_THREE_DAYS)).toHaveCount(1)
    })

    await test.step('Jie Tang finds it in his day and accepts it', async () => {
      await jie.goto('/crm/today')
      const waiting = jie.getByRole('list', { name: 'Transfers to accept' })
      await waiting
        .getByRole('link', { name: /Zhiqiang Xu|徐志强/ })
        .first()
        .click()
      await listReady(jie)
      await rows(jie).first().locator('a[data-sb-open]').first().click()
      await expect(jie.getByText(IN_THREE_DAYS).first()).toBeVisible()
      await jie.getByRole('button', { name: 'Accept all' }).click()
      await agree(jie)
      await expect(rowOf(jie, IN_THREE_DAYS)).toContainText('Done')
      await openList(jie, MY_CUSTOMERS)
      await search(jie, '三日回收')
      await expect(rows(jie)).toHaveCount(1)
      await openList(zhiqiang, MY_CUSTOMERS)
      await expect(rowOf(zhiqiang, IN_THREE_DAYS)).toHaveCount(0)
    })

    await test.step('the administrator lets Jie Tang claim one a day this week', async () => {
      await admin.goto('/crm/paramSet')
      await admin.getByRole('tab', { name: 'Claim limits' }).click()
      await type(admin, 'Claims a day', '1')
      await submit(admin)
      const effect = admin.locator('.ant-drawer-open:visible')
      await effect.locator('.ant-select').first().click()
      await optionOf(admin, 'A person').click()
      await effect.locator('.ant-select').nth(1).click()
      await admin.keyboard.type('S0014')
      await optionOf(admin, 'S0014').click()
      await effect.getByLabel('Until').fill(DAYS.sunday)
      await admin.keyboard.press('Enter')
      await effect.getByLabel('Reason').fill('First the customers that he has')
      await effect.getByRole('button', { name: 'Save' }).click()
      await expect(admin.getByRole('tab', { name: /^Exceptions/ }).first()).toBeVisible()
    })

    await test.step('who had it is still within the cool-down; Jie Tang claims it, and no second one today', async () => {
      await openList(zhiqiang, OPEN_SEA)
      await search(zhiqiang, TOMORROW)
      await expect(rows(zhiqiang).first()).toContainText('冷却期至 2026-07-09')
      await expect(rows(zhiqiang).first().locator('[data-sb-action="claim"]')).toHaveAttribute('aria-disabled', 'true')
      await openList(jie, OPEN_SEA)
      await expect(jie.getByText('0 / 1', { exact: true })).toBeVisible()
      await search(jie, TOMORROW)
      await act(jie, rows(jie).first(), 'Claim')
      await told(jie, 'Claimed; follow up within three days')
      await expect(rows(jie)).toHaveCount(0)
      await openList(jie, OPEN_SEA)
      await expect(jie.getByText('1 / 1', { exact: true })).toBeVisible()
      const refused = rows(jie).filter({ hasText: 'Daily claims are used up' }).first()
      await expect(refused.locator('[data-sb-action="claim"]')).toHaveAttribute('aria-disabled', 'true')
      await openList(jie, MY_CUSTOMERS)
      await expect(rowOf(jie, TOMORROW)).toHaveCount(1)
    })

    await test.step('he asks for another alias: a taken one gives way to a new one, and the change blocks a transfer', async () => {
      await openList(jie, `${MY_CUSTOMERS}?view=dealt`)
      const [first, second] = [rows(jie).nth(0), rows(jie).nth(1)]
      const code = (await (await cellOf(jie, first, 'code')).innerText()).trim()
      const name = (await first.getByRole('link').first().innerText()).trim()
      const taken = await aliasOf(jie, second)
      await openList(jie, `${MY_CUSTOMERS}?view=dealt`)
      await act(jie, first, 'Change alias')
      await type(drawer(jie), 'New alias', taken)
      await type(drawer(jie), 'Reason', 'A supplier knows the name')
      await submit(drawer(jie))
      await told(jie, /taken/)
      await expect(box(drawer(jie), 'New alias').locator('input')).not.toHaveValue(taken)
      await submit(drawer(jie))
      await expect(drawer(jie)).toHaveCount(0)
      await act(jie, first, 'Transfer')
      await choose(drawer(jie), 'Receiver', 'Zhiqiang Xu')
      await choose(drawer(jie), 'Reason', 'Workload')
      await submit(drawer(jie))
      const blocked = jie.locator('.ant-modal:visible')
      await expect(blocked).toContainText(code)
      await blocked.getByRole('button', { name: 'View alias change record' }).click()
      await expect(jie).toHaveURL(/\/crm\/operate\/alias-record\?.*id=/)
      await listReady(jie)
      await expect(rows(jie)).toHaveCount(1)
      await expect(rows(jie).first()).toContainText(name)
      await expect(rows(jie).first()).toContainText('A supplier knows the name')
      await forward(zhiqiang, '转到测试通过')
    })
  })

  test('Thursday: an application for class A is decided by the manager', async ({ week }) => {
    const { zhiqiang, manager } = week
    await week.moveTo('thursday', '10:30')

    await test.step('徐志强 applies for a customer that does not meet the threshold: only as a strategic exception', async () => {
      await openList(zhiqiang, MY_CUSTOMERS)
      await act(zhiqiang, rowOf(zhiqiang, GREEN_KITE), '申请A类')
      await type(zhiqiang, '预计月收入', '20000')
      await type(zhiqiang, '申请理由', '今年新开三个国家，量会翻倍，对手正在报价。')
      await submit(zhiqiang)
      await told(zhiqiang, '未达门槛：须打开战略特批并说明理由。')
      await zhiqiang
        .getByRole('link', { name: '编辑' })
        .or(zhiqiang.getByRole('button', { name: '编辑' }))
        .first()
        .click()
      await box(zhiqiang, '战略特批').getByRole('switch').or(box(zhiqiang, '战略特批').getByRole('checkbox')).first().click()
      await submit(zhiqiang)
      await zhiqiang
        .getByRole('button', { name: /提\s*交/ })
        .first()
        .click()
      await told(zhiqiang, '已提交审批')
    })

    await test.step('his manager finds it in her day and approves it', async () => {
      await manager.goto('/crm/today')
      await manager
        .getByRole('list', { name: '待审批的A类申请' })
        .getByRole('link', { name: new RegExp(GREEN_KITE) })
        .click()
      await manager
        .getByRole('button', { name: /通\s*过/ })
        .first()
        .click()
      await type(drawer(manager), '审批意见', '同意，按季度回顾')
      await drawer(manager).locator('button[data-submit]').click()
      await expect(manager.locator('.sb-detail:visible').getByText('生效', { exact: true }).first()).toBeVisible()
    })

    await test.step('he reads it, and the customer is class A', async () => {
      await zhiqiang
        .locator('.sb-header')
        .getByRole('button', { name: /^消息，/ })
        .click()
      await told(zhiqiang, new RegExp(`A类申请已通过：${GREEN_KITE}`))
      await openList(zhiqiang, `${MY_CUSTOMERS}?view=classA`)
      await expect(rowOf(zhiqiang, GREEN_KITE)).toContainText('A类')
      await forward(zhiqiang, '转到已报价')
      await forward(zhiqiang, '转到商务谈判')
    })
  })

  test('Friday: an opportunity is won, a share is over, somebody leaves, and the weekend is looked at', async ({ week }) => {
    const { zhiqiang, jie, admin } = week
    await week.moveTo('friday', '10:30')

    await test.step('徐志强 wins', async () => {
      await openList(zhiqiang, '/crm/opportunities')
      await act(zhiqiang, rowOf(zhiqiang, NUMBERS), '赢单')
      await expect(rowOf(zhiqiang, NUMBERS)).toHaveCount(0)
      await openList(zhiqiang, '/crm/opportunities?view=won')
      await expect(rowOf(zhiqiang, NUMBERS)).toContainText('12,000.00')
    })

    await test.step('the share ended with Thursday', async () => {
      await openList(jie, `${MY_CUSTOMERS}?view=shared`)
      await expect(rowOf(jie, GREEN_KITE)).toHaveCount(0)
      // nor does the address that he has kept open it
      await jie.goto(shared)
      await expect(jie.locator('.sb-state[role="alert"]:visible')).toBeVisible()
      await expect(jie.getByRole('heading', { name: GREEN_KITE })).toHaveCount(0)
      await openList(zhiqiang, '/crm/wander/share?view=byMe')
      await expect(rowOf(zhiqiang, GREEN_KITE)).toContainText(/已结束|已过期/)
    })

    await test.step('the administrator hands over what 杨强 owns, and he leaves', async () => {
      await openList(zhiqiang, MY_CUSTOMERS)
      const before = await totalOf(zhiqiang)
      await openList(jie, MY_CUSTOMERS)
      const beforeOfJie = await totalOf(jie)
      await openList(admin, '/setModule/authManage/user?q=S0010')
      await act(admin, rows(admin).first(), 'Leave with hand-over')
      await admin.getByRole('radio', { name: 'Several, evenly' }).check()
      // the box opens by a click and takes letters from then on
      await admin.getByRole('combobox', { name: 'Successors' }).click()
      for (const jobNumber of ['S0006', 'S0014']) {
        await admin.keyboard.type(jobNumber)
        await optionOf(admin, jobNumber).click()
      }
      await admin.keyboard.press('Escape')
      await admin.getByRole('button', { name: 'Preview' }).click()
      const planned = async (jobNumber: string): Promise<number> => {
        const plan = admin.getByRole('listitem').filter({ hasText: new RegExp(`${jobNumber}.*gets`) })
        return Number(/gets (\d+) customers/.exec(await plan.innerText())?.[1])
      }
      const [gets, jieGets] = [await planned('S0006'), await planned('S0014')]
      expect(gets).toBeGreaterThan(0)
      // evenly, to one
      expect(Math.abs(gets - jieGets)).toBeLessThanOrEqual(1)
      await admin.getByRole('button', { name: 'Hand over and leave' }).click()
      await admin.locator('.ant-modal:visible').getByRole('button', { name: 'Hand over and leave' }).click()
      await told(admin, /has left; everything is handed over/)
      await openList(admin, '/setModule/authManage/user?q=S0010&view=left')
      await expect(rows(admin)).toHaveCount(1)
      await openList(zhiqiang, MY_CUSTOMERS)
      expect(await totalOf(zhiqiang)).toBe(before + gets)
      await openList(jie, MY_CUSTOMERS)
      expect(await totalOf(jie)).toBe(beforeOfJie + jieGets)
    })

    await test.step('a dry run for Sunday shows the customer that was claimed and never called', async () => {
      await admin.goto('/crm/paramSet')
      await admin.getByRole('tab', { name: 'Scheduled jobs' }).click()
      const report = await dryRun(admin, DAYS.sunday)
      const row = report.locator('.ant-table-row').filter({ hasText: TOMORROW })
      const next = report.locator('.ant-pagination-next:not(.ant-pagination-disabled)')
      while (!(await row.isVisible()) && (await next.isVisible())) await next.click()
      await expect(row).toContainText('Never touched')
    })
  })

  test('the weekend: the nightly job takes it; funnel and account track equal the rows behind them', async ({ week }) => {
    const { jie, manager } = week
    expect(await week.moveTo('sunday', '09:00')).toContain('sys.deadlines')

    await test.step('Jie Tang reads that it went', async () => {
      await jie.goto('/crm/today')
      await told(jie, new RegExp(`${TOMORROW} \\(.*\\) went to the open sea: never followed up`))
    })

    let sums = 0
    const totals = manager.locator('.sb-figures:visible dd a')
    /** Looks behind the numbers of the report that is open; `parts` are the regions with numbers that matter. */
    const compare = async (parts: readonly string[]): Promise<Figure[]> => {
      await expect(totals.first()).toBeVisible()
      await unfoldTables(manager)
      const regions = parts.map((name) => manager.getByRole('region', { name, exact: true }).locator('tbody a'))
      const figures = (await Promise.all([totals, ...regions].map(ledBy))).flat()
      sums += await equalTheirRows(manager, figures, 'amount')
      return figures
    }
    /** Opens a report for numbers alone, as its reader chooses it. */
    const openForNumbers = async (address: string, call: string): Promise<void> => {
      await manager.goto(address)
      await expect(totals.first()).toBeVisible()
      await manager.getByRole('search').getByRole('button', { name: '产品' }).click()
      await manager.getByLabel('号码', { exact: true }).check()
      const answered = manager.waitForResponse((response) => response.url().endsWith(call))
      await manager.getByRole('button', { name: '应用' }).click()
      await answered
      await expect(totals.first()).toHaveAttribute('href', /[?&](f\.product=|where=.*product)/)
    }

    await test.step('the figures of the funnel are the opportunities behind them, whatever is asked for', async () => {
      await manager.goto(FUNNEL)
      const all = await compare(['漏斗', '在跟商机（当前）'])
      expect(all.filter(({ counts }) => counts).length).toBeGreaterThan(15)
      expect(sums).toBeGreaterThan(2)
      await openForNumbers(FUNNEL, '/v2/crm/opportunity/funnel')
      const numbers = await compare([])
      expect(numbers[0]?.value).toBeGreaterThan(0)
      expect(numbers[0]?.value).toBeLessThan(all[0]?.value ?? 0)
    })

    await test.step('the won opportunity of the week is among the won ones of its product', async () => {
      await openForNumbers(FUNNEL, '/v2/crm/opportunity/funnel')
      const won = totals.nth(1)
      const count = numberOf(await won.innerText())
      await won.click()
      await listReady(manager)
      await expect(rowOf(manager, NUMBERS)).toHaveCount(1)
      expect(await totalOf(manager)).toBe(count)
    })

    await test.step('the figures of the account track are the accounts behind them, whatever is asked for', async () => {
      const TRACK = '/crm/market-analysis/account-track'
      await manager.goto(TRACK)
      const all = await compare(['状态分布', '按产品'])
      expect(all.filter(({ counts }) => counts).length).toBeGreaterThan(12)
      await openForNumbers(TRACK, '/v2/fin/customerAccount/aggregate')
      const numbers = await compare(['状态分布'])
      expect(numbers[0]?.value).toBeGreaterThan(0)
      expect(numbers[0]?.value).toBeLessThan(all[0]?.value ?? 0)
    })
  })
})

import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { PHONE } from '../support/looks'
import { listReady, rows } from '../support/portalPage'
import { expect, PEOPLE, seriousFaults, test } from '../support/realTest'

const APPLY = '/businessOperations/submitApply?applyType=other'
const TODO = '/general/process/my-agent'

interface Step {
  state: string
  assignees: { id: string; name: string }[]
  branches?: { nodes: Step[] }[]
}

interface Detail {
  instance: { id: string; code: string; status: string; rowVersion: number }
  path: Step[]
  myTask: { taskId: string } | null
}

const bar = (page: Page) => page.locator('.sb-process-bar:visible')
const status = (page: Page) => page.locator('.sb-process-name:visible .sb-tag').first()

const detailOf = async (page: Page, instanceId: string): Promise<Detail> =>
  (await call<Detail>(page, '/v2/workflow/operate/instanceDetail', { instanceId })).data

/** The job number of whoever is asked now. */
const askedNow = async (page: Page, instanceId: string): Promise<string> => {
  const { path } = await detailOf(page, instanceId)
  const steps = (nodes: Step[]): Step[] =>
    nodes.flatMap((node) => [node, ...steps((node.branches ?? []).flatMap((one) => one.nodes))])
  const person = steps(path).find(({ state, assignees }) => state === 'current' && assignees.length > 0)?.assignees[0]
  const found = await call<{ id: string; title: string }[]>(page, '/v2/sys/staff/user/select', { ids: [person?.id], pageSize: 1 })
  return /S\d{4}/.exec(found.data[0]?.title ?? '')?.[0] ?? ''
}

/** Fills in a generic application and submits it with a double click; answers its id. */
const apply = async (page: Page, content: string): Promise<string> => {
  await page.goto(APPLY)
  const box = page.getByLabel('申请内容', { exact: true })
  await box.click()
  // the editor may still be on its way
  await expect(page.locator('[contenteditable=true]:focus')).toBeVisible()
  await page.keyboard.insertText(content)
  await bar(page).getByRole('button', { name: '提交' }).dblclick()
  await page.waitForURL(/my-initiate\/profile\?instanceId=/)
  await expect(status(page)).toHaveText('审批中')
  return new URL(page.url()).searchParams.get('instanceId') ?? ''
}

/** Opens the to-do list and from it the application. */
const openTask = async (page: Page, instanceId: string): Promise<void> => {
  const { myTask } = await detailOf(page, instanceId)
  await page.goto(`${TODO}/profile?taskId=${myTask?.taskId ?? ''}`)
  await expect(bar(page)).toBeVisible()
}

test.describe('approvals', () => {
  test('R129 an application is submitted once, returned, submitted again and agreed to by two people', async ({ as }) => {
    const sales = await as(PEOPLE.sales, { at: '/general/process/sponsor' })
    const card = sales.getByRole('link', { name: '发起通用申请' }).last()
    await expect(card).toBeVisible()
    await card.click()
    await expect(sales).toHaveURL(/submitApply/)
    // the path is named before anything is sent, and what is missing stands beside it
    await expect(sales.locator('.sb-path:visible').first()).toContainText('直属主管审批')
    await expect(sales.locator('.sb-process-checks:visible')).not.toBeEmpty()

    const running = async (): Promise<number> =>
      (await call<{ total: number }>(sales, '/v2/workflow/my/applyPage', { pageNum: 1, pageSize: 1, status: 'running' })).data
        .total
    const before = await running()
    const id = await apply(sales, '为客户开通第二个登录账号')
    expect(await running()).toBe(before + 1)

    const leader = await as(await askedNow(sales, id), { at: TODO })
    await listReady(leader)
    await expect(rows(leader).first().locator('a[data-sb-open]').first()).toBeVisible()
    await openTask(leader, id)
    await expect(bar(leader).getByRole('button', { name: '同意', exact: true })).toBeVisible()
    await bar(leader).getByRole('button', { name: '拒绝 / 退回' }).click()
    await leader.getByRole('menuitem', { name: '退回发起人' }).click()
    const dialog = leader.getByRole('dialog', { name: '退回发起人' })
    await dialog.getByRole('button', { name: '退回发起人' }).click()
    await expect(dialog.getByRole('alert')).toContainText('请填写意见')
    await dialog.getByLabel('意见').fill('请写明账号用途')
    await dialog.getByRole('button', { name: '退回发起人' }).click()
    await expect(dialog).toBeHidden()
    // the next task of the list is open already
    await expect.poll(async () => (await detailOf(sales, id)).instance.status).toBe('returned')

    await sales.goto(`/general/process/my-initiate/profile?instanceId=${id}`)
    await expect(sales.locator('.sb-log:visible')).toContainText('请写明账号用途')
    await bar(sales).getByRole('button', { name: '修改后重新提交' }).click()
    await expect(sales.getByText('这张申请被退回，修改后重新提交。')).toBeVisible()
    const box = sales.getByLabel('申请内容', { exact: true }).filter({ visible: true }).last()
    await box.click()
    await sales.keyboard.press('End')
    await sales.keyboard.insertText('，用于对账')
    await bar(sales).getByRole('button', { name: '重新提交' }).click()
    await sales.waitForURL(/my-initiate\/profile/)
    await expect(status(sales)).toHaveText('审批中')

    await openTask(leader, id)
    await expect(leader.locator('.sb-process-grid:visible')).toContainText('用于对账')
    await leader.keyboard.press('a')
    await leader.getByRole('dialog', { name: '同意' }).getByRole('button', { name: '同意' }).click()
    await expect.poll(async () => (await detailOf(sales, id)).instance.status).toBe('running')
    await expect.poll(async () => askedNow(sales, id)).not.toBe('')

    const third = await as(await askedNow(sales, id))
    await openTask(third, id)
    await bar(third).getByRole('button', { name: '同意', exact: true }).click()
    await third.getByRole('dialog', { name: '同意' }).getByLabel('意见').fill('已开通')
    await third.getByRole('dialog', { name: '同意' }).getByRole('button', { name: '同意' }).click()
    await expect.poll(async () => ['agreed', 'done'].includes((await detailOf(sales, id)).instance.status)).toBe(true)
    await sales.goto(`/general/process/my-initiate/profile?instanceId=${id}`)
    await expect(sales.locator('.sb-log:visible > li')).toHaveCount(
      (await call<{ timeline: unknown[] }>(sales, '/v2/workflow/operate/instanceDetail', { instanceId: id })).data.timeline
        .length,
    )
    await expect(sales.locator('.sb-log:visible')).toContainText('已开通')
    expect(await seriousFaults(sales)).toEqual([])
  })

  test('several tasks are agreed to together, and the shortcut of the shell counts down (R046, R323)', async ({ as }) => {
    const sales = await as(PEOPLE.sales)
    const ids = [await apply(sales, '申请一'), await apply(sales, '申请二')]
    const leader = await as(await askedNow(sales, ids[0] ?? ''), { at: '/home' })
    await expect(leader.locator('.sb-header').getByRole('button', { name: /流程审批，\d+项待处理/ })).toBeVisible()
    await leader.goto(TODO)
    await listReady(leader)
    const count = await rows(leader).count()
    expect(count).toBeGreaterThanOrEqual(2)
    // late ones stand first; together go those of one process
    const alike = rows(leader).filter({ hasText: '通用申请' })
    for (const index of [0, 1]) await alike.nth(index).getByRole('checkbox').check()
    await leader.getByRole('button', { name: '批量同意' }).click()
    await leader.getByRole('dialog').getByRole('button', { name: '批量同意' }).click()
    await expect(rows(leader)).toHaveCount(count - 2)
  })

  test('on a phone a task is read and decided without scrolling sideways', async ({ as }) => {
    const sales = await as(PEOPLE.sales)
    const id = await apply(sales, '手机上处理的申请')
    const leader = await as(await askedNow(sales, id), { viewport: PHONE, isMobile: true, hasTouch: true })
    await openTask(leader, id)
    expect(await leader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
    await expect(bar(leader)).toBeInViewport()
    await bar(leader).getByRole('button', { name: '同意', exact: true }).tap()
    await leader.getByRole('dialog', { name: '同意' }).getByRole('button', { name: '同意' }).tap()
    await expect.poll(async () => (await detailOf(leader, id)).myTask).toBeNull()
  })

  test('an address with a field or a record that is not there is refused with a sentence', async ({ as }) => {
    const sales = await as(PEOPLE.sales, { at: `${APPLY}&planet=mars&customerId=nobody` })
    await expect(sales.getByText('地址中的“planet”不属于“通用申请”')).toBeVisible()
    await expect(sales.getByText('地址中的客户不存在，或不在您的数据范围内')).toBeVisible()
  })
})

import { expect, released, test } from '../support/adminTest'
import { seriousFaults } from '../support/axe'
import { listReady, totalOf } from '../support/portalPage'
import { equalTheirRows, ledBy, numberOf, unfoldTables } from '../support/weekGestures'

const PATH = '/crm/opportunity-overview'
const text = (zh: string, en: string) => ({ zh, en })
const closed = (stage: string) => [{ field: 'stage', operator: 'eq', value: stage }]

/** The whole of a new report: one document, no code, no call, no other file. */
const REPORT = {
  formatVersion: 3,
  kind: 'report',
  path: PATH,
  title: text('商机概览', 'Opportunities at a glance'),
  detail: true,
  entity: 'crm.opportunity',
  filters: [{ field: 'createdAt', operator: 'between', default: '{{ [addDays(today, -364), today] }}' }, { field: 'product' }],
  dimensions: [
    { id: 'stage', field: 'stage' },
    { id: 'owner', field: 'ownerId' },
    { id: 'product', field: 'product' },
    { id: 'month', field: 'createdAt', bucket: 'month', title: text('创建月份', 'Created in') },
  ],
  measures: [
    { id: 'all', count: true },
    { id: 'won', count: true, where: closed('won'), title: text('赢单', 'Won') },
    { id: 'wonShare', ratio: ['won', 'all'], title: text('赢单占比', 'Share won') },
    { id: 'amount', sum: 'amount' },
    { id: 'amountUsd', sum: 'amount', currency: 'convert:USD', title: text('金额 USD', 'Amount in USD') },
  ],
  blocks: [
    {
      id: 'totals',
      title: text('合计', 'In all'),
      type: 'figure',
      measures: ['all', 'won', 'wonShare', 'amount'],
      compare: 'previousPeriod',
      span: 4,
    },
    {
      id: 'stages',
      title: text('按阶段', 'By stage'),
      type: 'chart',
      chart: 'bar',
      dimensions: ['stage'],
      measures: ['all'],
      span: 2,
    },
    {
      id: 'months',
      title: text('按月', 'By month'),
      type: 'chart',
      chart: 'line',
      dimensions: ['month'],
      measures: ['all', 'won'],
      span: 2,
    },
    {
      id: 'owners',
      title: text('按负责人', 'By owner'),
      type: 'table',
      dimensions: ['owner'],
      measures: ['all', 'won', 'amount', 'amountUsd'],
      sort: [{ by: 'all', order: 'desc' }],
      totals: true,
      span: 2,
    },
    {
      id: 'products',
      title: text('产品与阶段', 'Products by stage'),
      type: 'pivot',
      dimensions: ['product', 'stage'],
      measures: ['all'],
      span: 2,
    },
  ],
}

test('A report with charts is one document: its numbers are the rows of the lists that they lead to', async ({
  office: { admin, also },
}) => {
  test.setTimeout(240_000)
  await released(admin, 'page:crm/opportunity-overview', [{ at: '', set: REPORT }], { accept: true })
  const manager = await also('S0004', 'zh-CN')
  const region = (name: string) => manager.getByRole('region', { name, exact: true })
  await manager.goto(PATH)
  const totals = manager.locator('.sb-figures:visible dd > a')
  await expect(totals.first()).toBeVisible()
  await unfoldTables(manager)

  await test.step('words, periods and changes are told without being written down', async () => {
    await expect(region('按阶段').locator('tbody')).toContainText('赢单')
    await expect(region('按阶段').getByRole('columnheader', { name: '商机' })).toBeVisible()
    await expect(region('按月').locator('tbody tr').first()).toContainText(/^\d{4}-\d{2}/)
    await expect(manager.getByText(/^与 \d{4}-\d{2}-\d{2} 至 \d{4}-\d{2}-\d{2} 相比$/)).toBeVisible()
    await expect(manager.locator('.sb-figures:visible .sb-change').first()).toHaveAccessibleName(/前期/)
    await expect(region('按负责人').locator('tfoot')).toContainText('合计')
    await expect(region('产品与阶段').getByRole('rowheader').first()).toBeVisible()
  })

  await test.step('each figure and cell is the total of the list behind it', async () => {
    const parts = ['按阶段', '按月', '按负责人', '产品与阶段'].map((name) => region(name).locator('td a'))
    const figures = (await Promise.all([totals, ...parts].map(ledBy))).flat()
    expect(figures.filter(({ counts }) => counts).length).toBeGreaterThan(20)
    await equalTheirRows(manager, figures, 'amount')
  })

  await test.step('a chart is drawn of them: a bar leads where its number in the table leads, in both themes', async () => {
    await manager.goto(PATH)
    const chart = manager.getByRole('img', { name: /^按阶段（图表/ })
    await unfoldTables(manager)
    const link = region('按阶段').locator('tbody td a').last()
    const [count, address] = [(await link.innerText()).trim(), (await link.getAttribute('href')) ?? '']
    await chart.getByText(count, { exact: true }).last().click()
    await expect(manager).toHaveURL((url) => url.pathname + url.search === address)
    await listReady(manager)
    await manager.emulateMedia({ colorScheme: 'dark' })
    await manager.goto(PATH)
    await expect(manager.getByRole('img', { name: /^按月（图表/ }).locator('svg')).toBeVisible()
    expect(await seriousFaults(manager)).toEqual([])
    await manager.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('a list that is led to says what it holds, and lets it be taken away', async () => {
    await manager.goto(PATH)
    await unfoldTables(manager)
    await region('按月').locator('tbody td a').first().click()
    await listReady(manager)
    const chips = manager.getByRole('group', { name: '已启用的筛选' })
    await expect(chips.getByText(/^创建时间/)).toHaveCount(2)
    const counted = await totalOf(manager)
    await chips
      .getByRole('button', { name: /创建时间/ })
      .last()
      .click()
    await expect.poll(() => totalOf(manager)).toBeGreaterThanOrEqual(counted)
    await expect(chips.getByText(/^创建时间/)).toHaveCount(1)
  })

  await test.step('filters stand in the address: who is sent it sees the same numbers', async () => {
    await manager.goto(PATH)
    const all = numberOf(await totals.first().innerText())
    await manager.getByRole('search').getByRole('button', { name: '产品' }).click()
    await manager.getByLabel('短信', { exact: true }).check()
    await manager.getByRole('button', { name: '应用' }).click()
    await expect(manager).toHaveURL(/f\.product=in(:|%3A)sms/)
    await expect.poll(async () => numberOf(await totals.first().innerText())).toBeLessThan(all)
    const some = await totals.first().innerText()
    await manager.reload()
    await expect(totals.first()).toHaveText(some)
  })
})

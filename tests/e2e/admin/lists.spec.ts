import type { Page } from '@playwright/test'
import { expect } from '../support/adminTest'
import { test } from '../support/everydayChange'
import { listReady, openList, rows, totalOf } from '../support/portalPage'

const OPPORTUNITIES = '/crm/opportunities'
const VISITS = '/crm/visiting-records?view=all'
const MANAGER = 'S0005'

const header = (page: Page, name: string) => page.locator('main:visible').getByRole('columnheader', { name, exact: true })
const columnsOf = (page: Page): Promise<(string | null)[]> =>
  page.locator('th[data-column]:visible').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-column')))

test('Change 01: a column is added to a list', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Columns')
  await admin.addField('Competitor')
  await expect(admin.preview.getByRole('columnheader', { name: 'Competitor' })).toBeAttached()
  await picture(admin)
  await admin.release({ says: 'Column "Competitor": added' })
  await openList(sales, OPPORTUNITIES)
  await expect(header(sales, 'Competitor')).toBeAttached()
})

test('Change 02: columns are put in another order and pinned', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/visiting-records')
  await admin.choose('Columns', 'Status')
  await admin.set('Pin', 'Left')
  // to the beginning with the mouse, then with the keyboard and the buttons
  await admin.drag('Status', 'Columns')
  await admin.tree.press('Alt+ArrowDown')
  await admin.press('Move down')
  await admin.press('Move up')
  await picture(admin)
  await admin.release()
  await openList(sales, VISITS)
  await expect.poll(() => columnsOf(sales)).toEqual(expect.arrayContaining(['purpose', 'status', 'code']))
  expect((await columnsOf(sales)).slice(0, 2)).toEqual(['purpose', 'status'])
  await expect(header(sales, 'Status')).toHaveClass(/sb-pin/)
})

test('Change 03: a column gets another name, and one is hidden at first', async ({ office: { admin, sales, also }, picture }) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Columns', 'Weighted')
  await admin.set('Title', { zh: '预测', en: 'Forecast' })
  await admin.choose('Product')
  await admin.set('Hidden at first', 'Yes')
  await expect(admin.preview.getByRole('columnheader', { name: 'Forecast' })).toBeAttached()
  await picture(admin)
  await admin.release({ says: 'Column "Product": hidden by default' })
  await openList(sales, OPPORTUNITIES)
  await expect(header(sales, 'Forecast')).toBeAttached()
  await expect(header(sales, 'Product')).toHaveCount(0)
  const manager = await also(MANAGER, 'zh-CN')
  await openList(manager, OPPORTUNITIES)
  await expect(header(manager, '预测')).toBeAttached()
  await expect(header(manager, '产品')).toHaveCount(0)
})

test('Change 04: a filter is added, and one has a value from the start', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/visiting-records')
  await admin.choose('Filters')
  await admin.addField('Opportunity')
  await admin.choose('Filters', 'Type')
  await admin.set('Default', 'On site')
  await picture(admin)
  await admin.release({ says: 'Filter "Opportunity": added' })
  await openList(sales, VISITS)
  await expect(sales.getByRole('search').getByRole('button', { name: /^Type.*On site/ })).toBeVisible()
  await expect(sales.getByRole('search').getByRole('button', { name: 'Opportunity' })).toBeVisible()
})

test('Change 05: a list is sorted otherwise, shows more rows, and counts them below', async ({
  office: { admin, sales },
  picture,
}) => {
  await admin.open('page:crm/leads')
  await admin.set('Page size', '50')
  await admin.set('Summary', 'Yes')
  const sort = await admin.control('Default sort')
  await sort.getByRole('button', { name: 'Add', exact: true }).click()
  await admin.set('Field', 'Code', sort)
  await admin.set('Order', 'Descending', sort)
  await admin.choose('Columns', 'Code')
  await admin.set('Summary', 'Count')
  await picture(admin)
  await admin.release()
  await openList(sales, '/crm/leads?view=all')
  await expect(sales.getByRole('combobox', { name: /per page/i })).toHaveValue('50')
  await expect(header(sales, 'Code')).toHaveAttribute('aria-sort', 'descending')
  const index = (await columnsOf(sales)).indexOf('code')
  const total = await sales.locator('h1 small:visible').innerText()
  await expect(sales.locator('tfoot td:visible').nth(index + 1)).toHaveText(total)
})

test('Change 06: a saved view is made for everybody', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Saved views')
  await admin.addNamed('large')
  await admin.set('Title', { zh: '大单', en: 'Large deals' })
  await admin.set('Row view', 'mine')
  await admin.set('Show the count', 'Yes')
  const where = await admin.control('Fixed conditions')
  await where.getByRole('button', { name: 'Add', exact: true }).click()
  await admin.set('Field', 'Monthly volume', where)
  await admin.set('Operator', 'is at least', where)
  await admin.set('Value', '500000', where)
  await picture(admin)
  await admin.release({ says: 'View "Large deals": added' })
  await openList(sales, `${OPPORTUNITIES}?view=all`)
  const all = await totalOf(sales)
  await sales.getByRole('tab', { name: /^Large deals/ }).click()
  await expect(sales).toHaveURL(/view=large/)
  await listReady(sales)
  const large = await totalOf(sales)
  expect(large).toBeGreaterThan(0)
  expect(large).toBeLessThan(all)
  await expect(sales.getByRole('tab', { name: /^Large deals/, selected: true })).toContainText(String(large))
})

test('Change 07: an action is called otherwise and asks before it runs', async ({ office: { admin, sales }, picture }) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Actions', 'New opportunity')
  await admin.set('Label', { zh: '登记商机', en: 'Register a deal' })
  const confirm = await admin.control('Confirmation')
  await confirm.getByRole('checkbox', { name: 'Add' }).check()
  await admin.set('Title', { zh: '查过重复了吗？', en: 'Have you looked for duplicates?' }, confirm)
  await picture(admin)
  await admin.release({ says: 'Action "Register a deal": renamed' })
  await openList(sales, OPPORTUNITIES)
  await sales.getByRole('button', { name: 'Register a deal' }).click()
  const question = sales.getByRole('dialog', { name: 'Have you looked for duplicates?' })
  await question.getByRole('button', { name: 'Register a deal' }).click()
  await expect(sales).toHaveURL(/\/crm\/addBo/)
})

test('Change 08: an action is for those who hold a permission, and for some rows only', async ({
  office: { admin, sales, also },
  picture,
}) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Actions', 'export')
  await admin.set('Permission', 'crm:customer:manage')
  await admin.choose('Row actions', 'Edit')
  await admin.set('Visible when', "{{ row.stage === 's1' }}")
  await picture(admin)
  // fewer people may do it, and for fewer rows: nothing that somebody has to look at twice
  await admin.release()
  await openList(sales, OPPORTUNITIES)
  await expect(rows(sales).first()).toBeVisible()
  await expect(sales.getByRole('button', { name: 'Export' })).toHaveCount(0)
  // a team has opportunities in every stage on every day, one person has not
  const manager = await also(MANAGER, 'zh-CN')
  await openList(manager, `${OPPORTUNITIES}?view=all&f.stage=in:s2,s3,s4,s5`)
  await expect(manager.getByRole('button', { name: '导出' })).toBeVisible()
  await expect(rows(manager).first()).toBeVisible()
  await expect(rows(manager).getByText('编辑', { exact: true })).toHaveCount(0)
  await openList(manager, `${OPPORTUNITIES}?view=all&f.stage=in:s1`)
  await expect(rows(manager).first().getByText('编辑', { exact: true })).toBeVisible()
})

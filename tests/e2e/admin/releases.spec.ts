import type { Page } from '@playwright/test'
import { expect, released, reset } from '../support/adminTest'
import { test } from '../support/everydayChange'
import { DesignerPage } from '../support/designerPage'
import { openList } from '../support/portalPage'

const VISITS = '/crm/visiting-records?view=all'
const LEADS = '/crm/leads?view=all'
const header = (page: Page, name: string) => page.locator('main:visible').getByRole('columnheader', { name, exact: true })

test('Change 25: a change is for gray browsers first, then for everybody', async ({ office: { admin, sales }, picture }) => {
  const gray = async (flag: string | null): Promise<void> => {
    await sales.evaluate(
      (value) => (value === null ? localStorage.removeItem('grayVersion') : localStorage.setItem('grayVersion', value)),
      flag,
    )
    await openList(sales, VISITS)
  }
  await admin.open('page:crm/visiting-records')
  await admin.choose('Columns', 'Created by')
  await admin.set('Title', { zh: '登记人', en: 'Noted by' })
  await admin.release({ stage: 'Gray browsers', title: 'Try the new name' })
  await gray('on')
  await expect(header(sales, 'Noted by')).toBeAttached()
  await gray(null)
  await expect(header(sales, 'Created by')).toBeAttached()
  await expect(header(sales, 'Noted by')).toHaveCount(0)
  await admin.check({ title: 'The new name for all' })
  await picture(admin)
  await admin.send()
  await openList(sales, VISITS)
  await expect(header(sales, 'Noted by')).toBeAttached()
})

test('Change 27: an earlier revision comes back, and at last the page as delivered', async ({
  office: { admin, sales },
  picture,
}) => {
  const target = 'page:crm/leads'
  const renamed = (en: string) => [{ at: 'columns/company/title', set: { zh: en, en } }]
  await released(admin, target, renamed('Firm'), { title: 'First name' })
  await released(admin, target, renamed('House'), { title: 'Second name' })
  const named = async (name: string): Promise<void> => {
    await openList(sales, LEADS)
    await expect(header(sales, name)).toBeAttached()
  }
  await named('House')
  const { page } = admin
  const back = async (button: string): Promise<void> => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Nobody knew it by that name')
    await dialog.getByRole('button', { name: button }).click()
    await expect(dialog).toHaveCount(0)
  }
  await admin.open(target, { tab: 'history' })
  await page
    .locator('.ant-timeline-item')
    .filter({ hasText: 'First name' })
    .last()
    .getByRole('button', { name: 'Roll back to this' })
    .click()
  await picture(admin)
  await back('Roll back to this')
  await named('Firm')
  await page.getByRole('button', { name: 'Reset to as delivered' }).click()
  await back('Reset to as delivered')
  await named('Company')
})

test('Change 29: two admins change the same place, and the second decides', async ({
  office: { admin, sales, also },
  picture,
}) => {
  const second = new DesignerPage(await also('S0068'))
  await admin.open('page:crm/leads')
  await second.open('page:crm/leads')
  await expect(second.page.getByText(/\(S0067\) edits this draft too/)).toBeVisible()
  await admin.choose('Columns', 'Quality')
  await admin.set('Title', { zh: '评级', en: 'Rating' })
  await admin.choose('Products')
  await admin.set('Title', { zh: '想要', en: 'Wish' })
  await admin.saved()
  await second.choose('Columns', 'Quality')
  await second.set('Title', { zh: '温度', en: 'Warmth' })
  const dialog = second.page.getByRole('dialog', { name: /\(S0067\) changed the same places/ })
  await expect(dialog.getByText('Rating')).toBeVisible()
  await picture(second)
  for (const area of await dialog.getByRole('group').all()) await area.getByRole('radio', { name: /^Mine/ }).check()
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toHaveCount(0)
  await second.release({ says: 'Column "Wish": renamed' })
  await openList(sales, LEADS)
  await expect(header(sales, 'Warmth')).toBeAttached()
  await expect(header(sales, 'Wish')).toBeAttached()
})

test('Change 30: a change that lost its place is repaired', async ({ office: { admin }, picture }) => {
  const target = 'page:crm/visiting-records'
  // what other changes of this page left would be taken back with the release, which asks for a second look
  await reset(admin, target)
  await released(admin, target, [{ at: 'columns', add: { field: 'currency' } }])
  await released(admin, target, [{ at: 'columns/currency/title', set: { zh: '货币', en: 'Money' } }], { role: 'finance' })
  await reset(admin, target)
  const { page } = admin
  const lost = page.getByText('1 change lost its place', { exact: true })
  const find = async (): Promise<void> => {
    await page.goto('/setModule/pages')
    await page.getByRole('searchbox', { name: 'Search title, path, entity' }).fill('crm/visiting-records')
    await expect(page.getByRole('button', { name: 'Visiting records', exact: true })).toBeVisible()
  }
  await find()
  await expect(lost).toBeVisible()
  await admin.open(target, { role: 'finance' })
  const report = page.getByRole('alert').filter({ has: lost })
  await expect(report).toContainText('Columns / currency / Title')
  await picture(admin)
  await page.getByRole('button', { name: 'Remove these changes' }).click()
  await admin.release()
  await find()
  await expect(lost).toHaveCount(0)
})

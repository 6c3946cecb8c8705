import type { Locator, Page } from '@playwright/test'
import { expect, released, reset, test } from '../support/adminTest'
import { DesignerPage } from '../support/designerPage'
import { box, MY_CUSTOMERS, openList, rows, type } from '../support/portalPage'

const VISITS = '/crm/visiting-records?view=all'
const LEADS = '/crm/leads?view=all'
const header = (page: Page, name: string) => page.locator('main:visible').getByRole('columnheader', { name, exact: true })

/** Where the company is, days begin eight hours before those of UTC. */
const COMPANY = 8 * 3_600_000
const HOUR = 3_600_000
/** The Monday to come, where the company is: its beginning, and its day as it is typed. At least an hour is left until then. */
function nextMonday(): { begin: number; day: string } {
  const now = new Date(Date.now() + HOUR + COMPANY)
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + ((8 - now.getUTCDay()) % 7 || 7)))
  return { begin: day.getTime() - COMPANY, day: day.toISOString().slice(0, 10) }
}

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

test('Change 26: a field is required from next Monday', async ({ office: { admin, sales, moveTo }, picture }) => {
  const monday = nextMonday()
  const add = async (name: string): Promise<Locator> => {
    await openList(sales, MY_CUSTOMERS)
    await rows(sales).first().getByRole('link').first().click()
    await sales.getByRole('button', { name: 'Add contact' }).first().click()
    const form = sales.getByRole('dialog')
    await type(form, 'Name', name)
    await type(form, 'E-mail', 'somebody@example.com')
    await sales.keyboard.press('Control+Enter')
    return form
  }
  await admin.open('entity:crm.contact')
  await admin.set('Required', 'Role')
  await admin.check({ says: 'Field "Role": newly required', from: `${monday.day} 00:00:00`, title: 'Roles of contacts' })
  await admin.review.getByRole('checkbox', { name: /newly required/ }).check()
  await picture(admin)
  await admin.send('Schedule')
  await admin.page.goto('/setModule/pages')
  await admin.page.getByRole('searchbox', { name: 'Search title, path, entity' }).fill('crm.contact')
  await expect(admin.page.getByText(`Scheduled: ${monday.day} 00:00`)).toBeVisible()

  await moveTo(new Date(monday.begin - HOUR / 2))
  await expect(await add('Ada Lin')).toHaveCount(0)
  await moveTo(new Date(monday.begin + 60_000))
  const refused = await add('Bo Chen')
  await expect(box(refused, 'Role').locator('.sb-form-error')).toBeVisible()
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

test('Change 28: a change is exported and imported in production', async ({ office: { admin }, production, picture }) => {
  const target = 'page:crm/leads'
  await released(admin, target, [{ at: 'columns/source/title', set: { zh: '渠道', en: 'Channel' } }], { title: 'Tried in test' })
  await admin.open(target, { tab: 'history' })
  const download = admin.page.waitForEvent('download')
  const tried = admin.page.locator('.ant-timeline-item').filter({ hasText: 'Tried in test' })
  await tried.getByRole('button', { name: 'Export' }).click()
  const file = await (await download).path()

  const there = await production()
  const { page } = there.admin
  await openList(there.sales, LEADS)
  await expect(header(there.sales, 'Source')).toBeAttached()
  await page.goto('/setModule/pages')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import changes' }).click()
  await (await chooser).setFiles(file)
  await page.getByRole('searchbox', { name: 'Search title, path, entity' }).fill('crm/leads')
  await expect(page.getByText('Draft: Haoran Wang (S0067)')).toBeVisible()
  await expect(page.getByText('From the test environment')).toBeVisible()
  await picture(page)
  await page.getByRole('button', { name: 'My leads', exact: true }).click()
  await there.admin.release({ says: 'Column "Channel": renamed', title: 'Carried over' })
  await openList(there.sales, LEADS)
  await expect(header(there.sales, 'Channel')).toBeAttached()
  await page.getByRole('tab', { name: 'History' }).click()
  const carried = page.locator('.ant-timeline-item').filter({ hasText: 'Carried over' })
  await expect(carried.getByText('From the test environment')).toBeVisible()
  await expect(carried).toContainText('“Tried in test”, released there by Haoran Wang (S0067)')
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

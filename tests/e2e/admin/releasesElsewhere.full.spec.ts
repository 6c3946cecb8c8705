import type { Locator, Page } from '@playwright/test'
import { expect, released } from '../support/adminTest'
import { test } from '../support/everydayChange'
import { box, MY_CUSTOMERS, openList, rows, type } from '../support/portalPage'

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

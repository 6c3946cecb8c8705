import { call, expect } from '../support/adminTest'
import { test } from '../support/everydayChange'
import type { DesignerPage } from '../support/designerPage'
import { PEOPLE } from '../support/realTest'
import { openList, rows, type } from '../support/portalPage'

const OPPORTUNITIES = '/crm/opportunities'
const MANAGER = 'S0005'

test('Change 20: a price is hidden from a role', async ({ office: { admin, sales, also }, picture }) => {
  const { page } = admin
  await page.goto('/setModule/authManage/permissions')
  const seen = page.locator('.sb-admin:visible')
  await seen.getByRole('textbox', { name: 'Find by name or code' }).fill('salesManager')
  await seen.locator('.sb-choice').filter({ hasText: 'salesManager' }).click()
  await seen.getByRole('tab', { name: 'Field rules' }).click()
  await seen.getByRole('combobox', { name: 'Add a field' }).fill('crm.opportunity.expectedPrice')
  await page.keyboard.press('Enter')
  const rule = seen.locator('.sb-scope-row').filter({ hasText: 'Expected price' })
  await expect(rule.getByRole('radio', { name: 'Hidden' })).toBeChecked()
  await picture(admin)
  await seen.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved. It holds from the next action of its members on.')).toBeVisible()

  const manager = await also(MANAGER)
  const question = { pageNo: 1, pageSize: 1, view: 'visible' }
  const answer = await call<{ records: object[] }>(manager, '/v2/crm/opportunity/queryPage', question)
  expect(answer.data.records).toHaveLength(1)
  expect(answer.data.records[0]).not.toHaveProperty('expectedPrice')
  const own = await call<{ records: object[] }>(sales, '/v2/crm/opportunity/queryPage', { ...question, view: 'mine' })
  expect(own.data.records[0]).toHaveProperty('expectedPrice')
  await openList(manager, `${OPPORTUNITIES}?view=all`)
  await rows(manager).first().getByRole('link').first().click()
  await expect(manager.getByText('Monthly volume', { exact: true })).toBeVisible()
  await expect(manager.getByText('Expected price', { exact: true })).toHaveCount(0)
})

test('Change 21: a role gets the page in a version of its own', async ({ office: { admin, sales, also }, picture }) => {
  await admin.open('page:crm/visiting-records', { role: 'salesManager' })
  await admin.choose('Columns', 'Participants')
  await admin.set('Hidden at first', 'No')
  await picture(admin)
  await admin.release()
  const shown = (page: typeof sales) => page.locator('main:visible').getByRole('columnheader', { name: 'Participants' })
  const manager = await also(MANAGER)
  await openList(manager, '/crm/visiting-records?view=all')
  await expect(shown(manager)).toBeAttached()
  await openList(sales, '/crm/visiting-records?view=all')
  await expect(shown(sales)).toHaveCount(0)
})

test('Change 22: a draft is looked at as somebody else, in Chinese, on a phone, in the dark', async ({
  office: { admin, sales },
  picture,
}) => {
  await admin.open('page:crm/opportunities')
  await admin.choose('Columns', 'Code')
  await admin.set('Title', { zh: '商机号', en: 'Deal no.' })
  const { preview, page } = admin
  await expect(preview.getByRole('columnheader', { name: 'Deal no.' })).toBeAttached()
  const as = async (role: string): Promise<void> => {
    await preview.getByRole('combobox', { name: 'View as' }).fill(role)
    await page.keyboard.press('Enter')
  }
  await as('Menus only')
  await expect(preview.getByText('New opportunity', { exact: true })).toHaveCount(0)
  await as('Sales')
  await expect(preview.getByText('New opportunity', { exact: true }).first()).toBeVisible()
  await expect(preview.getByText(/rows and figures are your own/)).toBeVisible()
  await preview.getByText('中文', { exact: true }).click()
  await expect(preview.getByRole('columnheader', { name: '商机号' })).toBeAttached()
  await preview.getByRole('switch', { name: 'Dark' }).click()
  await preview.getByText('Phone', { exact: true }).click()
  await expect(preview.frameLocator('iframe').getByText('新建商机', { exact: true }).first()).toBeVisible()
  await picture(admin)
  await openList(sales, OPPORTUNITIES)
  await expect(sales.getByRole('columnheader', { name: 'Deal no.' })).toHaveCount(0)
  await admin.discard()
  await expect(page.getByText('No changes')).toBeVisible()
})

/** The dialog in which a page is made from a template. */
function newPage({ page }: DesignerPage) {
  const dialog = page.getByRole('dialog', { name: 'New page' })
  const pick = async (label: string, option: string): Promise<void> => {
    const select = dialog.getByRole('combobox', { name: label })
    await select.fill(option)
    await select.press('Enter')
  }
  const begin = async (kind: 'List' | 'Detail' | 'Form', name: string, zh: string, en: string): Promise<void> => {
    await page.goto('/setModule/pages')
    await page.getByRole('button', { name: 'New page' }).click()
    await dialog.getByText(kind, { exact: true }).click()
    await pick('Entity', 'Visit · crm.visit')
    await dialog.getByRole('textbox', { name: 'Name (small' }).fill(name)
    await dialog.getByRole('textbox', { name: 'Name (Chinese)' }).fill(zh)
    await dialog.getByRole('textbox', { name: 'Name (English)' }).fill(en)
    await expect(dialog.getByRole('textbox', { name: 'Route' })).toHaveValue(`/crm/${name}`)
  }
  const make = async (name: string): Promise<void> => {
    await dialog.getByRole('button', { name: 'Make a draft' }).click()
    await expect(page).toHaveURL(new RegExp(`target=page%3Acrm%2F${name}`))
  }
  return { dialog, pick, begin, make }
}

test('Change 23: a new page stands in the menu, under a key of its own', async ({ office: { admin, sales, also }, picture }) => {
  const { page } = admin
  const { dialog, pick, begin, make } = newPage(admin)
  await begin('List', 'visit-plan', '拜访计划表', 'Visit plan')
  await expect(dialog.getByRole('textbox', { name: 'Permission key' })).toHaveValue('crm:visit-plan')
  await pick('Menu group', 'Sales process')
  const roles = dialog.getByRole('combobox', { name: 'Roles that get it' })
  await roles.click()
  await page.locator('.ant-select-item-option:visible').getByText('Sales', { exact: true }).click()
  await roles.press('Escape')
  await expect(dialog.locator('.ant-select-selection-item').getByText('Sales', { exact: true })).toBeVisible()
  await picture(page)
  await make('visit-plan')
  await admin.release({ risky: true })
  await sales.goto('/home')
  await sales.goto('/crm/visit-plan')
  await expect(sales.getByRole('menuitem', { name: 'Visit plan' })).toBeVisible()
  await openList(sales, '/crm/visit-plan')
  await expect(sales.getByRole('heading', { level: 1, name: /^Visit plan/ })).toBeVisible()
  const bare = await also(PEOPLE.menusOnly)
  await bare.goto('/crm/visit-plan')
  await expect(bare.getByRole('heading', { name: /^Visit plan/ })).toHaveCount(0)
})

test('a detail page and a form are made from a template, outside of the menu', async ({ office: { admin, sales } }) => {
  const { begin, make } = newPage(admin)
  await begin('Form', 'visit-quick', '快速登记', 'Quick visit')
  await make('visit-quick')
  await admin.release()
  await sales.goto('/crm/visit-quick')
  await type(sales, 'Purpose', 'Prices of the winter')
  await begin('Detail', 'visit-sheet', '拜访单', 'Visit sheet')
  await make('visit-sheet')
  await expect(admin.preview.getByText('Participants', { exact: true }).first()).toBeVisible()
  await admin.discard()
})

test('Change 24: a page is changed as text, and an error leads to its place', async ({ office: { admin, sales }, picture }) => {
  const { page } = admin
  const text = page.getByRole('textbox', { name: 'JSON' })
  const replace = async (found: string, by: string): Promise<void> => {
    await text.press('Control+f')
    const panel = page.locator('.cm-search')
    await panel.locator('input[name=search]').fill(found)
    await panel.locator('input[name=replace]').fill(by)
    await panel.locator('button[name=replaceAll]').click()
    await panel.locator('input[name=search]').press('Escape')
  }
  await admin.open('page:crm/leads', { tab: 'json' })
  await text.click()
  await replace('"width": 112', '"width": "wide"')
  const problems = page.getByRole('region', { name: '1 problem found' })
  await expect(problems).toBeVisible()
  await text.press('Control+Home')
  await expect(page.locator('.cm-lintRange-error')).toHaveCount(0)
  await problems.getByRole('button', { name: 'Go there' }).click()
  await expect(page.locator('.cm-lintRange-error').first()).toBeInViewport()
  await picture(admin)
  await replace('"wide"', '300')
  await expect(problems).toHaveCount(0)
  await admin.release({ says: 'Column "Code"' })
  await openList(sales, '/crm/leads?view=all')
  await expect(sales.locator('col[data-column=code]').first()).toHaveCSS('width', '300px')
})

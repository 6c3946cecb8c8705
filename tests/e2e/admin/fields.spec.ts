import type { Locator, Page } from '@playwright/test'
import { call, expect } from '../support/adminTest'
import { test } from '../support/everydayChange'
import { box, choose, filledTemplate, MY_CUSTOMERS, openList, rowOf, rows, type } from '../support/portalPage'

const DICTIONARIES = '/setModule/crm/dictionary'
const line = (page: Page, code: string): Locator => page.locator(`.sb-dict-line[data-code="${code}"]:visible`)
const dialog = (page: Page): Locator => page.getByRole('dialog').last()
const codesOf = (page: Page): Promise<(string | null)[]> =>
  page.locator('.sb-dict-line[data-code]:visible').evaluateAll((lines) => lines.map((one) => one.getAttribute('data-code')))
const header = (page: Page, name: string) => page.locator('main:visible').getByRole('columnheader', { name, exact: true })

const openDictionary = async (page: Page, name: string): Promise<void> => {
  await page.goto(DICTIONARIES)
  await page.locator('.sb-choice').filter({ hasText: name }).click()
  await expect(page.locator('.sb-dict-line[data-code]:visible').first()).toBeVisible()
}
const act = async (page: Page, code: string, action: string): Promise<void> => {
  await line(page, code)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('Change 15: an entity gets a field, with a default, in list, form and import', async ({
  office: { admin, sales },
  picture,
}) => {
  await admin.open('entity:crm.customer')
  // data are one for everybody
  await expect(admin.page.getByRole('combobox', { name: 'Holds for' })).toHaveCount(0)
  await admin.choose('Fields')
  await admin.addNamed('churnRisk', 'One of a dictionary')
  await admin.set('In lists', 'Yes')
  await admin.set('As a filter', 'Yes')
  await admin.set('Dictionary', 'Risk level')
  await admin.set('Label', { zh: '流失风险', en: 'Churn risk' })
  await admin.set('Records that are there get', 'Low')
  await admin.set('Default', 'Medium')
  await picture(admin)
  await admin.release({ says: 'Field "Churn risk": added' })

  await openList(sales, MY_CUSTOMERS)
  await expect(header(sales, 'Churn risk')).toBeAttached()
  await expect(rows(sales).first()).toContainText('Low')
  await sales.getByRole('button', { name: 'Import' }).first().click()
  const wizard = sales.getByRole('dialog')
  const download = sales.waitForEvent('download')
  await wizard.getByRole('button', { name: 'Download template' }).click()
  const values: Readonly<Record<string, string>> = {
    'Company name': 'Amber Heron Messaging',
    'Party type': 'Customer',
    'Trade type': 'Direct',
    Platform: 'Main',
    'Customer type': 'Enterprise',
    Country: 'CN',
    Source: 'Website',
    Level: 'D',
    'Churn risk': 'High',
  }
  await wizard.locator('input[type=file]').setInputFiles({
    name: 'plans.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await filledTemplate(await download, [values]),
  })
  await wizard.getByRole('button', { name: /^Import 1 row/ }).click()
  await expect(wizard.getByText(/1 row imported/)).toBeVisible()
  await sales.keyboard.press('Escape')
  await openList(sales, `${MY_CUSTOMERS}?sort=churnRisk.asc`)
  await expect(header(sales, 'Churn risk')).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(sales).first()).toContainText('High')
  await sales.getByRole('button', { name: /^More filters/ }).click()
  await sales.getByRole('search').getByRole('button', { name: 'Churn risk' }).click()
  const filter = sales.getByRole('dialog', { name: 'Filter by Churn risk' })
  await filter.getByLabel('High').check()
  await filter.getByRole('button', { name: 'Apply' }).click()
  await expect(rows(sales)).toHaveCount(1)
  await expect(rowOf(sales, 'Amber Heron Messaging')).toContainText('High')
  await sales.goto(`${MY_CUSTOMERS}/edit`)
  await expect(box(sales, 'Churn risk')).toContainText('Medium')
})

test('Change 16: a field gets another name and a stricter rule', async ({ office: { admin, sales, also }, picture }) => {
  await admin.open('entity:crm.visit')
  await admin.choose('Fields', 'Place')
  await admin.set('Label', { zh: '会面地点', en: 'Meeting point' })
  await admin.set('Longest', '30')
  await picture(admin)
  await admin.release({ says: 'Field "Meeting point": renamed' })
  await openList(sales, '/crm/visiting-records?view=all')
  await expect(header(sales, 'Meeting point')).toBeAttached()
  await sales.getByRole('button', { name: 'Plan a visit' }).first().click()
  await type(sales, 'Meeting point', 'x'.repeat(31))
  await sales.keyboard.press('Control+Enter')
  await expect(box(sales, 'Meeting point').locator('.sb-form-error')).toContainText('30')
  const colleague = await also('S0014', 'zh-CN')
  await openList(colleague, '/crm/visiting-records?view=all')
  await expect(header(colleague, '会面地点')).toBeAttached()
})

test('Change 17: a field is retired, and comes back with what it held', async ({ office: { admin, sales }, picture }) => {
  /** What the leads need, as the list shows it; nothing when it has no such column. */
  const needs = async (): Promise<string[]> => {
    await openList(sales, '/crm/leads?view=all')
    const heads = await sales.locator('thead:visible').first().locator('th').allInnerTexts()
    const index = heads.findIndex((head) => head.trim() === 'Need')
    return index < 0
      ? []
      : rows(sales)
          .locator(`td:nth-child(${index + 1})`)
          .allInnerTexts()
  }
  const before = await needs()
  expect(before.join('')).not.toBe('')
  await admin.open('entity:csc.clue')
  await admin.choose('Fields', 'Need')
  await admin.set('Retired', 'Yes')
  await picture(admin)
  await admin.release({ says: 'Field "Need": retired', risky: true })
  expect(await needs()).toEqual([])
  await admin.choose('Fields', 'Need')
  await admin.set('Retired', 'No')
  await admin.release({ says: 'Field "Need": shown again' })
  expect(await needs()).toEqual(before)
})

test('Change 18: a dictionary gets a value, with a colour and in its place', async ({ office: { admin, sales }, picture }) => {
  const { page } = admin
  await openDictionary(page, 'customerSource')
  await page.getByRole('button', { name: 'Add a value' }).click()
  await dialog(page).getByLabel('Chinese name').fill('播客')
  await dialog(page).getByLabel('English name').fill('Podcast')
  await dialog(page).getByLabel('Code').fill('podcast')
  await choose(dialog(page), 'Colour of the tag', 'Gold')
  await picture(admin)
  await dialog(page).locator('[data-submit]').click()
  await expect(line(page, 'podcast')).toContainText('Added')
  const before = await codesOf(page)
  await act(page, 'podcast', 'Move up')
  await expect.poll(() => codesOf(page)).toEqual([...before.slice(0, -2), 'podcast', before.at(-2)])
  await sales.goto(`${MY_CUSTOMERS}/edit`)
  await choose(sales, 'Source', 'Podcast')
  await expect(box(sales, 'Source')).toContainText('Podcast')
  const customer = { name: 'Larkspur Voice', countryCode: 'CN', customerType: 'enterprise', source: 'podcast' }
  expect(await call(sales, '/v2/crm/customer/save', customer)).toMatchObject({ code: 0 })
  await openList(sales, `${MY_CUSTOMERS}?f.source=in:podcast`)
  await rowOf(sales, 'Larkspur Voice').getByRole('link').first().click()
  const tag = sales.locator('main:visible .sb-tag', { hasText: 'Podcast' })
  await expect(tag).toHaveClass(/sb-tag-gold/)
  await expect(tag).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})

test('Change 19: a value in use is renamed and retired, and cannot vanish', async ({ office: { admin, sales }, picture }) => {
  const { page } = admin
  await openDictionary(page, 'industry')
  await expect(line(page, 'ecommerce')).toContainText(/\d+ records/)
  await line(page, 'ecommerce').getByRole('button', { name: 'Edit' }).click()
  await dialog(page).getByLabel('English name').fill('Online shops')
  await dialog(page).locator('[data-submit]').click()
  await expect(line(page, 'ecommerce')).toContainText('Online shops')
  await line(page, 'ecommerce')
    .getByRole('button', { name: /^More for/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Remove', exact: true })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Retire', exact: true }).click()
  await picture(admin)
  await dialog(page).getByRole('button', { name: 'Retire' }).click()
  await expect(line(page, 'ecommerce')).toContainText('Retired')
  await openList(sales, `${MY_CUSTOMERS}?f.industry=in:ecommerce`)
  await expect(sales.getByRole('search').getByRole('button', { name: /Industry.*Online shops/ })).toBeVisible()
  await sales.goto(`${MY_CUSTOMERS}/edit`)
  await box(sales, 'Industry').locator('.sb-form-box').click()
  await expect(sales.getByRole('option', { name: 'Fintech' })).toBeAttached()
  await expect(sales.getByRole('option', { name: 'Online shops' })).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { call, expect, test } from '../support/adminTest'
import { seriousFaults } from '../support/axe'

const DESIGN = '/setModule/process/configer/design'

const option = (page: Page, name: string) => page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true })
const step = (page: Page, name: string) =>
  page.getByRole('application', { name: 'Flow' }).getByRole('group', { name, exact: true })
const after = async (page: Page, name: string, kind: string): Promise<void> => {
  const item = page.getByRole('menuitem', { name: kind, exact: true })
  // the canvas may still move to the step that was added before
  await expect(async () => {
    await page.getByRole('button', { name: `Add a step after "${name}"` }).click()
    await expect(item).toBeVisible({ timeout: 2000 })
  }).toPass()
  await item.click()
}
const field = async (page: Page, key: string, kind: string, zh: string, en: string): Promise<void> => {
  await page.getByRole('group', { name: 'Add a field' }).locator('.ant-select').click()
  await option(page, kind).click()
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByLabel('Chinese name').fill(zh)
  await page.getByLabel('English name').fill(en)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

test('An admin draws a process with a form of its own: branch by amount, all of finance, a copy; staff apply by it', async ({
  office: { admin, sales },
}) => {
  const { page } = admin
  await page.goto('/setModule/process/configer')
  await expect(page.getByRole('link', { name: 'New process' })).toHaveAttribute('href', new RegExp(`${DESIGN}$`))
  await page.goto(DESIGN)

  // what it is called
  await page.getByLabel('Name (Chinese)').fill('办公采购')
  await page.getByLabel('Name (English)').fill('Office purchase')
  await page.getByLabel('Code', { exact: true }).fill('officePurchase')
  await page.getByLabel('Number prefix').fill('OP')

  // what is asked
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await field(page, 'item', 'Single line', '物品', 'Item')
  await page.getByRole('switch', { name: 'Required' }).click()
  await field(page, 'cost', 'Money', '费用', 'Cost')
  // the preview is the form that people get
  await expect(page.getByRole('region', { name: 'Preview' }).getByText('Cost', { exact: true })).toBeVisible()

  // which way it goes
  await page.getByRole('tab', { name: 'Flow' }).click()
  await after(page, 'Direct leader', 'Condition')
  await step(page, 'Condition 1').click()
  await expect(page.getByRole('alert').filter({ hasText: 'needs a condition' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByRole('combobox', { name: 'Field', exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByText(/^Cost/).click()
  await page.getByRole('spinbutton', { name: 'Value' }).fill('5000')
  await expect(step(page, 'Condition 1')).toContainText('Cost > 5000')

  await after(page, 'Condition 1', 'Approval')
  await page.getByLabel('Name (English)').fill('Finance')
  await page.getByLabel('Name (Chinese)').fill('财务')
  await expect(step(page, 'Finance')).toBeVisible()
  const rule = page.getByRole('group', { name: 'Add people' })
  await rule.locator('.ant-select').first().click()
  await option(page, 'Named staff').click()
  for (const name of ['张子涵', '李婷']) {
    await rule.getByRole('combobox', { name: 'Staff', exact: true }).click()
    await page.keyboard.type(name)
    await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option')).toHaveCount(1)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  await expect(rule.getByRole('status')).toContainText('2 people now')
  await page.getByLabel('With several people').click()
  await option(page, 'All').click()
  await after(page, 'Finance', 'Copy')
  await expect(page.getByText('No problems')).toBeVisible()

  // by keyboard: copied, undone
  const canvas = page.getByRole('application', { name: 'Flow' })
  await expect(async () => {
    await step(page, 'Finance').click()
    await expect(step(page, 'Finance')).toHaveAttribute('aria-current', 'true', { timeout: 1000 })
  }).toPass()
  await canvas.press('Control+d')
  await expect(step(page, 'Finance')).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expect(step(page, 'Finance')).toHaveCount(1)
  expect(await seriousFaults(page)).toEqual([])

  // what was not published is still there after a reload
  await page.reload()
  await expect(page.getByText('Unpublished changes of last time are back')).toBeVisible()
  await page.getByRole('tab', { name: 'Flow' }).click()
  await expect(step(page, 'Finance')).toBeVisible()

  // tried before it is published
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page
    .getByRole('region', { name: 'Dry run' })
    .locator('input[role=spinbutton], .sb-design-value input')
    .first()
    .fill('8000')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('status', { name: 'Steps on the way' })).toContainText('Finance')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('What was changed').fill('For orders of office supplies')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByRole('article', { name: 'Version 1' })).toContainText('For orders of office supplies')

  // staff may start it now
  const offered = await call<{ value: string; label: { en: string } }[]>(sales, '/v2/workflow/select/process')
  expect(offered.data.map(({ label }) => label.en)).toContain('Office purchase')
})

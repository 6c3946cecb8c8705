import type { Page } from '@playwright/test'
import { expect, seriousFaults, test } from './support/harnessTest'

/** A detail on the real runtime; the records live in memory. */
let address: string

test.beforeAll(async ({ harness }) => {
  address = await harness('harness')
})

const open = async (page: Page, path = '/customers/details?id=1'): Promise<void> => {
  await page.goto(address + path)
  await expect(page.getByRole('heading').first()).toBeVisible()
}
const events = (page: Page): Promise<string[]> => page.evaluate(() => window.harness.events)

test.describe('a detail', () => {
  test('shows header, sections, related list and history with the values before and after', async ({ page }) => {
    await open(page, '/customers/details?id=3')
    await expect(page.getByText('Under watch.')).toBeVisible()
    await page.getByRole('button', { name: 'Copy CU00003' }).click()
    expect(await events(page)).toContain('copy CU00003')
    await expect(page.getByRole('tab', { name: /Same city\s*11/ })).toBeVisible()
    await expect(page.getByText('Level: Regular')).toContainText('Key account')
    await expect(page.getByText('Reason: Asked by phone')).toBeVisible()
  })

  test('tells what is related, opens its list from there, and folds fields without a value until they are asked for', async ({
    page,
  }) => {
    await open(page)
    const related = page.getByRole('region', { name: 'Related' })
    await expect(related).toContainText(/Same city\s*1?\d\s*[\d,]+\.\d\d USD/)
    const asked = await page.evaluate(() => window.harness.requests().filter(({ path }) => path === '/v2/sys/related').length)
    expect(asked).toBe(1)
    await page.getByRole('tab', { name: 'Widget' }).click()
    await related.getByRole('button', { name: 'Same city' }).click()
    await expect(page.getByRole('tab', { name: /Same city/ })).toBeFocused()
    await expect(page).toHaveURL(/tab=same/)

    await page.goto(`${address}/customers`)
    await page.getByRole('link', { name: 'Customer 2', exact: true }).click()
    const unfold = page.getByRole('button', { name: '4 more fields without a value' })
    await expect(unfold).toBeVisible()
    const fax = page.getByText('Fax', { exact: true })
    await expect(fax).toHaveCount(0)
    await unfold.click()
    await expect(fax).toBeVisible()
    await page.keyboard.press('[')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 1')
    await expect(fax).toBeVisible()
    await page.getByRole('button', { name: 'Fold fields without a value' }).click()
    await expect(fax).toHaveCount(0)
    await page.emulateMedia({ media: 'print' })
    await expect(fax).toHaveCount(1)
  })

  test('steps to the neighbours in the list by button and key', async ({ page }) => {
    await page.goto(`${address}/customers`)
    await page.getByRole('link', { name: 'Customer 2', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 2')
    await page.getByRole('button', { name: 'Previous ([)' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 1')
    await expect(page.getByRole('button', { name: 'Previous ([)' })).toBeDisabled()
    await page.keyboard.press(']')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 2')
    await expect(page).toHaveURL(/id=2/)
  })

  test('keeps the open tab in the address and a failing widget in its place', async ({ page }) => {
    await open(page)
    await page.getByRole('tab', { name: 'Widget' }).click()
    await expect(page).toHaveURL(/tab=broken/)
    await expect(page.getByRole('alert')).toContainText('schemas/test/pages/customers/details.json /tabs/1')
    await page.getByRole('button', { name: 'Copy details' }).click()
    expect((await events(page)).find((event) => event.startsWith('copy'))).toContain('The widget fell over.')
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'Preview contract.pdf' }).click()
    expect(await events(page)).toContain('previewFile contract.pdf')
    await page.reload()
    await expect(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true')
  })

  test('edits one field where it stands', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'Edit City' }).click()
    await page.getByRole('textbox', { name: 'City' }).fill('Hangzhou')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Hangzhou').first()).toBeVisible()
    const save = await page.evaluate(() => window.harness.requests().find(({ path }) => path.endsWith('/save')))
    expect(save?.body).toEqual({ id: '1', version: 1, city: 'Hangzhou' })
  })

  test('goes back after the record was deleted', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(async () => (await events(page)).includes('closePage')).toBe(true)
  })

  test('of a record that is not there, or that the address does not name, says so', async ({ page }) => {
    await open(page, '/customers/details?id=999')
    await expect(page.getByRole('heading', { name: 'This customer was not found' })).toBeVisible()
    await open(page, '/customers/details')
    await expect(page.getByText('The address names no record.')).toBeVisible()
    await page.getByRole('button', { name: /^(Back to the list|Close the page)$/ }).click()
    expect(await events(page)).toContain('closePage')
  })

  test('has no serious fault for assistive technology', async ({ page }) => {
    await open(page, '/customers/details?id=3')
    await expect(page.getByText('Asked by phone')).toBeVisible()
    expect(await seriousFaults(page, '#root')).toEqual([])
  })

  test('stands in one column on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 })
    await open(page, '/customers/details?id=3')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    const related = page.getByRole('region', { name: 'Related' })
    await related.getByRole('button', { name: /^Related/, expanded: false }).click()
    await expect(related.getByRole('button', { name: 'Same city' })).toBeVisible()
    // the related lists stand below everything else: a link leads there
    await page.getByRole('button', { name: /^(跳到|Go to )/ }).click()
    await expect(page.getByRole('tab', { selected: true })).toBeFocused()
    await expect(page.getByRole('tab', { selected: true })).toBeInViewport()
  })
})

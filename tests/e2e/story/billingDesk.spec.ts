import type { Page } from '@playwright/test'
import { listReady, rows, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const dialog = (page: Page) => page.getByRole('dialog').last()

test('finance saves the PDF of a bill that is open and records its payment in three clicks: it is settled', async ({ as }) => {
  const page = await as(PEOPLE.finance, { fresh: true, at: '/financial/account/consumer/bill?status=issued' })
  await listReady(page)
  const link = rows(page).first().getByRole('link', { name: /^ZD/ })
  const code = await link.innerText()
  await link.click()
  await page.getByRole('button', { name: '更多', exact: true }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click()
  expect((await saved).suggestedFilename()).toBe(`${code}.pdf`)

  await page.getByRole('button', { name: '登记收款' }).click()
  await type(dialog(page), '银行流水号', `DESK-${code}`)
  await dialog(page).getByRole('button', { name: '登记收款' }).click()
  await expect(page.locator('.sb-state-bar [aria-current], .sb-detail-head').filter({ visible: true }).first()).toContainText(
    '已结清',
  )
})

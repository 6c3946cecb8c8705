import type { Page } from '@playwright/test'
import { listReady, rows, type } from '../support/portalPage'
import { expect, PEOPLE, test } from '../support/realTest'

const dialog = (page: Page) => page.getByRole('dialog').last()

test('finance saves the PDF of the oldest overdue bill and records its payment in three clicks: nobody has to chase it any more', async ({
  as,
}) => {
  const page = await as(PEOPLE.finance, { fresh: true, at: '/financial/receivables/chase' })
  await listReady(page)
  const link = rows(page).first().getByRole('link', { name: /^ZD/ })
  const code = await link.innerText()
  await link.click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF', exact: true }).click()
  expect((await saved).suggestedFilename()).toBe(`${code}.pdf`)

  await page.getByRole('button', { name: '登记收款' }).click()
  await type(dialog(page), '银行流水号', `DESK-${code}`)
  await dialog(page).getByRole('button', { name: '登记收款' }).click()
  await expect(page.locator('.sb-detail-main:visible')).toContainText('已结清')
  await page.goto('/financial/receivables/chase')
  await listReady(page)
  await expect(rows(page).filter({ hasText: code })).toHaveCount(0)
})

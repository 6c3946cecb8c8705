import type { Locator } from '@playwright/test'
import { openList, totalOf } from '../support/portalPage'
import { expect, test } from '../support/realTest'

/** Counts of a report and where they lead; amounts are no counts of rows. */
const ledBy = async (links: Locator): Promise<{ value: number; address: string }[]> =>
  (await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))).flatMap(([text, href]) =>
    /^[\d,]+$/.test(text ?? '') ? [{ value: Number(text?.replaceAll(',', '')), address: href ?? '' }] : [],
  )

test('the figures of funnel and account track are the rows behind them, as a manager sees them', async ({ as }) => {
  test.setTimeout(120_000)
  const page = await as('S0005', { at: '/crm/data-analysis/sales-funnels' })
  const totals = page.locator('.sb-figures:visible dd a')
  await expect(totals.first()).toBeVisible()
  const stage = page.locator('.sb-report:visible tbody tr').filter({ hasText: '发现需求' }).first().locator('a')
  const funnel = [...(await ledBy(totals)), ...(await ledBy(stage)).slice(0, 4)]
  expect(funnel.length).toBeGreaterThan(6)
  await page.goto('/crm/market-analysis/account-track')
  await expect(totals.first()).toBeVisible()
  const states = page.getByRole('region', { name: '状态分布' }).locator('tbody a')
  const track = [...(await ledBy(totals)).slice(0, 2), ...(await ledBy(states))]
  expect(track.length).toBeGreaterThan(4)
  for (const { value, address } of [...funnel, ...track]) {
    await openList(page, address)
    expect(await totalOf(page), address).toBe(value)
  }
})

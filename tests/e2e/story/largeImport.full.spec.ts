import { expect, type Page } from '@playwright/test'
import { customerFile } from '../../support/customerFile'
import { firstSheet, listReady, MY_CUSTOMERS, totalOf } from '../support/portalPage'
import { PEOPLE, test } from '../support/realTest'

const ROWS = 504
const NAMELESS = [7, 100, 300, 503]

/** The entry of the import in the download centre, which is opened for it. */
async function taskIn(page: Page) {
  await page.getByRole('button', { name: /^下载中心/ }).click()
  return page.getByRole('dialog', { name: '下载中心' }).getByRole('article', { name: /^客户导入 新客户/ })
}

test('a large import is closed, found in the download centre, gone on with, and opened again after a reload', async ({ as }) => {
  test.setTimeout(240_000)
  const page = await as(PEOPLE.salesManager, { at: MY_CUSTOMERS })
  await listReady(page)
  const before = await totalOf(page)
  await page
    .getByRole('button', { name: /导\s*入/ })
    .first()
    .click()
  const wizard = page.getByRole('dialog', { name: '导入客户' })
  const file = customerFile(ROWS, { from: 900_000, change: Object.fromEntries(NAMELESS.map((row) => [row, { name: '' }])) })
  await wizard.locator('input[type=file]').setInputFiles({ name: '新客户.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await wizard.getByText('可以关闭此窗口').waitFor()
  await wizard
    .getByRole('button', { name: /^关\s*闭$/ })
    .last()
    .click()
  await expect(wizard).toBeHidden()

  const waiting = await taskIn(page)
  await expect(waiting).toContainText('待确认', { timeout: 30_000 })
  await expect(waiting).toContainText('500 行可以导入')
  await expect(waiting).toContainText('4 行不能导入')
  await waiting
    .getByRole('link', { name: '继续导入' })
    .or(waiting.getByRole('button', { name: '继续导入' }))
    .click()
  await expect(wizard.getByText('共 504 行，500 行可以导入，4 行有错误。')).toBeVisible()
  await wizard.getByRole('button', { name: '跳过错误行，导入 500 行' }).click()
  await wizard
    .getByText(/^(正在导入|已导入 \d+ 行。)$/)
    .first()
    .waitFor()

  // the address knows the import: whoever reloads in the middle of it sees how far it is, and how it ended
  await expect(page).toHaveURL(/[?&]import=/)
  await page.reload()
  const told = wizard.getByText(/^已导入 \d+ 行。$/)
  await expect(told).toBeVisible({ timeout: 30_000 })
  const created = Number(/\d+/.exec(await told.innerText())?.[0])
  expect(created).toBeGreaterThan(0)
  const saved = page.waitForEvent('download')
  await wizard.getByRole('button', { name: `下载未导入的 ${ROWS - created} 行` }).click()
  const [, ...refused] = await firstSheet(await saved)
  expect(refused).toHaveLength(ROWS - created)
  expect(refused.filter((line) => line.join(' ').includes('请填写“客户名称”'))).toHaveLength(NAMELESS.length)
  await wizard
    .getByRole('button', { name: /^关\s*闭$/ })
    .last()
    .click()
  await expect(page).not.toHaveURL(/[?&]import=/)
  await expect.poll(() => totalOf(page)).toBe(before + created)

  const done = await taskIn(page)
  await expect(done).toContainText('已完成')
  await expect(done).toContainText(`已导入 ${created} 行`)
  const again = page.waitForEvent('download')
  await done.getByRole('button', { name: '下载未导入的行' }).click()
  expect((await again).suggestedFilename()).toMatch(/^客户导入 新客户.*\.xlsx$/)
})

import type { Page } from '@playwright/test'
import { call } from '../support/adminTest'
import { expect, test } from '../support/realTest'
import { told } from '../support/weekGestures'

const LEAD = 'S0045'
const OPERATION = '/srm/equipment-purchase/warehouse/stock-in/operation'

async function saved(page: Page, entity: string, values: object): Promise<string> {
  const answer = await call<{ id: string }>(page, `/v2/srm/${entity}/save`, values)
  expect(answer.code).toBe(0)
  return answer.data.id
}
const said = (page: Page) => page.locator('.sb-scan-said')
/** Which column of the lines has this heading; the first one numbers them. */
async function columnOf(page: Page, heading: string): Promise<number> {
  await expect(page.getByRole('columnheader', { name: heading })).toBeVisible()
  return (await page.getByRole('columnheader').allInnerTexts()).findIndex((text) => text.trim() === heading) - 1
}
/** Opens the dialog of the first line; a scanner types as soon as its field has the focus. */
async function begin(page: Page): Promise<void> {
  await page
    .getByRole('row', { name: /扫描网关/ })
    .locator(`td[data-column="${await columnOf(page, '序列号 / MAC')}"]`)
    .click()
  await expect(said(page)).toContainText('请扫描')
  await expect(page.getByRole('textbox', { name: '序列号或MAC，回车确认' })).toBeFocused()
}
const scan = async (page: Page, text: string, answer: RegExp): Promise<void> => {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await expect(said(page)).toContainText(answer)
}
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((given) => {
    const data = new DataTransfer()
    data.setData('text', given)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)

test('pieces are scanned on a hand-held: duplicates and wrong ones are told, the last is undone, a list is pasted, and the stock is right', async ({
  as,
}) => {
  const page = await as(LEAD, { viewport: { width: 375, height: 720 } })
  const warehouseId = await saved(page, 'warehouse', { code: 'SCAN', name: '扫描仓', kind: 'main', countryCode: 'CN' })
  const model = { model: 'SCAN-8', unit: 'pcs', salePrice: '900.00', serialised: true, hasMac: true }
  const productId = await saved(page, 'product', { name: '扫描网关', nameEn: 'Scanned gateway', category: 'goip', ...model })
  const lines = [{ productId, qty: '4', unitCost: '500' }]
  const id = await saved(page, 'stockIn', { kind: 'opening', warehouseId, lines })

  await page.goto(`${OPERATION}?id=${id}`)
  await begin(page)
  await scan(page, 'KL0001 02-5c-a1-00-00-01', /已扫描 KL0001 02:5C:A1:00:00:01/)
  await scan(page, 'KL0001 02-5c-a1-00-00-01', /重复/)
  await scan(page, 'KL0002 01-00-5e-00-00-01', /MAC地址不正确/)
  // two labels, one after the other: the serial number, then the MAC
  await scan(page, 'KL0002', /序列号 KL0002 已扫描，请再扫描它的 MAC/)
  await scan(page, 'KL0003', /KL0003：缺少MAC地址/)
  await scan(page, 'KL0009', /请再扫描它的 MAC/)
  await scan(page, '02-5c-a1-00-00-09', /已扫描 KL0009 02:5C:A1:00:00:09/)
  await page.getByRole('button', { name: '撤销上一件' }).click()
  await expect(said(page)).toContainText('已撤销 KL0009')
  await page.getByRole('textbox', { name: '序列号或MAC，回车确认' }).focus()
  await paste(page, 'KL0002 025CA1000002\nKL0001 025CA1000001\nKL0003,02:5c:a1:00:00:03\nKL0004\t02:5c:a1:00:00:04')
  await expect(said(page)).toContainText('已加入 3 件，1 件有误')
  await expect(page.locator('.sb-scan-count')).toHaveText('4 / 4 件')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBe(0)
  await page.getByRole('button', { name: /^完\s*成$/ }).click()
  await page.locator('button[data-submit]:visible').last().click()
  await told(page, '已保存为草稿')

  const posted = await call(page, '/v2/srm/stockIn/stateUpdate', { ids: [id], transition: 'post', values: {} })
  expect(posted.code).toBe(0)
  const rowsOf = async (entity: string): Promise<Record<string, unknown>[]> => {
    const where = [{ field: 'productId', operator: 'eq', value: productId }]
    const answer = await call<{ records: Record<string, unknown>[] }>(page, `/v2/srm/${entity}/queryPage`, { pageNo: 1, where })
    return answer.data.records
  }
  expect(await rowsOf('stock')).toMatchObject([{ qty: '4', value: '2000' }])
  const units = await rowsOf('deviceUnit')
  expect(units.map(({ serialNo }) => serialNo).sort()).toEqual(['KL0001', 'KL0002', 'KL0003', 'KL0004'])

  await test.step('what is there already is told, with its warehouse', async () => {
    const next = await saved(page, 'stockIn', { kind: 'opening', warehouseId, lines })
    await page.goto(`${OPERATION}?id=${next}`)
    await begin(page)
    await scan(page, 'KL0003 02-5c-a1-00-00-03', /已在库（扫描仓）/)
    await expect(page.locator('.sb-scan-count')).toHaveText('0 / 4 件')
  })
})

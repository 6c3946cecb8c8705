import type { Locator, Page } from '@playwright/test'
import { expect, seriousFaults, test } from './support/harnessTest'

/** Lines in a form whose page says nothing but `{ "$field": "test.order.lines" }`. */
let address: string
test.beforeAll(async ({ harness }) => {
  address = await harness('formHarness')
})

const open = async (page: Page, record?: Record<string, unknown>): Promise<void> => {
  if (record)
    await page.addInitScript((given) => {
      // the harness makes its state when it starts: the record is put there before the form asks for it
      const timer = setInterval(() => {
        if (!window.form) return
        window.form.record = given
        clearInterval(timer)
      }, 1)
    }, record)
  await page.goto(`${address}/?form=lines${record ? '&id=7' : ''}`)
  await expect(page.locator('form.sb-form')).toBeVisible()
}
const cell = (page: Page, row: number, column: number): Locator =>
  page.locator(`[data-address$="lines"] td[data-row="${row}"][data-column="${column}"]`)
const type = async (page: Page, row: number, column: number, text: string): Promise<void> => {
  await cell(page, row, column).click()
  await page.keyboard.type(text)
}
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((given) => {
    const data = new DataTransfer()
    data.setData('text/plain', given)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
const body = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => window.form.requests.filter(({ path }) => path.endsWith('/save')).at(-1)?.body as Record<string, unknown>)
const reply = (page: Page, ...replies: unknown[]): Promise<void> =>
  page.evaluate((given) => {
    window.form.replies = given as typeof window.form.replies
  }, replies)
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click()
/** Columns of the line entity: name, product, quantity, price. */
const [NAME, , QUANTITY, PRICE] = [0, 1, 2, 3]

test('lines are added, typed, pasted, summed and sent as one list', async ({ page }) => {
  await open(page)
  await page.getByLabel('Number').fill('O1')
  await page.getByRole('region', { name: 'Lines' }).getByRole('button', { name: 'Add a row' }).click()
  await type(page, 0, NAME, 'Screw')
  await type(page, 0, QUANTITY, '2')
  await page.keyboard.press('Alt+Enter')
  await expect(cell(page, 1, QUANTITY)).toBeVisible()
  await cell(page, 1, NAME).click()
  await paste(page, 'Nut\t\t3\t1.50\nBolt\t\t4\t2.25')
  await expect(page.locator('[data-address$="lines"] tbody tr')).toHaveCount(3)
  await expect(page.locator('[data-address$="lines"] tfoot td').nth(QUANTITY)).toHaveText('9')
  // what one piece costs does not add up
  await expect(page.locator('[data-address$="lines"] tfoot td').nth(PRICE)).toHaveText('')
  await save(page)
  expect(await body(page)).toMatchObject({
    code: 'O1',
    lines: [
      { name: 'Screw', quantity: 2 },
      { name: 'Nut', quantity: 3, price: '1.5' },
      { name: 'Bolt', quantity: 4, price: '2.25' },
    ],
  })
})

test('what is wrong with a line stands at its cell, and the list of problems leads there', async ({ page }) => {
  await open(page, {
    id: '7',
    version: 3,
    code: 'O1',
    lines: [
      { id: 'a', name: 'Screw', quantity: 1 },
      { id: 'b', name: 'Nut', quantity: 2 },
    ],
  })
  await type(page, 1, QUANTITY, '9')
  const message = 'It is more than there is.'
  await reply(page, { code: 10010005, message, data: { errors: [{ field: 'lines.1.quantity', message }] } })
  await save(page)
  await expect(cell(page, 1, QUANTITY)).toHaveAttribute('aria-invalid', 'true')
  await expect(cell(page, 1, QUANTITY)).toContainText(message)
  const summary = page.getByRole('alert').filter({ hasText: 'Row 2 Quantity' })
  await summary.getByRole('button').click()
  await expect(cell(page, 1, QUANTITY).locator('input')).toBeFocused()
  expect(await seriousFaults(page)).toEqual([])
})

test('rows are copied, moved and removed with keys; only what differs is sent, whole', async ({ page }) => {
  const lines = ['a', 'b', 'c'].map((id, index) => ({ id, name: `n${id}`, quantity: index + 1, version: 1, position: index + 1 }))
  await open(page, { id: '7', version: 3, code: 'O1', lines })
  await cell(page, 0, NAME).click()
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(page.locator('[data-address$="lines"] tbody tr')).toHaveCount(4)
  await cell(page, 3, NAME).click()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(cell(page, 2, NAME).locator('input')).toHaveValue('nc')
  await cell(page, 3, NAME).click()
  await page.keyboard.press('Alt+Delete')
  await expect(page.locator('[data-address$="lines"] tbody tr')).toHaveCount(3)
  await save(page)
  const sent = await body(page)
  expect(Object.keys(sent).sort()).toEqual(['id', 'lines', 'version'])
  expect((sent.lines as { id?: string; name: string }[]).map(({ id, name }) => [id, name])).toEqual([
    ['a', 'na'],
    [undefined, 'na'],
    ['c', 'nc'],
  ])
})

test('whoever saved in between is told line by line; keeping mine makes a removed line a new one', async ({ page }) => {
  await open(page, {
    id: '7',
    version: 3,
    code: 'O1',
    lines: [
      { id: 'a', name: 'Screw', quantity: 1 },
      { id: 'b', name: 'Nut', quantity: 2 },
    ],
  })
  await type(page, 1, QUANTITY, '5')
  const lines = {
    entries: [
      { kind: 'removed', position: 2, title: 'Nut', cells: [] },
      { kind: 'changed', position: 1, title: 'Screw', cells: [{ label: 'Quantity', before: '1', after: '7' }] },
    ],
    moved: false,
    more: 0,
  }
  await reply(page, {
    code: 10010006,
    message: 'stale',
    data: { version: 4, changes: [{ field: 'lines', label: 'Lines', before: null, after: null, lines }] },
  })
  await page.evaluate(() => {
    window.form.record = { id: '7', version: 4, code: 'O1', lines: [{ id: 'a', name: 'Screw', quantity: 7 }] }
  })
  await save(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Line 2 Nut removed')
  await expect(dialog).toContainText('Quantity: 1')
  await dialog.getByRole('button').filter({ hasText: /mine/i }).click()
  await expect.poll(async () => (await body(page)).version).toBe(4)
  const sent = (await body(page)).lines as { id?: string; quantity: number }[]
  expect(sent.map(({ id, quantity }) => [id, quantity])).toEqual([
    ['a', 1],
    [undefined, 5],
  ])
})

test('500 lines open and take a key at once', async ({ page }) => {
  const lines = Array.from({ length: 500 }, (_, index) => ({
    id: `l${index}`,
    name: `n${index}`,
    quantity: index + 1,
    price: '1.5',
  }))
  await open(page, { id: '7', version: 3, code: 'O1', lines })
  await expect(page.locator('[data-address$="lines"] tbody tr')).toHaveCount(500)
  await expect(page.locator('[data-address$="lines"] tfoot td').nth(QUANTITY)).toHaveText('125,250')
  await cell(page, 0, QUANTITY).click()
  const took = await page.evaluate(async () => {
    const input = document.activeElement as HTMLInputElement
    const start = performance.now()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '77')
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
    return performance.now() - start
  })
  expect(took).toBeLessThan(500)
  await expect(page.locator('[data-address$="lines"] tfoot td').nth(QUANTITY)).toHaveText('125,326')
})

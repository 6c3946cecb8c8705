import type { Locator, Page } from '@playwright/test'
import { expect, seriousFaults, test } from './support/harnessTest'

/** A form on the real runtime under the portal's Content-Security-Policy, in StrictMode. */
let address: string

test.beforeAll(async ({ harness }) => {
  address = await harness('formHarness')
})

const open = async (page: Page, form: string, more = ''): Promise<void> => {
  await page.goto(`${address}/?form=${form}${more}`)
  await expect(page.locator('form.sb-form')).toBeVisible()
}
const item = (page: Page, title: string): Locator =>
  page.locator('.sb-form-item', { has: page.locator(`label:text-is("${title}")`) })
const input = (page: Page, title: string): Locator => item(page, title).locator('input, textarea').first()
const saves = (page: Page): Promise<{ body: Record<string, unknown>; idempotent: unknown }[]> =>
  page.evaluate(() =>
    window.form.requests
      .filter(({ path }) => path.endsWith('/save'))
      .map(({ body, idempotent }) => ({ body: body as Record<string, unknown>, idempotent })),
  )
const reply = (page: Page, ...replies: unknown[]): Promise<void> =>
  page.evaluate((given) => {
    window.form.replies = given as typeof window.form.replies
  }, replies)
const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Submit' }).click()
const activeField = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('.sb-form-item')?.querySelector('label')?.textContent ?? '')

test.describe('fields near the viewport', () => {
  test('are real inputs; those far away are text until they are reached', async ({ page }) => {
    await open(page, 'many')
    await expect(input(page, 'field0')).toBeVisible()
    await expect(item(page, 'field95').locator('input')).toHaveCount(0)
    await expect(item(page, 'field95')).toContainText('needle in the haystack')
    await item(page, 'field95').scrollIntoViewIfNeeded()
    await expect(input(page, 'field95')).toHaveValue('needle in the haystack')
  })

  test('can be found in the page while they are text, option labels included', async ({ page }) => {
    await open(page, 'many')
    const found = await page.evaluate(() => (window as unknown as { find(text: string): boolean }).find('needle in the haystack'))
    expect(found).toBe(true)
    await expect(item(page, 'field97')).toContainText('gamma')
  })

  test('are reached by 70 Tabs in a row and back with Shift+Tab, one field a key', async ({ page }) => {
    await open(page, 'many')
    await input(page, 'field0').focus()
    for (let n = 1; n <= 70; n += 1) {
      await page.keyboard.press('Tab')
      expect(await activeField(page)).toBe(`field${n}`)
    }
    for (let n = 69; n >= 60; n -= 1) {
      await page.keyboard.press('Shift+Tab')
      expect(await activeField(page)).toBe(`field${n}`)
    }
  })

  test('lose no key that is typed right after Tab', async ({ page }) => {
    await open(page, 'many')
    await item(page, 'field49').locator('.sb-form-box').focus()
    for (let n = 50; n <= 66; n += 1) {
      await page.keyboard.press('Tab')
      if (n % 5 === 0) await page.keyboard.type(`typed ${n}`)
    }
    for (const n of [50, 55, 60, 65]) await expect(input(page, `field${n}`)).toHaveValue(`typed ${n}`)
  })

  test('open their list with the first click', async ({ page }) => {
    await open(page, 'many')
    // far enough away to be text, then brought into view and clicked before the observer may fire
    await page.evaluate(() => {
      const box = document.querySelector<HTMLElement>('[data-address="field62"] .sb-form-box')
      box?.scrollIntoView({ block: 'center' })
      box?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0 }))
    })
    await expect(page.locator('.ant-select-item-option', { hasText: 'beta' })).toBeVisible()
  })

  test('go on with Enter, and Ctrl+Enter submits', async ({ page }) => {
    await open(page, 'plain')
    await expect(input(page, 'name')).toBeFocused()
    await page.keyboard.type('A')
    await page.keyboard.press('Enter')
    await expect(input(page, 'code')).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page))[0]?.body).toEqual({ name: 'A' })
  })
})

test.describe('linkages', () => {
  test('work under a policy without unsafe-eval: visible, required, values from others', async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await open(page, 'linked')
    await expect(item(page, 'nameEn')).toHaveCount(0)
    await item(page, 'country').locator('.ant-select').click()
    await page.locator('.ant-select-item-option', { hasText: 'US' }).click()
    await expect(item(page, 'nameEn')).toBeVisible()
    await expect(item(page, 'nameEn').locator('.sb-form-required')).toHaveCount(1)
    await input(page, 'price').fill('12.5')
    await input(page, 'count').fill('4')
    await expect(input(page, 'total')).toHaveValue('50')
    await submit(page)
    await expect(item(page, 'nameEn').locator('.sb-form-error')).toHaveText('nameEn is required')
    await input(page, 'nameEn').fill('Acme')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page))[0]?.body).toEqual({ country: 'US', nameEn: 'Acme', price: 12.5, count: 4, total: 50 })
    expect(errors).toEqual([])
  })

  test('let only digits, one minus sign and one point with four decimals into a number (R272, R273)', async ({ page }) => {
    await open(page, 'linked')
    await input(page, 'price').pressSequentially('-1a2.3.456789')
    await expect(input(page, 'price')).toHaveValue('-12.3456')
  })
})

test.describe('hidden and shown again (Activity), in StrictMode', () => {
  test('values, linkages and validation go on', async ({ page }) => {
    await open(page, 'linked')
    await input(page, 'price').fill('2')
    for (let n = 0; n < 3; n += 1) {
      await page.locator('#toggle').click()
      await expect(page.locator('form.sb-form')).toBeHidden()
      await page.locator('#toggle').click()
      await expect(page.locator('form.sb-form')).toBeVisible()
    }
    await expect(input(page, 'price')).toHaveValue('2')
    await input(page, 'count').fill('3')
    await expect(input(page, 'total')).toHaveValue('6')
    await submit(page)
    await expect(item(page, 'country').locator('.sb-form-error')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('1 field needs attention')
  })
})

test.describe('submitting', () => {
  test('twice sends one request (R283, R284)', async ({ page }) => {
    await open(page, 'plain', '&delay=300')
    await input(page, 'name').fill('A')
    const button = page.getByRole('button', { name: 'Submit' })
    await button.dblclick()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Saved')).toBeVisible()
    const sent = await saves(page)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.idempotent).toBe('key-1')
  })

  test('again after a broken connection keeps the key; other content gets another (R284)', async ({ page }) => {
    await open(page, 'plain')
    await input(page, 'name').fill('A')
    const down = Array.from({ length: 4 }, () => ({ kind: 'network' }))
    await reply(page, ...down)
    await submit(page)
    await expect(page.getByRole('alert')).toContainText('Submitting again cannot save it twice', { timeout: 15_000 })
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    const sent = await saves(page)
    expect(new Set(sent.map(({ idempotent }) => idempotent))).toEqual(new Set(['key-1']))
  })

  test('puts the errors of the server on their fields, and they go when the field is changed', async ({ page }) => {
    await open(page, 'plain')
    await input(page, 'name').fill('A')
    await reply(page, {
      code: 10010008,
      message: 'Taken',
      data: {
        errors: [
          { field: 'code', message: 'This code is taken' },
          { field: 'ghost', message: 'Ghost is wrong' },
        ],
      },
    })
    await submit(page)
    await expect(item(page, 'code').locator('.sb-form-error')).toHaveText('This code is taken')
    await expect(page.getByRole('alert')).toContainText('Ghost is wrong')
    await expect(input(page, 'code')).toBeFocused()
    await page.keyboard.type('B')
    await expect(item(page, 'code').locator('.sb-form-error')).toHaveCount(0)
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
  })

  test('lists what is wrong with links to the fields', async ({ page }) => {
    await open(page, 'plain')
    await input(page, 'remark').focus()
    await submit(page)
    const summary = page.getByRole('alert')
    await expect(summary).toContainText('name is required')
    await expect(input(page, 'name')).toBeFocused()
    await input(page, 'remark').focus()
    await summary.getByRole('button', { name: 'name' }).click()
    await expect(input(page, 'name')).toBeFocused()
    await page.keyboard.type('way too long for it')
    await expect(item(page, 'name').locator('.sb-form-error')).toHaveText('At most 10 characters, there are 19')
  })

  test('a record sends what changed; a stale save shows what both did, and mine can be kept', async ({ page }) => {
    await open(page, 'plain', '&id=7')
    await expect(input(page, 'name')).toHaveValue('Old')
    await input(page, 'name').fill('Mine')
    await reply(page, {
      code: 10010006,
      message: 'Stale',
      data: {
        version: 4,
        by: 'Li Na',
        at: '2026-03-10T01:00:00.000Z',
        changes: [
          { field: 'name', before: 'Old', after: 'Theirs' },
          { field: 'code', before: 'C1', after: 'C2' },
        ],
      },
    })
    await submit(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Li Na')
    await expect(dialog.getByRole('row', { name: 'name' })).toContainText('Theirs')
    await expect(dialog.getByRole('row', { name: 'name' })).toContainText('Mine')
    await dialog.getByRole('button', { name: 'Keep mine and save' }).click()
    await expect(page.getByText('Saved')).toBeVisible()
    const sent = await saves(page)
    expect(sent[0]?.body).toEqual({ id: '7', version: 3, name: 'Mine' })
    expect(sent[1]?.body).toEqual({ id: '7', version: 4, name: 'Mine' })
  })

  test('a stale save can take what the other one saved', async ({ page }) => {
    await open(page, 'plain', '&id=7')
    await input(page, 'name').fill('Mine')
    await input(page, 'remark').fill('my remark')
    await reply(page, {
      code: 10010006,
      message: 'Stale',
      data: { version: 4, changes: [{ field: 'name', before: 'Old', after: 'Theirs' }] },
    })
    await submit(page)
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect(input(page, 'name')).toHaveValue('Theirs')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page))[1]?.body).toEqual({ id: '7', version: 4, remark: 'my remark' })
  })

  test('a likely duplicate is saved with a reason, a certain one is not', async ({ page }) => {
    await open(page, 'plain')
    await input(page, 'name').fill('A')
    await reply(
      page,
      { code: 10030001, message: 'Duplicate', data: { decision: 'block', hits: [{ id: '1', name: 'Acme', code: 'CU1' }] } },
      { code: 10030001, message: 'Duplicate', data: { decision: 'warn', hits: [{ id: '1', name: 'Acme', code: 'CU1' }] } },
    )
    await submit(page)
    await expect(page.getByRole('dialog')).toContainText('Acme (CU1)')
    await expect(page.getByRole('button', { name: 'Save it anyway' })).toHaveCount(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await submit(page)
    const save = page.getByRole('button', { name: 'Save it anyway' })
    await expect(save).toBeDisabled()
    await page.getByLabel('Why it is another one').fill('a branch')
    await save.click()
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page)).at(-1)?.body).toEqual({ name: 'A', duplicateReason: 'a branch' })
  })

  test('a record that may only be read shows values and no button', async ({ page }) => {
    await open(page, 'plain', '&id=7&can=no')
    await expect(item(page, 'name')).toContainText('Old')
    await expect(page.locator('form input')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Submit' })).toHaveCount(0)
  })
})

test.describe('the draft', () => {
  test('survives a reload, can be discarded, and goes with the submission', async ({ page }) => {
    await open(page, 'plain')
    await input(page, 'name').fill('Half done')
    await expect(page.getByRole('status').filter({ hasText: 'Draft saved at' })).toBeVisible()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect(input(page, 'name')).toHaveValue('Half done')
    await expect(page.getByText(/The draft saved at .* is back/)).toBeVisible()
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await expect(input(page, 'name')).toHaveValue('')
    await input(page, 'name').fill('Again')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')))).toEqual([])
    expect(await page.evaluate(() => window.form.events.filter((event) => event.startsWith('setUnsaved')))).toEqual([
      'setUnsaved true',
      'setUnsaved false',
      'setUnsaved true',
      'setUnsaved false',
    ])
  })
})

test.describe('editable rows', () => {
  const cell = (page: Page, row: number, column: number): Locator =>
    page.locator(`td[data-row="${row}"][data-column="${column}"]`)

  test('are text but for the cell that is edited; no key is lost; the index of older portals is not sent', async ({ page }) => {
    await open(page, 'table')
    await expect(page.locator('td input')).toHaveCount(0)
    await expect(cell(page, 1, 2)).toContainText('Open')
    await cell(page, 3, 0).focus()
    await page.keyboard.type('new')
    await page.keyboard.press('Tab')
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await page.keyboard.type('7')
    await page.keyboard.press('Shift+Tab')
    await expect(page.locator('td input')).toHaveCount(1)
    await expect(cell(page, 3, 0)).toContainText('new')
    await expect(cell(page, 3, 1)).toContainText('99')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    const rows = (await saves(page))[0]?.body.rows as Record<string, unknown>[]
    expect(rows).toHaveLength(30)
    expect(rows[3]).toEqual({ title: 'new', price: 99, state: 'o' })
    expect(rows[4]).toEqual({ title: 'T4', price: 7, state: 'c' })
  })

  test('take a block from Excel with types and labels, add rows, and name what they could not read', async ({ page }) => {
    await open(page, 'table')
    await cell(page, 29, 0).focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'A\t1,234.5\tClosed\r\n"B\n2"\tnonsense\tOpen\r\n')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    await expect(page.locator('.sb-rows tbody tr')).toHaveCount(31)
    await expect(cell(page, 29, 1)).toContainText('1,234.5')
    expect(await page.evaluate(() => window.form.events.at(-1))).toContain('Row 31 price "nonsense"')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    const rows = (await saves(page))[0]?.body.rows as Record<string, unknown>[]
    expect(rows.slice(29)).toEqual([
      { title: 'A', price: 1234.5, state: 'c' },
      { title: 'B\n2', state: 'o' },
    ])
  })

  test('are added, duplicated, moved and removed; a bad row that nobody touched does not pass', async ({ page }) => {
    await open(page, 'table')
    const menu = async (row: number, entry: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions Row ${row}`, exact: true }).click()
      await page.getByRole('menuitem', { name: entry }).click()
      await expect(page.getByRole('menuitem')).toHaveCount(0)
    }
    await menu(1, 'Duplicate the row')
    await expect(cell(page, 1, 0)).toContainText('T0')
    await menu(3, 'Move up')
    await expect(cell(page, 1, 0)).toContainText('T1')
    await menu(1, 'Remove the row')
    await expect(cell(page, 0, 0)).toContainText('T1')
    await page.getByRole('button', { name: '+ Add a row' }).click()
    await expect(page.locator('.sb-rows tbody tr')).toHaveCount(31)
    await submit(page)
    await expect(cell(page, 30, 0).locator('.sb-form-error')).toHaveText('title is required')
    expect(await saves(page)).toEqual([])
    await cell(page, 30, 0).click()
    await page.keyboard.type('last')
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
  })
})

test.describe('every control', () => {
  test('is drawn without a serious accessibility fault', async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await open(page, 'controls')
    for (const title of await page.locator('.sb-form-label').allTextContents()) await item(page, title).scrollIntoViewIfNeeded()
    await expect(page.locator('.tiptap')).toBeVisible()
    expect(await seriousFaults(page, 'form')).toEqual([])
    expect(errors).toEqual([])
  })

  test('keeps a day that was typed in any notation when Enter closes its calendar', async ({ page }) => {
    await open(page, 'controls')
    const calendar = page.locator('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)')
    for (const [title, text, shown] of [
      ['date', '2026/12/24', '2026-12-24'],
      ['dateTime', '2026年12月24日 9:30', '2026-12-24 09:30'],
      ['dateRange', '20261224', '2026-12-24'],
    ] as const) {
      await item(page, title).locator('.ant-picker, .sb-form-box').first().click()
      await expect(calendar).toBeVisible()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await expect(calendar).toHaveCount(0)
      await expect(input(page, title)).toHaveValue(shown)
    }
    await submit(page)
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page))[0]?.body).toMatchObject({ date: '2026-12-24', dateRange: ['2026-12-24', null] })
  })

  test('gives values of its kind', async ({ page }) => {
    await open(page, 'controls')
    await input(page, 'money').fill('1234.5')
    await input(page, 'percent').fill('12.5')
    await input(page, 'integer').fill('12.9')
    await item(page, 'phone').locator('input').last().fill('13800138000')
    await item(page, 'switch').getByRole('switch').click()
    await item(page, 'country').locator('.ant-select').click()
    await page.keyboard.type('德国')
    await page.keyboard.press('Enter')
    await item(page, 'staff').locator('.ant-select').click()
    await page.getByText('Title of s2').click()
    await item(page, 'department').locator('.ant-select').click()
    await page.locator('.ant-select-tree').getByText('East').click()
    await item(page, 'tags').locator('.sb-form-box').click()
    await expect(item(page, 'tags').locator('input')).toBeFocused()
    await page.keyboard.type('a,b,')
    await item(page, 'rich').scrollIntoViewIfNeeded()
    await page.locator('.tiptap').click()
    await page.keyboard.type('hello')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Saved')).toBeVisible()
    expect((await saves(page))[0]?.body).toEqual({
      money: '1234.5',
      percent: '12.5',
      integer: 129,
      phone: '+8613800138000',
      switch: true,
      country: 'DE',
      staff: 's2',
      department: 'd2',
      tags: ['a', 'b'],
      rich: '<p>hello</p>',
    })
  })
})

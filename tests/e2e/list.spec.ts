import type { Page } from '@playwright/test'
import { expect, seriousFaults, still, test } from './support/harnessTest'

/** A list on the real runtime under the portal's Content-Security-Policy; the records live in memory. */
let address: string

test.beforeAll(async ({ harness }) => {
  address = await harness('harness')
})

const open = async (page: Page, path = '/customers'): Promise<void> => {
  await page.goto(address + path)
  await expect(page.getByRole('grid').or(page.getByRole('alert')).or(page.locator('.sb-cards, .sb-state')).first()).toBeVisible()
}
const firstName = (page: Page) => page.locator('tbody tr[data-key] td').nth(1)
const events = (page: Page): Promise<string[]> => page.evaluate(() => window.harness.events)
const requests = (page: Page) => page.evaluate(() => window.harness.requests())

test.describe('a list', () => {
  test('keeps its query in the address, so that a link shows the same list', async ({ page }) => {
    await open(page)
    await page.getByRole('searchbox').fill('customer 1')
    await expect(page).toHaveURL(/q=customer\+1/)
    await page.getByRole('columnheader', { name: 'Orders' }).getByRole('button').click()
    await expect(page).toHaveURL(/sort=orders\.asc/)
    await expect(page.getByRole('columnheader', { name: 'Orders' })).toHaveAttribute('aria-sort', 'ascending')
    const shown = await page.locator('tbody tr[data-key]').allTextContents()
    await page.reload()
    await expect(page.getByRole('searchbox')).toHaveValue('customer 1')
    await expect(page.locator('tbody tr[data-key]').first()).toBeVisible()
    expect(await page.locator('tbody tr[data-key]').allTextContents()).toEqual(shown)
  })

  test('pages on the server and says how many there are', async ({ page }) => {
    await open(page)
    await expect(page.getByText('45 in total')).toBeVisible()
    await page.getByRole('button', { name: 'Page 3' }).click()
    await expect(firstName(page)).toHaveText('Customer 41')
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '46')
    await page.getByLabel('Rows per page').selectOption('50')
    await expect(page.locator('tbody tr[data-key]')).toHaveCount(45)
    expect(await events(page)).toContain('savePreference list:/customers')
  })

  test('filters by dictionary values, shows them as chips and clears them', async ({ page }) => {
    await open(page)
    await page.getByRole('search').getByRole('button', { name: 'Level' }).click()
    await page.getByLabel('Key account').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('15 in total')).toBeVisible()
    await expect(page).toHaveURL(/f\.level=in%3AA/)
    await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('Level: Key account')
    await page.getByRole('button', { name: 'Remove filter: Level' }).click()
    await expect(page.getByText('45 in total')).toBeVisible()
  })

  test('opens more filters in place and closes a filter with Escape', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'More filters (2)' }).click()
    await page.getByRole('search').getByRole('button', { name: 'Last contact' }).click()
    await expect(page.getByRole('dialog', { name: 'Filter by Last contact' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Filter by Last contact' })).toBeHidden()
    await expect(page.getByRole('search').getByRole('button', { name: 'Last contact' })).toBeFocused()
  })

  test('counts its view tabs and switches them with the arrow keys', async ({ page }) => {
    await open(page)
    await expect(page.getByRole('tab', { name: /Key accounts\s*15/ })).toBeVisible()
    await page.getByRole('tab', { name: /All/ }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('15 in total')).toBeVisible()
    await expect(page).toHaveURL(/view=key/)
  })

  test('works with the keyboard alone: rows, selection, opening, search', async ({ page }) => {
    await open(page)
    await page.locator('tbody tr[data-key]').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.locator('tr[data-key="3"]')).toBeFocused()
    await page.keyboard.press(' ')
    await expect(page.getByText('1 selected')).toBeVisible()
    // what came above the rows leaves the pages in sight
    await expect(page.locator('.sb-foot')).toBeInViewport({ ratio: 1 })
    await expect(page.locator('tr[data-key="3"]')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('End')
    await expect(page.locator('tr[data-key="20"]')).toBeFocused()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.locator('tr[data-key="2"]').focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/customers\/details\?id=2/)
  })

  test('draws only the rows near the viewport when there are more than 200, and Tab and End still reach all', async ({
    page,
  }) => {
    await open(page, '/customers?$rows=1000&size=1000')
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '1001')
    expect(await page.locator('tbody tr[data-key]').count()).toBeLessThan(70)
    await page.locator('.sb-scroller').evaluate((element) => element.scrollTo(0, 20_000))
    await expect(page.locator('tr[data-key="490"]')).toBeVisible()
    expect(await page.locator('tbody tr[data-key]').count()).toBeLessThan(70)
    await page.locator('tbody tr[data-key]').nth(20).focus()
    await page.keyboard.press('End')
    await expect(page.locator('tr[data-key="1000"]')).toBeFocused()
    await expect(page.locator('tr[data-key="1000"]')).toHaveAttribute('aria-rowindex', '1001')
  })

  test('selects all matching rows over the pages and shows the result of each', async ({ page }) => {
    await open(page)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Select all 45' }).click()
    await expect(page.getByText('45 selected', { exact: true })).toBeVisible()
    await page.getByRole('region', { name: '45 selected' }).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toContainText('30 done, 15 not done.')
    await expect(page.getByRole('dialog')).toContainText('It is under watch.')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText('15 in total')).toBeVisible()
  })

  test('deletes a row after asking and offers to undo it', async ({ page }) => {
    await open(page)
    await page.locator('tr[data-key="1"]').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('44 in total')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('45 in total')).toBeVisible()
    expect((await events(page))[0]).toContain('confirm')
  })

  test('keeps the other actions behind "more" and says why one is not possible', async ({ page }) => {
    await open(page)
    await page.locator('tr[data-key="3"]').getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: 'Call' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('menuitem', { name: 'Copy code' }).click()
    expect(await events(page)).toContain('copy CU00003')
  })

  test('opens a link in the portal, and leaves Ctrl and middle click to the browser', async ({ page, context }) => {
    await open(page)
    const link = page.locator('tr[data-key="1"]').getByRole('link', { name: 'Customer 1' })
    const other = context.waitForEvent('page')
    await link.click({ modifiers: ['ControlOrMeta'] })
    await other
    await expect(page).toHaveURL(/\/customers$/)
    await link.click()
    await expect(page).toHaveURL(/details\?id=1/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 1')
  })

  test('keeps the columns as the user set them: hidden, moved by keyboard, wider by drag, reset', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Show City' }).uncheck()
    await expect(page.getByRole('columnheader', { name: 'City' })).toHaveCount(0)
    const handle = page.getByRole('button', { name: 'Move Level' })
    await handle.focus()
    // each step is told to screen readers when it has happened; the next key before that would get lost
    const told = page.locator('[id^="DndLiveRegion"]')
    await page.keyboard.press('Space')
    await expect(told).toContainText('level')
    await page.keyboard.press('ArrowDown')
    await expect(told).toContainText('over droppable area city')
    await page.keyboard.press('ArrowDown')
    await expect(told).toContainText('over droppable area country')
    await page.keyboard.press('Space')
    await expect(page.getByRole('columnheader').nth(2)).toHaveText(/Country/)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()

    const header = page.locator('th[data-column="amount"]')
    const before = (await header.boundingBox())?.width ?? 0
    const edge = await header.locator('.sb-edge').boundingBox()
    if (!edge) throw new Error('The header has no edge to drag.')
    await page.mouse.move(edge.x + 4, edge.y + 10)
    await page.mouse.down()
    await page.mouse.move(edge.x + 64, edge.y + 10, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => ((await header.boundingBox())?.width ?? 0) - before).toBeGreaterThan(40)

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(page.getByRole('columnheader', { name: 'City' })).toHaveCount(1)
  })

  test('exports all matching rows at once, and many in the background', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await expect
      .poll(async () => (await events(page)).find((event) => event.startsWith('exportFile')))
      .toBe('exportFile /v2/test/customer/export Customers 2026-03-10.xlsx')
    await open(page, '/customers?$rows=6000')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await expect.poll(async () => (await events(page)).includes('watchDownload task-1')).toBe(true)
    // With rows selected, those are what is exported unless all are asked for.
    await page.locator('tr[data-key="2"] [data-sb-select]').click()
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByRole('radio', { name: 'The selected record' })).toBeChecked()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await expect.poll(async () => (await requests(page)).at(-1)).toMatchObject({ body: { ids: ['2'], format: 'xlsx' } })
  })

  test('imports a file: errors by row and cell, an error file, then the right rows, with what to look at among them', async ({
    page,
  }) => {
    await open(page)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('button', { name: 'Download template' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nImported one\n') })
    await expect(page.getByText('3 rows: 2 can be imported, 1 with errors.')).toBeVisible()
    await expect(page.getByRole('cell', { name: '=cmd()' })).toBeVisible()
    const lookAt = page.getByRole('alert').filter({ hasText: '1 row without errors, but to be looked at:' })
    await expect(lookAt).toContainText('Row 2: The name resembles a barred one.')
    await page.getByRole('button', { name: 'Download error file' }).click()
    await page.getByRole('button', { name: 'Skip faulty rows, import 2' }).click()
    await expect(page.getByText('2 rows imported.')).toBeVisible()
    await expect(lookAt).toContainText('Row 2: The name resembles a barred one.')
    expect(await events(page)).toEqual(
      expect.arrayContaining([
        'downloadFile /v2/test/customer/import/template',
        'downloadFile /v2/test/customer/import/i1/errors',
      ]),
    )
    expect((await requests(page)).find(({ path }) => path.endsWith('/import/commit'))?.body).toEqual({
      importId: 'i1',
      skipFaulty: true,
    })
  })

  test('shows what was searched when nothing matches, and the first action when there is nothing', async ({ page }) => {
    await open(page, '/customers?q=zzz')
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
    await expect(page.getByText('Looked for: “zzz”')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('45 in total')).toBeVisible()
    await open(page, '/customers?$rows=0')
    await expect(page.getByRole('heading', { name: 'No customer yet' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'New customer' })).toHaveCount(1)
  })

  test('says why it failed and tries again in place; keeps old rows when a reload fails', async ({ page }) => {
    await open(page, '/customers?$gateway=fails')
    await expect(page.getByRole('alert')).toContainText('The server does not answer.')
    await page.evaluate(() => window.harness.gateway.set('works'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('45 in total')).toBeVisible()
    await page.evaluate(() => window.harness.gateway.set('fails'))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('alert')).toContainText('The server does not answer.')
    await expect(page.locator('tbody tr[data-key]')).toHaveCount(20)
  })

  test('names the permission that is missing and whom to ask', async ({ page }) => {
    await open(page, '/customers?$gateway=denies')
    await expect(page.getByRole('alert')).toContainText(
      'You need the right “Test › Customers”. Ask Zhang San or Li Na to grant it.',
    )
    await expect(page.getByRole('alert')).not.toContainText('test:customer')
  })

  test('has each sum below its column, also where the columns are scrolled sideways', async ({ page }) => {
    await page.setViewportSize({ width: 800, height: 640 })
    await open(page)
    const edges = (cell: Element): number[] => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().right]
    const heading = page.getByRole('columnheader', { name: 'Amount' })
    const sum = page.locator('tfoot td.sb-sum')
    for (const left of [0, 10_000]) {
      await page.locator('.sb-scroller').evaluate((scroller, to) => scroller.scrollTo({ left: to }), left)
      expect(await sum.evaluate(edges)).toEqual(await heading.evaluate(edges))
    }
    await expect(sum).toBeInViewport({ ratio: 1 })
  })

  test('is a list of cards on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 })
    await open(page)
    await expect(page.getByRole('grid')).toHaveCount(0)
    await expect(page.getByRole('listitem')).toHaveCount(20)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  })

  for (const [name, path] of [
    ['rows', '/customers'],
    ['rows in the dark and in Chinese', '/customers?$theme=dark&$locale=zh&f.level=in:A'],
    ['nothing found', '/customers?q=zzz'],
    ['a failure', '/customers?$gateway=fails'],
  ] as const) {
    test(`has no serious fault for assistive technology: ${name}`, async ({ page }) => {
      await open(page, path)
      expect(await seriousFaults(page, '#root')).toEqual([])
    })
  }
})

test.describe('a page', () => {
  test('leaves out a wrong part and says which, the rest works', async ({ page }) => {
    await open(page, '/faulty?$page=local')
    await page.getByRole('button', { name: 'Details', exact: true }).click()
    await expect(page.locator('code', { hasText: 'schemas/test/pages/faulty.json' })).toContainText('/columns/1')
    await expect(page.getByText('(name?)')).toBeVisible()
    // What compiling lets through in a kept copy is found by the validator, which comes when the page stands.
    const finding = page.getByRole('alert').filter({ hasText: 'This part of the page is set up wrongly' })
    await expect(finding).toContainText('schemas/test/pages/faulty.json /empty/action')
    await expect(finding).toContainText('The list has no action "ad".')
    await finding.getByRole('button', { name: 'Copy details' }).click()
    expect((await events(page)).some((event) => event.startsWith('copy') && event.includes('/empty/action'))).toBe(true)
    await expect(firstName(page)).toHaveText('Customer 1')
  })

  test('says that it is an old copy when the gateway cannot answer', async ({ page }) => {
    await open(page, '/customers?$page=local')
    await expect(page.getByText('This is the last good version of the page')).toBeVisible()
  })

  test('that is not there or cannot be loaded says so', async ({ page }) => {
    await open(page, '/nowhere')
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
    await open(page, '/customers?$page=down')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

test.describe('actions', () => {
  test('open a form in a drawer, which saves once and reloads the list', async ({ page }) => {
    await open(page)
    await page.getByRole('button', { name: 'New customer' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Brand new')
    await drawer.getByRole('button', { name: 'Save' }).dblclick()
    await expect(drawer).toBeHidden()
    const saves = (await requests(page)).filter(({ path }) => path.endsWith('/save'))
    expect(saves).toHaveLength(1)
    expect(saves[0]?.body).toEqual({ name: 'Brand new' })
  })

  test('run once when they are clicked twice, and say what they did', async ({ page }) => {
    await open(page, '/customers?$delay=150')
    await page.getByRole('checkbox', { name: 'Select Customer 1', exact: true }).click()
    await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Archive' }).dblclick()
    await expect
      .poll(async () => (await events(page)).filter((event) => event.startsWith('notify success')))
      .toEqual(['notify success Archive: 1 done.'])
    const calls = (await requests(page)).filter(({ path }) => path.endsWith('/archive'))
    expect(calls.map(({ body }) => body)).toEqual([{ ids: ['1'] }])
  })
})

test.describe('what a list opens', () => {
  const openers: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
    ['a filter of values', (page) => page.getByRole('search').getByRole('button', { name: 'Level' }).click()],
    [
      'a filter of dates',
      async (page) => {
        await page.getByRole('button', { name: 'More filters (2)' }).click()
        await page.getByRole('search').getByRole('button', { name: 'Last contact' }).click()
      },
    ],
    ['the column settings', (page) => page.getByRole('button', { name: 'Columns' }).click()],
    ['the export', (page) => page.getByRole('button', { name: 'Export' }).click()],
    ['the import', (page) => page.getByRole('button', { name: 'Import' }).click()],
  ]
  for (const [name, act] of openers) {
    test(`has no serious fault for assistive technology: ${name}`, async ({ page }) => {
      await open(page)
      await act(page)
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await still(page)
      expect(await seriousFaults(page)).toEqual([])
    })
  }
})

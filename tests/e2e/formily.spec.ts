import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsoleMessage, Locator, Page } from '@playwright/test'
import { walksOf } from '../support/walkPart'
import { expect, seriousFaults, still, test } from './support/harnessTest'

const { someOf } = walksOf(import.meta.filename)

/**
 * Schemas as people write them who read Formily's documentation, one file each (tests/fixtures/formily): drawn, typed into,
 * refused where they are wrong, submitted, and read back equal, on the real runtime under the portal's Content-Security-Policy.
 */
interface Fixture {
  /** What it shows, in a few words. */
  about: string
  /** Of the window; a desk's without it. */
  width?: number
  schema: unknown
  /** What a person does, in order: a gesture, whom it concerns, more. */
  play: readonly (readonly [gesture: string, ...given: (string | number)[]])[]
  /** The body that is sent. */
  submitted: unknown
}

const folder = join(import.meta.dirname, '../fixtures/formily')
const fixtures = readdirSync(folder).map((file): [string, Fixture] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture,
])

// one page for all of them: what it loads, it loads once
let page: Page
test.beforeAll(async ({ harness, windows }) => {
  ;({ page } = await windows.emptied('formily', { viewport: { width: 1440, height: 900 } }))
  await page.goto(`${await harness('formHarness')}/?form=empty`)
  await expect(page.locator('form.sb-form')).toBeVisible()
})

/** Draws a form anew, with values or without. */
const show = async (schema: unknown, values: unknown = {}): Promise<void> => {
  // nothing of the next form is under the pointer
  await page.mouse.move(0, 0)
  await page.evaluate(([given, opened]) => window.form.show(given as never, opened as never), [schema, values] as const)
  await expect(page.locator('form.sb-form')).toBeVisible()
  await expect(page.locator('form.sb-form .ant-skeleton')).toHaveCount(0)
}

const submit = (page: Page): Promise<void> => page.locator('[data-submit]').click()
const sent = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.form.requests.filter(({ path }) => path.endsWith('/save')).at(-1)?.body)

/** The control that a label names; the n-th where rows repeat it. */
const control = (page: Page, label: string, nth = 0): Locator => page.getByLabel(label, { exact: true }).nth(nth)
const option = (page: Page, name: string): Locator =>
  page
    .locator('.ant-select-dropdown:visible, .ant-cascader-dropdown:visible')
    .locator('.ant-select-item-option, .ant-cascader-menu-item, .ant-select-tree-title')
    .filter({ hasText: new RegExp(`^${name.replaceAll(/[()[\]]/g, '\\$&')}$`) })

type Gesture = (page: Page, ...given: (string | number)[]) => Promise<void>
const GESTURES: Readonly<Record<string, Gesture>> = {
  fill: async (page, label, value, nth = 0) => {
    await control(page, String(label), Number(nth)).fill(String(value))
  },
  /** Types a day or a time into a picker. */
  date: async (page, label, value, nth = 0) => {
    const box = control(page, String(label), Number(nth))
    await box.click()
    await box.fill(String(value))
    await box.press('Enter')
  },
  /** Both ends of a range. */
  range: async (page, label, from, to) => {
    const first = control(page, String(label))
    await first.click()
    await first.fill(String(from))
    await first.press('Enter')
    const second = first.locator('xpath=ancestor::*[contains(@class,"ant-picker-range")]').locator('input').nth(1)
    await second.fill(String(to))
    await second.press('Enter')
  },
  /** Opens a list and takes what is named, one after the other. */
  pick: async (page, label, ...names) => {
    await still(page)
    await control(page, String(label)).click({ force: true })
    for (const name of names) await option(page, String(name)).first().click()
    await page.keyboard.press('Escape')
  },
  check: async (page, name, nth = 0) => {
    const box = page.getByRole('checkbox', { name: String(name), exact: true }).nth(Number(nth))
    await expect(() => box.check({ timeout: 1000 })).toPass()
  },
  choose: async (page, name) => {
    await page.getByRole('radio', { name: String(name), exact: true }).check({ force: true })
  },
  toggle: async (page, label) => {
    await page.getByRole('switch', { name: String(label), exact: true }).click()
  },
  click: async (page, name, nth = 0) => {
    await page
      .locator('main button, .ant-modal button, .ant-drawer button')
      .filter({ hasText: new RegExp(`^${String(name)}$`) })
      .nth(Number(nth))
      .click()
  },
  tab: async (page, name) => {
    await page.getByRole('tab', { name: String(name) }).click()
  },
  press: async (page, selector, nth = 0) => {
    await page.locator(String(selector)).nth(Number(nth)).click()
  },
  /** Types into a box that no label names, once it is there. */
  type: async (page, selector, value, nth = 0) => {
    const box = page.locator(String(selector)).nth(Number(nth))
    // a row that was just added may be drawn once more
    await expect(async () => {
      await box.fill(String(value))
      await expect(box).toHaveValue(String(value), { timeout: 500 })
    }).toPass()
  },
  key: async (page, key) => {
    await page.keyboard.press(String(key))
  },
  see: async (page, words) => {
    await expect(page.getByText(String(words), { exact: true }).first()).toBeVisible()
  },
  miss: async (page, words) => {
    await expect(page.getByText(String(words), { exact: true })).toHaveCount(0)
  },
  holds: async (page, label, value, nth = 0) => {
    await expect(control(page, String(label), Number(nth))).toHaveValue(String(value))
  },
  locked: async (page, label) => {
    await expect(control(page, String(label))).toBeDisabled()
  },
  /** The labels stand in this order. */
  order: async (page, ...labels) => {
    await expect(page.locator('form.sb-form .sb-form-label, form.sb-form .ant-formily-item-label')).toHaveText(
      labels.map((label) => new RegExp(`^${String(label)}`)),
    )
  },
  /** Types into a cell of the portal's own table, which is text until it is opened. */
  cell: async (page, row, column, value) => {
    const cell = page.locator(`td[data-row="${row}"][data-column="${column}"]`)
    await cell.click()
    await cell.locator('input').fill(String(value))
    await cell.locator('input').press('Tab')
  },
  /** Types a day or a time into a picker that no label names. */
  into: async (page, selector, value, nth = 0) => {
    const box = page.locator(String(selector)).nth(Number(nth))
    await box.click()
    await box.fill(String(value))
    await box.press('Enter')
  },
  /** Types where the focus is. */
  write: async (page, words) => {
    await page.keyboard.type(String(words))
  },
  /** The field of the first label is wider than that of the second. */
  wider: async (page, label, than) => {
    const [one, other] = [await control(page, String(label)).boundingBox(), await control(page, String(than)).boundingBox()]
    expect(one?.width).toBeGreaterThan((other?.width ?? 0) * 1.5)
  },
  /** Nothing has to be scrolled sideways. */
  fits: async (page) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  },
  /** A cell that does not open. */
  shut: async (page, row, column) => {
    const cell = page.locator(`td[data-row="${row}"][data-column="${column}"]`)
    await cell.click()
    await expect(cell.locator('input')).toHaveCount(0)
  },
  /** Submits and is refused with these words, at their fields. */
  refused: async (page, ...messages) => {
    await submit(page)
    for (const message of messages) await expect(page.locator('.sb-form-summary')).toContainText(String(message))
    expect(await sent(page)).toBeUndefined()
  },
}

for (const [name, { about, width = 1440, schema, play, submitted }] of someOf(
  'formily',
  fixtures,
  fixtures.length / 2,
  ([name]) => name,
)) {
  test(`${name}: ${about}`, async () => {
    const faults: string[] = []
    const noteFault = (error: Error): void => void faults.push(String(error))
    const noteLine = (message: ConsoleMessage): void => {
      if (message.type() === 'error') faults.push(message.text())
    }
    page.on('pageerror', noteFault)
    page.on('console', noteLine)
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 })
    await show(schema)
    await still(page)
    expect(await seriousFaults(page)).toEqual([])
    for (const [gesture, ...given] of play) {
      const act = GESTURES[gesture]
      if (!act)
        throw new Error(`${name}.json: no gesture is called "${gesture}". There are: ${Object.keys(GESTURES).join(', ')}.`)
      await test.step([gesture, ...given].join(' '), () => act(page, ...given))
    }
    await submit(page)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await sent(page)).toEqual(submitted)
    // read back: what was sent, opened again and sent unchanged, is the same
    await show(schema, submitted)
    await submit(page)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await sent(page)).toEqual(submitted)
    expect(faults).toEqual([])
    page.off('pageerror', noteFault)
    page.off('console', noteLine)
  })
}

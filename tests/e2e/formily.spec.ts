import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, seriousFaults, test } from './support/harnessTest'

/**
 * Schemas as people write them who read Formily's documentation, one file each (tests/fixtures/formily): drawn, typed into,
 * refused where they are wrong, submitted, and read back equal, on the real runtime under the portal's Content-Security-Policy.
 */
interface Fixture {
  /** What it shows, in a few words. */
  about: string
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

let address: string
test.beforeAll(async ({ harness }) => {
  address = await harness('formHarness')
})

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
    await control(page, String(label)).click({ force: true })
    for (const name of names) await option(page, String(name)).first().click()
    await page.keyboard.press('Escape')
  },
  check: async (page, name, nth = 0) => {
    await page
      .getByRole('checkbox', { name: String(name), exact: true })
      .nth(Number(nth))
      .check()
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
    await box.fill(String(value))
    await expect(box).toHaveValue(String(value))
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
  /** Submits and is refused with these words, at their fields. */
  refused: async (page, ...messages) => {
    await submit(page)
    for (const message of messages) await expect(page.locator('.sb-form-summary')).toContainText(String(message))
    expect(await sent(page)).toBeUndefined()
  },
}

for (const [name, { about, play, submitted }] of fixtures) {
  test(`${name}: ${about}`, async ({ page }) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(`${address}/?fixture=${name}`)
    await expect(page.locator('form.sb-form')).toBeVisible()
    await expect(page.locator('form.sb-form .ant-skeleton')).toHaveCount(0)
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
    await page.goto(`${address}/?fixture=${name}&values=${encodeURIComponent(JSON.stringify(submitted))}`)
    await expect(page.locator('form.sb-form')).toBeVisible()
    await expect(page.locator('form.sb-form .ant-skeleton')).toHaveCount(0)
    await submit(page)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await sent(page)).toEqual(submitted)
    expect(faults).toEqual([])
  })
}

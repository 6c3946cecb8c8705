import { readFile } from 'node:fs/promises'
import { expect, type Download, type Locator, type Page } from '@playwright/test'
import { filled, sheetsOf, textsOf } from '../../support/workbook'

/** Words and gestures of the portal that the stories share. */

export const MY_CUSTOMERS = '/crm/client-partner/my-client'
/** All customers of the open sea; its first view are those who once dealt. */
export const OPEN_SEA = '/crm/client-partner/open-sea?view=customers'

/** The page that is seen: the other bookmark tabs stay in the document, hidden. */
export const rows = (page: Page): Locator => page.locator('tbody tr[data-key]:visible')
export const rowOf = (page: Page, name: string): Locator => rows(page).filter({ hasText: name })
export const totalOf = async (page: Page): Promise<number> =>
  Number((await page.locator('h1 small:visible').innerText()).replaceAll(',', ''))

/** Opens an address of the portal and waits for what the page is about. */
export async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await listReady(page)
}
/** Looked for in every frame of the page: an assertion would look four times in the first two seconds. */
export const listReady = async (page: Page): Promise<void> => {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.sb-list[aria-busy="false"]')].some((list) =>
      list.checkVisibility({ visibilityProperty: true }),
    ),
  )
}

export async function search(page: Page, keyword: string): Promise<void> {
  const box = page.locator('input[data-sb-keyword]:visible')
  await box.fill(keyword)
  await box.press('Enter')
  await expect(page).toHaveURL(keyword === '' ? /^[^?]*$|[?](?!.*\bq=)/ : /[?&]q=/)
  await listReady(page)
}

const pageOf = (form: Page | Locator): Page => ('keyboard' in form ? form : form.page())

/** A field by its label, inside a form: label, box, help or error. */
export const box = (form: Page | Locator, label: string): Locator =>
  form
    .locator('.sb-form-item:visible')
    .filter({ has: pageOf(form).locator('label.sb-form-label', { hasText: new RegExp(`^${escape(label)}$`) }) })

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Types into a field as a person does: click, replace, leave. */
export async function type(form: Page | Locator, label: string, value: string): Promise<void> {
  const item = box(form, label)
  await item.scrollIntoViewIfNeeded()
  await item.locator('label').click()
  const input = item.locator('input, textarea').first()
  await input.fill(value)
}

/** Picks a value of a list by its text. */
export async function choose(form: Page | Locator, label: string, option: string): Promise<void> {
  const page = pageOf(form)
  const item = box(form, label)
  await item.scrollIntoViewIfNeeded()
  await item.locator('.sb-form-box').click()
  const input = item.locator('input').first()
  await expect(input).toBeAttached()
  if ((await input.getAttribute('aria-expanded')) !== 'true') await item.locator('.ant-select-selector').click()
  if (await input.isEditable()) await input.fill(option)
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    .filter({ hasText: new RegExp(`^${escape(option)}`) })
    .first()
    .click()
}

const bytesOf = async (download: Download): Promise<Uint8Array> => new Uint8Array(await readFile(await download.path()))

/** The first sheet of a workbook that was downloaded, its titles first. */
export const firstSheet = async (download: Download): Promise<string[][]> => textsOf(sheetsOf(await bytesOf(download))[0])

/** A template that was downloaded with a row for each record, by the titles of the columns. */
export async function filledTemplate(download: Download, records: readonly Readonly<Record<string, string>>[]): Promise<Buffer> {
  const template = await bytesOf(download)
  const titles = (textsOf(sheetsOf(template)[0])[0] ?? []).map((title) => title.replace(/\s*\*$/, ''))
  const unknown = records.flatMap((record) => Object.keys(record)).filter((title) => !titles.includes(title))
  if (unknown.length > 0) throw new Error(`The template has no column ${unknown[0]!}: ${titles.join(', ')}`)
  return filled(
    template,
    records.map((record) => titles.map((title) => record[title] ?? '')),
  )
}

import type { Page } from '@playwright/test'
import { expect, seriousFaults, still } from './realTest'
import type { PersonOptions } from './realTest'

/** What is looked at: who opens it, and how. */
export type Visit = readonly [name: string, who: string, visit: (page: Page) => Promise<void>]

export const at =
  (address: string): Visit[2] =>
  async (page) => {
    await page.goto(address)
  }

export type Look = { locale: 'zh-CN' | 'en-US'; colorScheme: 'light' | 'dark' }
export const FIRST: Look = { locale: 'zh-CN', colorScheme: 'light' }
export const SECOND: Look = { locale: 'en-US', colorScheme: 'dark' }

/** What a program says and no person: values without words, moments as they travel, expressions that nobody evaluated. */
const RAW = /\[object \w+\]|\b(?:undefined|NaN|Invalid Date)\b|\d{4}-\d\d-\d\dT\d\d:\d\d|\{\{|\}\}/

/** Lines that are read on the page and are meant for no reader. */
const rawLinesOf = (page: Page): Promise<string[]> =>
  page.evaluate((source) => document.body.innerText.split('\n').filter((line) => new RegExp(source).test(line)), RAW.source)

/** Names of columns, fields and tabs that nobody translated: data may be Chinese on an English page, its names may not. */
const untranslatedOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (!document.documentElement.lang.startsWith('en')) return []
    return (
      [
        ...document.querySelectorAll<HTMLElement>(
          'main th, main dt, main label, main [role=tab], .ant-modal label, .ant-drawer label',
        ),
      ]
        // a bookmark tab that is not seen is drawn in the other language when somebody comes back to it
        .filter((name) => name.checkVisibility({ visibilityProperty: true }))
        .map((name) => name.innerText.trim())
        .filter((name) => /\p{Script=Han}/u.test(name))
    )
  })

export const PHONE = { width: 375, height: 800 }

/** On a phone nothing may make the whole page scroll sideways. The window keeps its size for whoever comes next. */
async function overflowOnPhone(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  await page.setViewportSize(PHONE)
  const width = await page.evaluate(
    () =>
      new Promise<number>((tell) =>
        requestAnimationFrame(() => requestAnimationFrame(() => tell(document.documentElement.scrollWidth))),
      ),
  )
  if (before) await page.setViewportSize(before)
  return width > PHONE.width ? [`at ${PHONE.width} px the page is ${width} px wide`] : []
}

/**
 * The serious faults of each page in both looks: light and Chinese, dark and English; with them what is no text for people,
 * names that are not translated, and a page that is wider than a phone.
 */
export async function faultsOf(
  visits: readonly Visit[],
  as: (who: string, options: PersonOptions) => Promise<Page>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const check = async (what: string, page: Page): Promise<void> => {
    const faults = [
      ...(await faultsOnceSettled(page)),
      ...(await rawLinesOf(page)).map((line) => `raw text: ${line}`),
      ...(await untranslatedOn(page)).map((name) => `not translated: ${name}`),
    ]
    if (faults.length > 0) found[what] = faults
  }
  const people = new Map<string, Page>()
  const looks = new Map<string, Look>()
  for (const [what, who, visit] of visits) {
    const page = people.get(who) ?? (await as(who, FIRST))
    people.set(who, page)
    const look = looks.get(who) ?? FIRST
    const other = look === FIRST ? SECOND : FIRST
    await visit(page)
    await check(`${what}, ${look.colorScheme}`, page)
    // The same page in the other look, without a reload; the next page begins with that.
    await page.emulateMedia({ colorScheme: other.colorScheme })
    await page.locator('.sb-tools button[aria-label*="English"], .sb-tools button[aria-label*="中文"]').dispatchEvent('click')
    await expect(page.locator('html')).toHaveAttribute('data-theme', other.colorScheme)
    await expect(page.locator('html')).toHaveAttribute('lang', other === SECOND ? /^en/ : /^zh/)
    looks.set(who, other)
    await check(`${what}, ${other.colorScheme}`, page)
    const wide = await overflowOnPhone(page)
    if (wide.length > 0) found[`${what}, on a phone`] = wide
  }
  return found
}

/** No skeleton is left and nothing moves; then axe looks. */
export async function faultsOnceSettled(page: Page): Promise<string[]> {
  await expect(page.locator('.sb-user, .sbi-signin, form').first()).toBeVisible()
  await expect(page.locator('.sb-skeleton:visible, .ant-skeleton:visible, .ant-spin-spinning:visible')).toHaveCount(0)
  // A button under the pointer has the colour of the moment.
  await page.mouse.move(0, 0)
  await still(page)
  return seriousFaults(page)
}

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

/** The serious faults of each page in both looks: light and Chinese, dark and English. */
export async function faultsOf(
  visits: readonly Visit[],
  as: (who: string, options: PersonOptions) => Promise<Page>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const check = async (what: string, page: Page): Promise<void> => {
    const faults = await faultsOnceSettled(page)
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

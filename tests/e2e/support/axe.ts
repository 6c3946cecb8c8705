import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * The faults for assistive technology that matter on the page as it stands, one line each; `within` limits it to a part.
 * Run inside the page itself (axe's legacy mode) and without lists of what is well: a quarter of the time.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3).join(' | ')}`) // prettier-ignore
}

/** Nothing moves any more: what opens or fades has come to its end. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake))))
  // what goes round for ever, such as the dot of a running state, is part of the settled screen
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  )
}

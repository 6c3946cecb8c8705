import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The faults for assistive technology that matter on the page as it stands, one line each; `within` limits it to a part. A
 * document gets the script once, and lists of what is well are not made: a quarter of the time.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  for (const frame of page.frames()) if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(SCRIPT)
  return page.evaluate(async (selector) => {
    const { axe } = window as unknown as { axe: typeof Axe }
    const { violations } = await axe.run(selector ?? document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html.slice(0, 200))
            .slice(0, 3)
            .join(' | ')}`,
      )
  }, within)
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

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import { startRealGateway } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'
import { percentile } from './gatewayServer'

/**
 * From a key in the page designer to the preview that shows it, on the page with the most columns and fields:
 * `npx tsx bench/designer.ts [rounds]` after `npm run build`. What is measured stands in bench/README.md.
 */
const [rounds = 5] = process.argv.slice(2).map(Number)
const BAR = 100
const KEYS = 'abcdefghijklmnopqrstuvwxyzabcd'
/** Milliseconds of rest between two keys, as between the keys of a person: the frames of the last one are over. */
const REST = 50
/** Parts of the outline that are tried. */
const MOST_PARTS = 40
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** The page of the released schemas that names the most fields. */
function largestPage(): { name: string; fields: number } {
  const root = join(import.meta.dirname, '../schemas')
  const pages = readdirSync(root).flatMap((module) => {
    const folder = join(root, module, 'pages')
    return (existsSync(folder) ? readdirSync(folder) : []).map((file) => ({
      name: `${module}/${file.replace(/\.json$/, '')}`,
      fields: readFileSync(join(folder, file), 'utf8').match(/"\$?field":/g)?.length ?? 0,
    }))
  })
  return pages.sort((a, b) => b.fields - a.fields)[0]!
}

/** Chooses a part whose title stands in the preview; answers the box of its title. */
async function chooseShown(page: Page): Promise<Locator> {
  const label = page.getByRole('textbox', { name: '标题 (中文)' })
  const items = page.getByRole('treeitem')
  for (let index = 1; index < (await items.count()) && index < MOST_PARTS; index += 1) {
    const closed = items.nth(index).locator('.ant-tree-switcher_close')
    if (await closed.isVisible()) await closed.click()
    await items.nth(index).click()
    const title = (await label.isVisible()) ? await label.inputValue() : ''
    const preview = await page.locator('.sb-design-preview').textContent()
    if (title !== '' && preview?.includes(title)) return label
  }
  throw new Error('No part of the page has a title that the preview shows.')
}

/** Types one real key after the last one has been painted in the preview. Answers the milliseconds of each. */
async function typeKeys(page: Page): Promise<number[]> {
  const client = await page.context().newCDPSession(page)
  await page.evaluate(() => {
    const state = window as unknown as { __keys: number[]; __painted?: () => void }
    state.__keys = []
    const preview = document.querySelector('.sb-design-preview')
    const input = document.activeElement as HTMLInputElement
    if (!preview) throw new Error('There is no preview.')
    const shows = (text: string): boolean => preview.textContent?.includes(text) ?? false
    input.addEventListener(
      'keydown',
      ({ timeStamp, key }) => {
        const wanted = input.value + key
        const done = (): void => {
          if (!shows(wanted)) return
          observer.disconnect()
          requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.onmessage = () => {
              state.__keys.push(performance.now() - timeStamp)
              state.__painted?.()
            }
            channel.port2.postMessage(0)
          })
        }
        const observer = new MutationObserver(done)
        observer.observe(preview, { subtree: true, childList: true, characterData: true })
      },
      true,
    )
  })
  for (const [index, key] of [...KEYS].entries()) {
    const code = `Key${key.toUpperCase()}`
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key, unmodifiedText: key, code })
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
    await page.evaluate((count) => {
      const state = window as unknown as { __keys: number[]; __painted?: () => void }
      return state.__keys.length > count || new Promise<boolean>((resolve) => (state.__painted = () => resolve(true)))
    }, index)
    await page.waitForTimeout(REST)
  }
  return page.evaluate(() => (window as unknown as { __keys: number[] }).__keys)
}

const gateway = await startRealGateway()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
const all: number[] = []
try {
  const { name, fields } = largestPage()
  const context = await browser.newContext({ baseURL: gateway.url, locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
  // the compiler of this file wraps named functions, also those that are sent to the page
  await context.addInitScript('globalThis.__name = (value) => value')
  const page = await context.newPage()
  await signInAs(page, PEOPLE.administrator, `/setModule/pages?target=page:${name}`)
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`/setModule/pages?target=page:${name}`)
    await page.locator('.sb-design-preview .sb-section, .sb-design-preview th').first().waitFor()
    const label = await chooseShown(page)
    await label.click()
    await page.waitForTimeout(1000)
    const keys = await typeKeys(page)
    all.push(...keys)
    console.log(
      `round ${round + 1}: p50 ${percentile(keys, 0.5).toFixed(1)}, p95 ${percentile(keys, 0.95).toFixed(1)}, max ${Math.max(...keys).toFixed(1)} ms`,
    )
  }
  console.log(
    `${name} (${fields} columns and fields), ${all.length} keys: p50 ${percentile(all, 0.5).toFixed(1)}, p95 ${percentile(all, 0.95).toFixed(1)} ms, bar ${BAR}`,
  )
} finally {
  await browser.close()
  await gateway.stop()
}
process.exit(percentile(all, 0.95) > BAR ? 1 : 0)

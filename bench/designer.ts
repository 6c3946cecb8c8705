import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { DesignerPage } from '../tests/e2e/support/designerPage'
import { startRealGateway } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'
import { percentile } from './gatewayServer'

/**
 * From a key in the page designer to the preview that shows it, on the page with the most columns and fields:
 * `npx tsx bench/designer.ts [rounds]` after `npm run build`. What is measured stands in bench/README.md.
 */
const [rounds = 3] = process.argv.slice(2).map(Number)
const BAR = 100
const KEYS = 'abcdefghijklmnopqrstuvwxyzabcd'
/** Milliseconds of rest between two keys, as between the keys of a person: the frames of the last one are over. */
const REST = 50
/** Until the page and its rows stand, ms. */
const SETTLED = 1_500
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** The released page of a kind that names the most fields. */
function largestPage(kind: string): { name: string; fields: number } {
  const root = join(import.meta.dirname, '../schemas')
  const pages = readdirSync(root).flatMap((module) => {
    const folder = join(root, module, 'pages')
    return (existsSync(folder) ? readdirSync(folder) : []).flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      if ((JSON.parse(text) as { kind: string }).kind !== kind) return []
      return [{ name: `${module}/${file.replace(/\.json$/, '')}`, fields: text.match(/"\$?field":/g)?.length ?? 0 }]
    })
  })
  return pages.sort((a, b) => b.fields - a.fields)[0]!
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
    // a title may be cut to the width of its column in the view, not in the text
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

/** What a part is called in the preview; the way to it through the tree. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  detail: ['Sections', 'Basics'],
  list: ['Columns', 'Code'],
}

const gateway = await startRealGateway()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
const missed: string[] = []
try {
  const context = await browser.newContext({ baseURL: gateway.url, locale: 'en-US', viewport: { width: 1440, height: 900 } })
  // the compiler of this file wraps named functions, also those that are sent to the page
  await context.addInitScript('globalThis.__name = (value) => value')
  const page = await context.newPage()
  await signInAs(page, PEOPLE.administrator, '/setModule/pages')
  for (const [kind, way] of Object.entries(PARTS)) {
    const { name, fields } = largestPage(kind)
    const all: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const designer = new DesignerPage(page)
      await designer.open(`page:${name}`)
      await designer.choose(...way)
      const label = page.getByRole('textbox', { name: 'Title (English)' })
      await label.click()
      await page.keyboard.press('End')
      await page.waitForTimeout(SETTLED)
      all.push(...(await typeKeys(page)))
      await designer.saved()
      await page.getByRole('button', { name: 'Discard draft' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
      await page.getByText('No changes').waitFor()
    }
    const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)]
    console.log(
      `${name} (${kind}, ${fields} columns and fields), ${all.length} keys: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, max ${Math.max(...all).toFixed(1)} ms; bar ${BAR}`,
    )
    if (p95 > BAR) missed.push(name)
  }
} finally {
  await browser.close()
  await gateway.stop()
}
process.exit(missed.length > 0 ? 1 : 0)

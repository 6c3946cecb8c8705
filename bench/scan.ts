import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { call } from '../tests/e2e/support/adminTest'
import { startRealGateway } from '../tests/e2e/support/realGateway'
import { signInAs } from '../tests/e2e/support/realTest'
import { percentile } from './gatewayServer'

/**
 * Serial numbers by file and by scanner on the operation page of stock-in, then saved and posted:
 * `npx tsx bench/scan.ts [pieces] [scans]` after `npm run build`. What is measured stands in bench/README.md.
 */
const [pieces = 50_000, scans = 100] = process.argv.slice(2).map(Number)
/** Milliseconds that a scan may take until it is told, at the 95th percentile. */
const BAR = 300
const OPERATION = '/srm/equipment-purchase/warehouse/stock-in/operation'
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const mac = (index: number): string => `02${index.toString(16).padStart(10, '0')}`

async function saved(page: Page, entity: string, values: object): Promise<string> {
  const { data, ...answer } = await call<{ id: string }>(page, `/v2/srm/${entity}/save`, values)
  if (answer.code !== 0) throw new Error(JSON.stringify(answer))
  return data.id
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  return result
}

/** A draft with one line of a serialised product, and its page with the dialog for scanning open. */
async function dialogOf(page: Page, run: string, quantity: number): Promise<string> {
  const warehouseId = await saved(page, 'warehouse', { code: `B${run.toUpperCase()}`, name: `Bench ${run}`, kind: 'main', countryCode: 'CN' })
  const productId = await saved(page, 'product', {
    ...{ name: `Bench ${run}`, nameEn: `Bench ${run}`, category: 'goip', model: `B-${run}`, unit: 'pcs', salePrice: '900.00' },
    ...{ serialised: true, hasMac: true },
  })
  const lines = [{ productId, qty: String(quantity), unitCost: '500' }]
  const id = await saved(page, 'stockIn', { kind: 'opening', warehouseId, lines })
  await page.goto(`${OPERATION}?id=${id}`)
  await page.locator('td[data-row="0"][data-column="2"]').click()
  await page.locator('.sb-scan-said').waitFor()
  return id
}

async function post(page: Page, id: string): Promise<void> {
  const body = { ids: [id], transition: 'post', values: {} }
  const answer = await call(page, '/v2/srm/stockIn/stateUpdate', body)
  if (answer.code !== 0) throw new Error(JSON.stringify(answer))
}

const gateway = await startRealGateway()
const browser = await chromium.launch({ executablePath: system, args: ['--no-sandbox'] })
const file = join(tmpdir(), `bench-scan-${process.pid}.csv`)
let p95 = 0
try {
  const context = await browser.newContext({ baseURL: gateway.url, locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signInAs(page, 'S0045', '/home')

  writeFileSync(file, ['serial,mac', ...Array.from({ length: pieces }, (_, at) => `SN-${at},${mac(at + 1)}`)].join('\n'))
  const id = await dialogOf(page, 'file', pieces)
  await timed(`${pieces} pieces from a file, read and checked`, async () => {
    await page.locator('input[type="file"][hidden]').last().setInputFiles(file)
    await page.locator('.sb-scan-said.ant-alert-success').waitFor({ timeout: 120_000 })
  })
  const times: number[] = []
  const input = page.getByRole('textbox', { name: 'Serial number or MAC' })
  for (let at = 0; at < scans; at += 1) {
    await input.fill(`SC-${at} ${mac(pieces + at + 1)}`)
    const start = performance.now()
    await input.press('Enter')
    await page.getByText(`Scanned SC-${at} `).waitFor()
    times.push(performance.now() - start)
    await page.getByRole('button', { name: 'Undo the last' }).click()
    await page.waitForTimeout(50)
  }
  p95 = percentile(times, 0.95)
  console.log(`a scan among ${pieces} pieces: p50 ${percentile(times, 0.5).toFixed(0)}, p95 ${p95.toFixed(0)} ms; bar ${BAR}`)
  await page.getByRole('button', { name: 'Done' }).click()
  await timed(`${pieces} pieces saved`, async () => {
    await Promise.all([
      page.waitForURL((url) => !url.pathname.includes('operation'), { timeout: 60_000 }),
      page.locator('button[data-submit]').last().click(),
    ])
  })
  await timed(`${pieces} pieces posted`, () => post(page, id))
} finally {
  rmSync(file, { force: true })
  await browser.close()
  await gateway.stop()
}
process.exit(p95 > BAR ? 1 : 0)

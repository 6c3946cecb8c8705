/**
 * `node bench/answer.mjs`: an answer of the assistant of 64 KB in 4,000 pieces, each drawn by itself: script and the longest task beside
 * the way that parses the whole text for each piece, which is told for the first pieces only (WHOLE, 1,000). PORT (4702).
 */
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { ensureBuilt, serve } from './serve.mjs'

const PIECES = 4_000
const WHOLE = Number(process.env.WHOLE ?? 1_000)
const PORT = Number(process.env.PORT ?? 4702)
const MOST_SCRIPT = 1_500
const LONGEST_TASK = 50
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

async function measured(browser, address, pieces) {
  const page = await browser.newPage({ bypassCSP: true })
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const script = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  await page.goto(address)
  await page.evaluate(() => window.__bench.ready)
  await page.evaluate(() => {
    window.__longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.__longest = Math.max(window.__longest, duration)
    }).observe({ type: 'longtask' })
  })
  await page.waitForTimeout(300)
  const before = await script()
  await page.evaluate(() => window.__bench.mount())
  await page.waitForFunction((count) => window.__bench.rows() >= count, pieces, { timeout: 600_000, polling: 200 })
  const took = (await script()) - before
  const longest = await page.evaluate(() => window.__longest)
  await page.close()
  return { pieces, script: Math.round(took), longest: Math.round(longest) }
}

await ensureBuilt()
const server = await serve(PORT)
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
try {
  const ours = await measured(browser, `http://localhost:${PORT}/bench/answer`, PIECES)
  const whole = await measured(browser, `http://localhost:${PORT}/bench/answer?whole`, WHOLE)
  console.log('Script and longest task (0: none over 50), ms')
  console.table({ 'by blocks': ours, 'as a whole': whole })
  if (ours.script > MOST_SCRIPT || ours.longest > LONGEST_TASK) process.exitCode = 1
} finally {
  await browser.close()
  server.close()
}

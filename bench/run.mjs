/**
 * `npm run bench`: measures our pages against their hand-written antd twins in real Chromium, in alternating rounds of one run,
 * and checks the bars; `npm run bench -- mail` measures mail (bench/mail.ts). ROUNDS (5), ONLY=w1,w3, PORT (4701). bench/README.md says what is measured and how.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { ensureBuilt, serve } from './serve.mjs'

if (process.argv[2] === 'mail') {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/mail.ts', ...process.argv.slice(3)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const PORT = Number(process.env.PORT ?? 4701)
const ONLY = process.env.ONLY?.split(',')
const KEYS = 'abcdefghijklmnopqrstuvwxyzabcd'
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** What each workload counts to, does and has to reach (ratio to the twin). */
const WORKLOADS = {
  w1: {
    path: 'w1',
    mounted: () => window.__bench.fields() >= 180,
    measure: measureForm,
    bars: { mount: 0.6, key: 0.5, submit: 0.2 },
  },
  'w2-50': { path: 'w2?size=50', mounted: () => window.__bench.rows() >= 50, measure: measureList, bars: { mount: 1.0 } },
  'w2-all': { path: 'w2?size=0', mounted: () => window.__bench.rows() >= 1000, measure: measureList, bars: { mount: 0.25 } },
  w3: {
    path: 'w3',
    mounted: () => window.__bench.rows() >= 100,
    measure: measureRows,
    bars: { mount: 0.4, lost: 0 },
  },
  task: {
    path: 'task',
    mounted: () => window.__bench.fields() >= 200 && window.__bench.rows() >= 30,
    measure: async () => ({}),
    bars: { mount: 1.0 },
  },
}

const metric = async (client, name) =>
  (await client.send('Performance.getMetrics')).metrics.find((each) => each.name === name)?.value ?? 0
const busy = async (client) => (await metric(client, 'TaskDuration')) * 1000
const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)]
const median = (values) => percentile(values, 0.5)

/** Runs something in the page and waits until `done` holds and two frames have passed. Answers milliseconds. */
const timed = (page, start, done) =>
  page.evaluate(
    ([startText, doneText]) =>
      new Promise((resolve, reject) => {
        const holds = (0, new Function(`return ${doneText}`))()
        const begin = (0, new Function(`return ${startText}`))()
        const limit = performance.now() + 30000
        const from = performance.now()
        begin()
        const look = () => {
          if (holds()) requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)))
          else if (performance.now() > limit) reject(new Error(`not there after 30 s: ${doneText}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    [String(start), String(done)],
  )

/** Milliseconds of rest between two keys, as between the keys of a person: the frames of the last one are over. */
const REST = 50

/** Types into the focused element, one real key after the last one painted. Answers the milliseconds of each. */
async function typeKeys(page, client, keys) {
  await page.evaluate(() => {
    window.__keys = []
    addEventListener(
      'keydown',
      (event) => {
        const from = event.timeStamp
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => {
            window.__keys.push(performance.now() - from)
            window.__painted?.()
          }
          channel.port2.postMessage(0)
        })
      },
      true,
    )
  })
  for (const [index, key] of [...keys].entries()) {
    await client.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      text: key,
      unmodifiedText: key,
      code: `Key${key.toUpperCase()}`,
    })
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: `Key${key.toUpperCase()}` })
    // not by polling: that keeps frames coming, and a key right after the start of a frame waits for the whole next one
    await page.evaluate(
      (count) => window.__keys.length > count || new Promise((resolve) => (window.__painted = () => resolve(true))),
      index,
    )
    await page.waitForTimeout(REST)
  }
  return page.evaluate(() => window.__keys)
}

async function measureForm(page, client) {
  const keysAt = await page.evaluateHandle(() => window.__bench.field(100))
  await keysAt.asElement().scrollIntoViewIfNeeded()
  await page.evaluate(() => window.__bench.field(100)?.focus())
  await page.waitForTimeout(400)
  const keys = await typeKeys(page, client, KEYS)
  const typed = await page.evaluate(() => window.__bench.field(100).value)
  await page.evaluate(() => window.__bench.field(1)?.focus())
  await page.waitForTimeout(400)
  await page.evaluate(() => {
    window.__linked = new Promise((resolve) => {
      addEventListener(
        'keydown',
        (event) => {
          const look = () =>
            window.__bench.fields() >= 185
              ? requestAnimationFrame(() => resolve(performance.now() - event.timeStamp))
              : requestAnimationFrame(look)
          requestAnimationFrame(look)
        },
        { once: true, capture: true },
      )
    })
  })
  await client.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'x', text: 'x', code: 'KeyX' })
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'x', code: 'KeyX' })
  const linkage = await page.evaluate(() => window.__linked)
  const before = await busy(client)
  const submit = await timed(
    page,
    () => window.__bench.submit().click(),
    () => window.__bench.errors() >= 170,
  )
  const errors = await page.evaluate(() => window.__bench.errors())
  return {
    key: percentile(keys, 0.95),
    lost: KEYS.length - typed.length,
    linkage,
    submit,
    submitCpu: (await busy(client)) - before,
    errors,
  }
}

async function measureRows(page, client) {
  await page.evaluate(() => window.__bench.cell(50)?.focus())
  await page.evaluate(() => document.activeElement.setSelectionRange(99, 99))
  await page.waitForTimeout(400)
  const before = await page.evaluate(() => document.activeElement.value)
  const keys = await typeKeys(page, client, KEYS)
  const typed = await page.evaluate(() => document.activeElement.value)
  return { key: percentile(keys, 0.95), lost: before.length + KEYS.length - typed.length }
}

async function measureList(page) {
  const first = await page.evaluate(() => window.__bench.firstRow()?.textContent)
  const sort = await page.evaluate(
    (text) =>
      new Promise((resolve) => {
        const from = performance.now()
        window.__bench.sorter().click()
        const look = () =>
          window.__bench.firstRow()?.textContent !== text
            ? requestAnimationFrame(() => resolve(performance.now() - from))
            : requestAnimationFrame(look)
        requestAnimationFrame(look)
      }),
    first,
  )
  return { sort }
}

async function once(browser, address, workload) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Performance.enable')
  let gzip = 0
  const sizes = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(
        response.body().then(
          (body) => (gzip += gzipSync(body).length),
          () => {},
        ),
      )
  })
  await page.goto(address)
  await page.evaluate(() => window.__bench.ready)
  await page.waitForTimeout(300)
  await Promise.all(sizes)
  const cpuBefore = await busy(client)
  const mount = await timed(page, () => window.__bench.mount(), workload.mounted)
  const cpu = (await busy(client)) - cpuBefore
  await page.waitForTimeout(500)
  await client.send('HeapProfiler.collectGarbage')
  const heap = (await metric(client, 'JSHeapUsedSize')) / 1e6
  const rest = await workload.measure(page, client)
  await context.close()
  return { mount, cpu, heap, gzip: gzip / 1000, ...rest }
}

await ensureBuilt()
const server = await serve(PORT)
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
let failed = false
try {
  for (const [name, workload] of Object.entries(WORKLOADS)) {
    if (ONLY && !ONLY.includes(name)) continue
    const ours = []
    const theirs = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const pair = [
        async () => ours.push(await once(browser, `http://localhost:${PORT}/bench/${workload.path}`, workload)),
        async () => theirs.push(await once(browser, `http://localhost:${PORT}/bench/antd/${workload.path}`, workload)),
      ]
      for (const run of round % 2 === 0 ? pair : pair.reverse()) await run()
    }
    const rows = Object.keys(ours[0]).map((key) => {
      const a = median(ours.map((each) => each[key]))
      const b = median(theirs.map((each) => each[key]))
      const ratio = b === 0 ? a : a / b
      const bar = workload.bars[key]
      const isMet = bar === undefined || (key === 'lost' ? Math.max(...ours.map((each) => each.lost)) <= bar : ratio <= bar)
      if (!isMet) failed = true
      return {
        measure: key,
        ours: Number(a.toFixed(1)),
        antd: Number(b.toFixed(1)),
        ratio: Number(ratio.toFixed(2)),
        bar: bar ?? '',
        '': isMet ? '' : 'MISSED',
      }
    })
    console.log(`\n${name}: medians of ${ROUNDS} alternating rounds (ms, MB, kB)`)
    console.table(rows)
  }
} finally {
  await browser.close()
  server.close()
}
process.exitCode = failed ? 1 : 0

import { existsSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import type { Node, ProcessDocument } from '../src/schema/generated/process'
import { startRealGateway } from '../tests/e2e/support/realGateway'
import { PEOPLE, signInAs } from '../tests/e2e/support/realTest'
import { percentile } from './gatewayServer'

/**
 * From a gesture on the flow of a process to the frame that shows it, with a hundred steps against ten, in turns within one run:
 * `npx tsx bench/canvas.ts [rounds]` after `npm run build`. What is measured stands in bench/README.md.
 */
const [rounds = 3] = process.argv.slice(2).map(Number)
const SIZES = [10, 100] as const
/** Median with a hundred steps against ten. */
const BAR = 2.5
const GESTURES = 30
/** Rest between two gestures, ms. */
const REST = 40
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const DESIGN = '/setModule/process/configer/design'

const label = (text: string) => ({ zh: text, en: text })
const approval = (id: string): Node => ({
  id,
  kind: 'approve',
  label: label(id),
  assignees: [{ rule: 'deptLeader', level: 1 }],
})

/** A flow of so many steps: every tenth forks into branches with two of them. */
function processOf(steps: number): ProcessDocument {
  const nodes: Node[] = []
  let made = 2
  while (made < steps) {
    const number = made
    if (number % 10 === 5 && made + 3 <= steps) {
      const branches = [1, 2].map((branch) => ({
        id: `b${number}${branch}`,
        label: label(`Branch ${branch}`),
        ...(branch === 1 ? { when: '{{ amount > 1000 }}' } : { default: true }),
        nodes: [approval(`s${number}x${branch}`)],
      }))
      nodes.push({ id: `s${number}`, kind: 'condition', label: label(`s${number}`), branches } as Node)
      made += 3
    } else {
      nodes.push(approval(`s${number}`))
      made += 1
    }
  }
  return {
    formatVersion: 3,
    name: `bench${steps}`,
    label: label(`Bench ${steps}`),
    group: 'ops',
    prefix: 'BN',
    form: { fields: { amount: { type: 'string', format: 'decimal', 'x-label': label('Amount') } } },
    nodes: [
      { id: 'start', kind: 'start', label: label('Start') },
      ...nodes,
      { id: 'end', kind: 'end', label: label('End'), result: 'agreed' },
    ],
  } as ProcessDocument
}

async function open(page: Page, steps: number): Promise<void> {
  await page.goto(DESIGN)
  const body = Buffer.from(JSON.stringify(processOf(steps)))
  await page
    .locator('input[type=file][accept=".json"]')
    .setInputFiles({ name: 'bench.json', mimeType: 'application/json', buffer: body })
  await page.getByRole('tab', { name: 'Flow', exact: true }).click()
  await page.getByRole('group', { name: 's3', exact: true }).waitFor()
  await page.waitForTimeout(1_500)
}

/** Starts to write down how long events of that name take to the end of the frame that they cause. */
const watch = (page: Page, name: string) =>
  page.evaluate((event) => {
    const state = window as unknown as { __frames: number[]; __stop?: () => void }
    state.__stop?.()
    state.__frames = []
    const onEvent = ({ timeStamp }: Event): void => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => state.__frames.push(performance.now() - timeStamp)
        channel.port2.postMessage(0)
      })
    }
    document.addEventListener(event, onEvent, true)
    state.__stop = () => document.removeEventListener(event, onEvent, true)
  }, name)
const watched = (page: Page) => page.evaluate(() => (window as unknown as { __frames: number[] }).__frames)

async function gesture(page: Page, name: string, act: (index: number) => Promise<void>): Promise<number[]> {
  await watch(page, name)
  for (let index = 0; index < GESTURES; index += 1) {
    await act(index)
    await page.waitForTimeout(REST)
  }
  return watched(page)
}

/** Every gesture with its frames. */
async function measure(page: Page): Promise<Record<string, number[]>> {
  const stage = await page.getByRole('application', { name: 'Flow' }).boundingBox()
  if (!stage) throw new Error('There is no canvas.')
  const [x, y] = [stage.x + 40, stage.y + stage.height / 2]
  await page.mouse.move(x, y)
  const pan = await gesture(page, 'wheel', (index) => page.mouse.wheel(0, index % 2 === 0 ? 60 : -60))
  await page.keyboard.down('Control')
  const zoom = await gesture(page, 'wheel', (index) => page.mouse.wheel(0, index % 2 === 0 ? 40 : -40))
  await page.keyboard.up('Control')
  const step = page.getByRole('group', { name: 's3', exact: true })
  await step.click()
  const canvas = page.getByRole('application', { name: 'Flow' })
  await canvas.focus()
  const choose = await gesture(page, 'keydown', (index) => page.keyboard.press(index % 2 === 0 ? 'ArrowDown' : 'ArrowUp'))
  await page.keyboard.down('Alt')
  const move = await gesture(page, 'keydown', (index) => page.keyboard.press(index % 2 === 0 ? 'ArrowDown' : 'ArrowUp'))
  await page.keyboard.up('Alt')
  const box = await step.boundingBox()
  if (!box) throw new Error('The step is out of sight.')
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  const drag = await gesture(page, 'pointermove', (index) => page.mouse.move(box.x + 40 + index * 4, box.y + 20 + index * 3))
  await page.mouse.up()
  return { pan, zoom, choose, move, drag }
}

const gateway = await startRealGateway()
const browser = await chromium.launch({ ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] })
const frames = new Map<string, number[]>()
try {
  const context = await browser.newContext({ baseURL: gateway.url, locale: 'en-US', viewport: { width: 1440, height: 900 } })
  // the compiler of this file wraps named functions, also those that are sent to the page
  await context.addInitScript('globalThis.__name = (value) => value')
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await signInAs(page, PEOPLE.administrator, DESIGN)
  for (let round = 0; round < rounds; round += 1)
    for (const steps of SIZES) {
      await open(page, steps)
      for (const [name, times] of Object.entries(await measure(page)))
        frames.set(`${name} ${steps}`, [...(frames.get(`${name} ${steps}`) ?? []), ...times])
    }
} finally {
  await browser.close()
  await gateway.stop()
}
let missed = false
for (const name of ['pan', 'zoom', 'choose', 'move', 'drag']) {
  const [few, many] = SIZES.map((steps) => frames.get(`${name} ${steps}`) ?? [])
  const ratio = percentile(many!, 0.5) / percentile(few!, 0.5)
  const told = [few!, many!].map(
    (times) => `p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
  )
  console.log(`${name}: ${SIZES[0]} steps ${told[0]}; ${SIZES[1]} steps ${told[1]}; ratio ${ratio.toFixed(2)}, bar ${BAR}`)
  missed ||= ratio > BAR
}
process.exitCode = missed ? 1 : 0

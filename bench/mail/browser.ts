import { chromium, type CDPSession, type Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { PEOPLE, signInAs } from '../../tests/e2e/support/realTest'
import { p95, until, type Figure } from './figures'
import { longHtml, searchesOf } from './letters'
import type { MailWorld } from './world'

const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const ROUNDS = Number(process.env.ROUNDS ?? 10)
const LONG = 200_000
const SUBJECT = 'A letter of 200 kB'
const KEYS = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'
/** Milliseconds between two keys. */
const REST = 50

/** What people see: a box opens and scrolls, a search, a letter of 200 kB, keys in its answer. */
export async function browser(world: MailWorld): Promise<Figure[]> {
  const { url, accountId } = world
  await deliverLong(world)
  const opened = await chromium.launch({ executablePath: system, args: ['--no-sandbox'] })
  try {
    const context = await opened.newContext({ baseURL: url, locale: 'en-US', viewport: { width: 1440, height: 900 } })
    // the compiler of this file wraps named functions, also those that are sent to the page
    await context.addInitScript('globalThis.__name = (value) => value')
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Performance.enable')
    await signInAs(page, PEOPLE.sales, `/message/email/inbox?account=${accountId}&tagPath=path`)
    await page.locator('.sb-mail-row').nth(20).waitFor()
    const boxes = await openings(page)
    const { frames, worst } = await scrolling(page)
    const searches = await searching(page)
    const letters = await opening(page, world)
    const { keys, busy } = await typing(page, client)
    return [
      p95('inbox opens, click to paint', boxes, 300),
      { measure: 'longest frame while it scrolls', value: worst, bar: 50, unit: 'ms', beside: `${frames} frames` },
      p95('search, Enter to paint', searches),
      p95('letter of 200 kB, click to paint', letters, 150),
      {
        ...p95('key to paint in its answer', keys, 16),
        beside: `${p95('', keys).beside}, main thread ${busy.toFixed(1)} ms a key`,
      },
    ]
  } finally {
    await opened.close()
  }
}

/** A letter that comes by SMTP, as from outside. */
async function deliverLong({ mailPort, address, sales }: MailWorld): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mailPort, secure: false, ignoreTLS: true })
  await transport.sendMail({ from: 'anna@carrier.example', to: address, subject: SUBJECT, html: longHtml(LONG) })
  transport.close()
  await until(
    'the long letter arrived',
    async () => {
      const { data } = await sales.post<{ list: { subject: string }[] }>('/v2/emailbox/receive/query', { page: 1, size: 5 })
      return data.list.some(({ subject }) => subject === SUBJECT)
    },
    30,
  )
}

/** Milliseconds from a click until rows of the bench stand, or a letter of so many bytes has loaded, and that was painted. */
const clicked = (page: Page, selector: string, wanted: { rows: number } | { bytes: number }): Promise<number> =>
  page.evaluate(
    ([target, what]) =>
      new Promise<number>((resolve, reject) => {
        const seen = <Kind extends HTMLElement>(wanted: string): Kind | undefined =>
          [...document.querySelectorAll<Kind>(wanted)].find((one) => one.offsetParent !== null)
        const element = seen(target)
        if (!element) return reject(new Error(`there is no ${target}`))
        const loaded = new WeakSet<Element>()
        const watched = new WeakSet<Element>()
        // a page that one left may stand behind the one that is seen
        const rowsSeen = (): number =>
          [...document.querySelectorAll<HTMLElement>('.sb-mail-row[data-id^=bench]')].filter((row) => row.offsetParent !== null)
            .length
        const holds = (): boolean => {
          if ('rows' in what) return rowsSeen() > what.rows
          const frame = seen<HTMLIFrameElement>('iframe.sb-mail-letter')
          if (!frame || frame.srcdoc.length < what.bytes) return false
          if (!watched.has(frame)) frame.addEventListener('load', () => loaded.add(frame))
          watched.add(frame)
          return loaded.has(frame)
        }
        const from = performance.now()
        const look = (): void => {
          if (holds()) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
          else if (performance.now() - from > 30_000) reject(new Error(`never after a click on ${target}`))
          else requestAnimationFrame(look)
        }
        element.click()
        requestAnimationFrame(look)
      }),
    [selector, wanted] as const,
  )

/** From another folder to the inbox, until its rows stand. */
async function openings(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.locator('.sb-mail-folders a[href*="/email/sent"]:visible').first().click()
    await page.waitForFunction(
      () =>
        !location.pathname.includes('inbox') &&
        [...document.querySelectorAll<HTMLElement>('.sb-mail-row[data-id^=bench]')].every((row) => row.offsetParent === null),
    )
    await page.waitForTimeout(500)
    times.push(
      await clicked(page, '.sb-mail-folders a[href*="/email/inbox?account"], .sb-mail-folders a[href*="/email/inbox"]', {
        rows: 20,
      }),
    )
  }
  // the first one loads what is compiled once
  return times.slice(1)
}

/** Wheel events over the whole page of the list, back and forth: the longest time between two frames. */
async function scrolling(page: Page): Promise<{ frames: number; worst: number }> {
  await page.evaluate(() => {
    const gaps: number[] = []
    let last = performance.now()
    const note = (): void => {
      gaps.push(performance.now() - last)
      last = performance.now()
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    ;(window as unknown as { __gaps: number[] }).__gaps = gaps
  })
  await page.locator('.sb-mail-rows:visible').hover()
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn % 30 < 15 ? 300 : -300)
    await page.waitForTimeout(16)
  }
  const gaps = await page.evaluate(() => (window as unknown as { __gaps: number[] }).__gaps)
  return { frames: gaps.length, worst: Math.max(...gaps.slice(2)) }
}

async function searching(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < ROUNDS * 2; turn += 1) {
    const field = page.locator('.sb-mail-search input:visible').first()
    await field.fill(searchesOf(turn + 500))
    await page.evaluate(() => {
      const list = [...document.querySelectorAll<HTMLElement>('.sb-mail-list')].find((one) => one.offsetParent !== null)
      const watched = window as unknown as { __found: Promise<number> }
      watched.__found = new Promise((resolve) =>
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const look = (): void => {
              const isThere =
                location.search.includes('q=') && list?.querySelector('.sb-mail-rows:not([aria-busy]), [role=status]')
              if (isThere && !list?.querySelector('[aria-busy]'))
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(() => requestAnimationFrame(look))
          },
          { once: true, capture: true },
        ),
      )
    })
    await field.press('Enter')
    times.push(await page.evaluate(() => (window as unknown as { __found: Promise<number> }).__found))
    await page.waitForTimeout(200)
  }
  return times
}

/** The long letter again and again, another one between. */
async function opening(page: Page, { accountId }: MailWorld): Promise<number[]> {
  await page.goto(`/message/email/inbox?account=${accountId}&tagPath=path`)
  const long = page.locator('.sb-mail-row:visible', { hasText: SUBJECT }).first()
  await long.waitFor()
  const id = await long.getAttribute('data-id')
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.locator('.sb-mail-row[data-id^=bench] a:visible').nth(round).click()
    await page.waitForFunction(() => document.querySelector<HTMLIFrameElement>('iframe.sb-mail-letter')?.srcdoc.length)
    await page.waitForTimeout(500)
    times.push(await clicked(page, `.sb-mail-row[data-id="${id}"] a`, { bytes: LONG }))
  }
  return times.slice(1)
}

/** An answer to the long letter, with its quote beneath: each key from its event to the task after the next frame. */
async function typing(page: Page, client: CDPSession): Promise<{ keys: number[]; busy: number }> {
  const id = await page.locator('.sb-mail-row:visible', { hasText: SUBJECT }).first().getAttribute('data-id')
  await page.goto(`/message/email/write?kind=reply&messageId=${id}`)
  const body = page
    .locator('#sb-mail-body [contenteditable], [contenteditable]#sb-mail-body, .sb-mail-text [contenteditable]')
    .first()
  await body.waitFor()
  await page.locator('.sb-mail-quoted button').first().click()
  await page.locator('iframe.sb-mail-quote').last().waitFor()
  await body.click()
  await page.waitForTimeout(1_000)
  await page.evaluate(() => {
    const watched = window as unknown as { __keys: number[] }
    watched.__keys = []
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => watched.__keys.push(performance.now() - timeStamp)
          channel.port2.postMessage(0)
        }),
      true,
    )
  })
  const before = await taskTime(client)
  for (const [at, key] of [...KEYS].entries()) {
    await client.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      text: key,
      unmodifiedText: key,
      code: `Key${key.toUpperCase()}`,
    })
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: `Key${key.toUpperCase()}` })
    await page.waitForFunction((count) => (window as unknown as { __keys: number[] }).__keys.length > count, at, { polling: 20 })
    await page.waitForTimeout(REST)
  }
  const busy = ((await taskTime(client)) - before) / KEYS.length
  const typed = await body.textContent()
  if (!typed?.includes(KEYS)) throw new Error(`Keys were lost: ${typed?.slice(0, 80)}`)
  const keys = await page.evaluate(() => (window as unknown as { __keys: number[] }).__keys)
  return { keys, busy }
}

/** Milliseconds of the main thread. */
async function taskTime(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

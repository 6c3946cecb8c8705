import { expect, type Browser, type Page } from '@playwright/test'
import { quickMotion } from './quickMotion'
import { PEOPLE, signInAs, test as realTest, watch, type VisitorOptions } from './realTest'
import { startRealGateway, type RealGateway } from './realGateway'

/** The days of the week that is played: its gateway stands on its Monday, whatever the real day is. */
export const DAYS = {
  monday: '2026-06-08',
  tuesday: '2026-06-09',
  wednesday: '2026-06-10',
  thursday: '2026-06-11',
  friday: '2026-06-12',
  sunday: '2026-06-14',
} as const
export type DayName = keyof typeof DAYS

/** When the week begins, in the company's zone. */
const BEGIN = new Date(`${DAYS.monday}T09:00:00+08:00`)

/** Who plays: two sales of two teams, the lead of both, an administrator. One signed-in window each for the whole week. */
export interface Team {
  /** 徐志强, China Team 1, in Chinese. */
  zhiqiang: Page
  /** Jie Tang, China Team 2, in English. */
  jie: Page
  /** 徐静, leads China Team 1, in Chinese. */
  manager: Page
  /** In English. */
  admin: Page
}

export interface Week extends Team {
  /** Moves the clock of the gateway; what is due by then has run. Answers the names of the jobs. */
  moveTo(day: DayName, time: string): Promise<string[]>
}

/** The gateway of the week and its people live as long as the worker; each test fails by faults on any of their pages. */
export const test = realTest.extend<{ quiet: void }, { week: Week; seen: string[] }>({
  gateway: [
    async ({}, provide) => {
      const minutes = Math.round((BEGIN.getTime() - Date.now()) / 60_000)
      const gateway = await startRealGateway({ env: { CLOCK_SHIFT: `${minutes}m`, DEMO_NOW: BEGIN.toISOString() } })
      await provide(gateway)
      await gateway.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  seen: [async ({}, provide) => provide([]), { scope: 'worker' }],
  week: [
    async ({ browser, gateway, seen }, provide) => {
      const enter = personOf(browser, gateway, seen)
      const admin = await enter(PEOPLE.administrator, { locale: 'en-US' })
      const team: Team = {
        admin,
        zhiqiang: await enter(PEOPLE.sales, { locale: 'zh-CN' }),
        jie: await enter('S0014', { locale: 'en-US' }),
        manager: await enter('S0005', { locale: 'zh-CN' }),
      }
      await provide({ ...team, moveTo: (day, time) => moveClock(admin, new Date(`${DAYS[day]}T${time}:00+08:00`)) })
      for (const page of Object.values(team)) await page.context().close()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  quiet: [
    async ({ seen, week: { moveTo: _moveTo, ...team } }, provide, info) => {
      await provide()
      if (info.status !== info.expectedStatus)
        for (const [name, page] of Object.entries(team)) await page.screenshot({ path: info.outputPath(`${name}.png`) })
      // a session of yesterday is renewed at its first call
      expect(seen.splice(0).filter((fault) => !/\b401\b/.test(fault))).toEqual([])
    },
    { auto: true },
  ],
})

const personOf =
  (browser: Browser, { url }: RealGateway, seen: string[]) =>
  async (jobNumber: string, options: VisitorOptions): Promise<Page> => {
    const here = { baseURL: url, viewport: { width: 1440, height: 900 }, timezoneId: 'Asia/Shanghai' }
    const context = await browser.newContext({ ...here, ...options })
    quickMotion(context)
    const page = await context.newPage()
    watch(context, page, seen)
    await signInAs(page, jobNumber, '/home')
    await expect(page.locator('.sb-user')).toBeVisible()
    return page
  }

/**
 * Puts the clock of a gateway where things are tried out to a moment, and answers the jobs that became due by it. With `leave` the
 * portal is left before: its session ends by the move.
 */
export async function moveClock(admin: Page, to: Date, { leave = false } = {}): Promise<string[]> {
  // the page renews its session, should it be of yesterday
  await admin.goto('/home')
  await expect(admin.locator('.sb-user')).toBeVisible()
  const cookies = await admin.context().cookies()
  const token = cookies.find(({ name }) => /token$/i.test(name) && !/refresh/i.test(name))?.value ?? ''
  if (leave) await admin.goto('about:blank')
  const shiftSeconds = Math.round((to.getTime() - Date.now()) / 1000)
  const answer = await admin.request.post('/v2/sys/clock', {
    headers: { authorization: `Bearer ${decodeURIComponent(token)}` },
    data: { shiftSeconds },
    // all jobs of the days between run before the answer
    timeout: 180_000,
  })
  const { code, data } = (await answer.json()) as { code: number; data: { ran: string[] } | null }
  if (code !== 0 || !data) throw new Error(`The clock did not move: ${await answer.text()}`)
  return data.ran
}

export { expect } from '@playwright/test'

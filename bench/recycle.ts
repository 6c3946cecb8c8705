import { crmJobs } from '../gateway/modules/crm/jobs'
import { addDays, dayOf } from '../gateway/platform/calendar'
import type { Database } from '../gateway/platform/database'
import { Scheduler, type JobReport } from '../gateway/platform/jobs'
import { percentile, serveBench } from './gatewayServer'
import { fillCustomers, fillFigures, fillFollowUps, openBench } from './gatewayWorld'

/**
 * Nights of customer relations over a million customers: `npx tsx bench/recycle.ts [data folder] [customers] [follow-ups]`; the
 * method stands in bench/README.md. Beside each run one client keeps calling, as users would.
 */
const [dataDir = 'data/bench-list', customers = '1000000', followUps = '5000000'] = process.argv.slice(2)
const ZONE = 'Asia/Shanghai'

const { database, engine } = await openBench(dataDir, 6)
await fillCustomers(database, Number(customers))
await fillFollowUps(database, Number(followUps), Number(customers))
await fillFigures(database, Number(customers))

const last = await database.query<{ day: string | null }>(
  `select max(for_day)::text as day from sys_job_run where job = 'crm.recycle' and not coalesce(dry, false)`,
)
let today = addDays([last.rows[0]?.day ?? '', dayOf(new Date(), ZONE)].sort().at(-1)!, 1)
const now = (): Date => new Date(`${today}T02:00:00+08:00`)
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const scheduler = new Scheduler({ database, timeZone: ZONE, now, logger })
for (const job of crmJobs({ engine, database, timeZone: ZONE, connectors: new Map() })) scheduler.register(job)
const server = await serveBench(engine)

/** One client that reads a sales person's list and writes a follow-up in turn, until it is told to stop. */
async function callMeanwhile<Result>(work: () => Promise<Result>): Promise<{ result: Result; times: number[] }> {
  const times: number[] = []
  let running = true
  const list = {
    where: [{ field: 'holding', operator: 'eq', value: 'private' }],
    sort: [{ field: 'nextFollowAt', order: 'asc' }],
  }
  const calling = (async () => {
    for (let turn = 0; running; turn += 1) {
      times.push(await server.call('sales', 1 + (turn % 400), '/v2/crm/customer/queryPage', { ...list, pageSize: 20 }))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  try {
    return { result: await work(), times }
  } finally {
    running = false
    await calling
  }
}

async function night(title: string, job: string, dry: boolean): Promise<void> {
  const definition = scheduler.find(job)
  if (!definition) throw new Error(`There is no job ${job}.`)
  const started = performance.now()
  const { result, times } = await callMeanwhile(() => scheduler.runNow(definition, { dry, startedBy: null }))
  const seconds = (performance.now() - started) / 1000
  const { rows } = await database.query<{ report: JobReport | null; error: string | null }>(
    `select report, error from sys_job_run where id = $1`,
    [result],
  )
  const figures = rows[0]?.report?.figures.map(({ id, value }) => `${id} ${value.toLocaleString('en')}`).join(', ')
  const beside = times.length > 0 ? `list beside it p95 ${percentile(times, 0.95).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms` : '' // prettier-ignore
  console.log(`${title.padEnd(44)} ${seconds.toFixed(1).padStart(6)} s  ${figures ?? rows[0]?.error}; ${beside}`)
}

async function limit(db: Database, maxPerNight: number): Promise<void> {
  await db.query(
    `insert into sys_rule_set (id, key, version_no, params, effective_from, created_at, updated_at, version)
     select $1, 'crm.sea', $2, $3, $4, $4, $4, 1`,
    [`bench-${today}-${maxPerNight}`, Date.now() % 1_000_000_000, { maxPerNight }, now().toISOString()],
  )
}

const only = process.env.ONLY?.split(',')
const step = async (name: string, work: () => Promise<void>): Promise<void> => {
  if (!only || only.includes(name)) await work()
}
await step('dry', () => night('recycling, dry', 'crm.recycle', true))
await step('first', () => night('recycling, the first night (all days computed)', 'crm.recycle', false))
today = addDays(today, 3)
await step('usual', async () => {
  await limit(database, 500)
  await night('recycling, 500 a night', 'crm.recycle', false)
})
today = addDays(today, 1)
await step('many', async () => {
  await limit(database, 100_000)
  await night('recycling, 100,000 in one night', 'crm.recycle', false)
})
await step('level', async () => {
  await night('levels, dry', 'crm.level', true)
  await night('levels', 'crm.level', false)
})
await step('churn', async () => {
  await night('churn, dry', 'crm.churn', true)
  await night('churn', 'crm.churn', false)
})
await server.close()
await database.close()

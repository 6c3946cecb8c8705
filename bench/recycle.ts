import { moduleSettings } from '../gateway/modules'
import { JOBS } from '../gateway/modules/generated'
import { addDays, dayOf } from '../gateway/platform/calendar'
import { readConfiguration } from '../gateway/platform/configuration'
import type { Database } from '../gateway/platform/database'
import { Scheduler, type JobReport } from '../gateway/platform/jobs'
import { Queue } from '../gateway/platform/queue'
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
  `select max(for_day)::text as day from sys_job_run where job = 'sys.deadlines' and not coalesce(dry, false)`,
)
let today = addDays([last.rows[0]?.day ?? '', dayOf(new Date(), ZONE)].sort().at(-1)!, 1)
const now = (): Date => new Date(`${today}T02:00:00+08:00`)
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const queue = new Queue({ database, logger, now })
const scheduler = new Scheduler({ database, queue, timeZone: ZONE, now, logger })
const configuration = readConfiguration({ COMPANY_TIME_ZONE: ZONE }, process.cwd(), moduleSettings())
for (const make of JOBS) {
  const job = make({ engine, database, configuration })
  if (job.name.startsWith('crm.')) scheduler.register(job)
}
scheduler.register(engine.renewal)
scheduler.register(engine.deadlines)
const server = await serveBench(engine)

interface Beside {
  /** Milliseconds of a sales person's list, and of saving a customer of his. */
  lists: number[]
  saves: number[]
}

/** One client that reads a sales person's list and saves a customer in turn, until it is told to stop. */
async function callMeanwhile<Result>(work: () => Promise<Result>): Promise<{ result: Result; beside: Beside }> {
  const beside: Beside = { lists: [], saves: [] }
  let running = true
  const list = {
    where: [{ field: 'holding', operator: 'eq', value: 'private' }],
    sort: [{ field: 'nextFollowAt', order: 'asc' }],
  }
  const calling = (async () => {
    for (let turn = 0; running; turn += 1) {
      const owner = 1 + ((turn * 7) % 400)
      beside.lists.push(await server.call('sales', owner, '/v2/crm/customer/queryPage', { ...list, pageSize: 20 }))
      await new Promise((resolve) => setTimeout(resolve, 100))
      beside.saves.push(...(await saveOne(owner)))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  try {
    return { result: await work(), beside }
  } finally {
    running = false
    await calling
  }
}

/** Saves one customer of somebody; nothing when the night has it at the same moment (it is in the sea now, or another version). */
async function saveOne(owner: number): Promise<number[]> {
  const { rows } = await database.query<{ id: string; version: number }>(
    `select id, version from crm_customer where owner_id = $1 and holding = 'private' and deleted_at is null
     order by next_follow_at, id offset $2 limit 1`,
    [`s${owner}`, Math.floor(Math.random() * 500)],
  )
  if (!rows[0]) return []
  const body = { ...rows[0], remark: `looked at ${Date.now()}` }
  return server.call('sales', owner, '/v2/crm/customer/save', body).then(
    (time) => [time],
    (error: unknown) => {
      if (!/10010004|10010006/.test(String(error))) throw error
      return []
    },
  )
}

async function night(title: string, job: string, dry: boolean): Promise<void> {
  const definition = scheduler.find(job)
  if (!definition) throw new Error(`There is no job ${job}.`)
  const started = performance.now()
  const { result, beside } = await callMeanwhile(() => scheduler.runNow(definition, { dry, startedBy: null }))
  const seconds = (performance.now() - started) / 1000
  const { rows } = await database.query<{ report: JobReport | null; error: string | null }>(
    `select report, error from sys_job_run where id = $1`,
    [result],
  )
  const figures = rows[0]?.report?.figures.map(({ id, value }) => `${id} ${value.toLocaleString('en')}`).join(', ')
  const told = (['lists', 'saves'] as const)
    .filter((kind) => beside[kind].length > 0)
    .map((kind) => `${kind} p95 ${percentile(beside[kind], 0.95).toFixed(0)}, max ${Math.max(...beside[kind]).toFixed(0)} ms`)
  console.log(
    `${title.padEnd(44)} ${seconds.toFixed(1).padStart(6)} s  ${figures ?? rows[0]?.error}; beside it ${told.join(', ')}`,
  )
}

/** Days are renewed, then who is due goes. */
async function recycling(title: string): Promise<void> {
  await night(`${title}: days`, 'sys.renewal', false)
  await night(`${title}: taking`, 'sys.deadlines', false)
}

/** A new version of the rule. */
async function rule(db: Database, params: Readonly<Record<string, unknown>>): Promise<void> {
  await db.query(
    `insert into sys_rule_set (id, key, version_no, params, effective_from, created_at, updated_at, version)
     select $1, 'crm.sea', $2, $3, $4, $4, $4, 1`,
    [`bench-${today}-${Date.now()}`, Date.now() % 1_000_000_000, params, now().toISOString()],
  )
}

/** Everybody back to the owner from whom a night took him, no deadline known and nobody reminded, as before the first night. */
async function restore(db: Database): Promise<void> {
  console.log('bringing the customers back to their owners ...')
  await db.query(`update crm_customer set recycle_on = null, holding = 'private', owner_id = coalesce(owner_id, last_owner_id),
      owner_dept_id = coalesce(owner_dept_id, (select main_dept_id from sys_staff where id = last_owner_id)), owned_at = coalesce(owned_at, now() - interval '100 days')
    where recycle_on is not null or (holding = 'sea' and last_owner_id is not null)`)
  // as tightly packed as after an import
  await db.query('vacuum (full, analyze) crm_customer')
  await db.query(
    'truncate sys_todo, crm_sea_record, crm_owner_log, entity_deadline_done, entity_deadline_night, entity_deadline_parked',
  )
  console.log('  done')
}

const only = process.env.ONLY?.split(',')
const step = async (name: string, work: () => Promise<void>): Promise<void> => {
  if (!only || only.includes(name)) await work()
}
await step('dry', () => night('recycling, dry', 'sys.deadlines', true))
await step('first', async () => {
  await restore(database)
  await recycling('recycling, the first night (all days computed)')
})
today = addDays(today, 3)
await step('usual', async () => {
  await rule(database, { maxPerNight: 500 })
  await recycling('recycling, 500 a night')
})
today = addDays(today, 1)
await step('changed', async () => {
  const noFollowDays = { potential: 400, following: 400, testing: 400, quoted: 400, dealt: 400 }
  await rule(database, { maxPerNight: 500, firstTouchDays: 400, noDealDays: 800, noFollowDays })
  await recycling('recycling, after the rule became milder')
  today = addDays(today, 1)
  await rule(database, { maxPerNight: 500 })
  await recycling('recycling, after the rule became stricter')
})
today = addDays(today, 4)
await step('many', async () => {
  await rule(database, { maxPerNight: Number(process.env.MANY ?? 100_000) })
  await recycling('recycling, 100,000 in one night')
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

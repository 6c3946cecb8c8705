import { sql, type SQL } from 'drizzle-orm'
import { isConnectionLoss, type Transaction } from '../../platform/database'
import { systemContext } from '../../platform/http'
import { momentOf, stageOf, type FrequentJob, type JobReport, type TellProgress } from '../../platform/jobs'
import type { Core } from '../core'
import { metBy, notFull, remindedBy } from './due'
import { parkedOf } from './parked'
import { plansOf, type DeadlineContext, type DeadlinePlan, type SettledPlan } from './plan'
import { Findings, labelOf, type Told } from './report'
import { remindBatch } from './remind'
import { settled } from './resolve'
import { takeBatch } from './take'

/** Seconds between looks for what is due. */
const LOOK = 60
/** Failed records of one deadline that a report names. */
const MOST_PARKED = 100

type InTransaction = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** Does what the records of all entities are due for. */
export function deadlineJob(core: Core, inTransaction: InTransaction): FrequentJob {
  const plans = (): readonly DeadlinePlan[] => core.registry.all().flatMap((model) => plansOf(model))
  return {
    name: 'sys.deadlines',
    title: { zh: '到期处理', en: 'Deadlines' },
    description: {
      zh: '记录到了期限就按其规则流转、提醒或删除；处理不了的记录会列出原因，稍后再试。',
      en: 'Does what records are due for: transitions, reminders, deletion. A record that fails is listed with the reason and tried again later.',
    },
    schedule: { every: 'seconds', seconds: LOOK },
    waiting: (now) => inTransaction((tx) => isWaiting({ core, tx, context: systemContext({ now }) }, plans())),
    run: (job, tell) => {
      const now = momentOf(job, core.registry.timeZone)
      return job.dry ? tried(core, inTransaction, plans(), now, tell) : done(core, inTransaction, plans(), now, tell)
    },
  }
}

/** Whether a record is due, or somebody is to be reminded: one statement, served by an index for each deadline. */
async function isWaiting(work: DeadlineContext, plans: readonly DeadlinePlan[]): Promise<boolean> {
  const asked = { registry: work.core.registry, now: work.context.now }
  const looks: SQL[] = []
  for (const plan of plans) {
    // a deadline whose rules cannot be read says so in the next report
    const plain = await settled(work, plan).catch(() => null)
    if (!plain) continue
    if (acts(plain)) looks.push(sql`${metBy(plain, asked)}${plain.most === null ? sql`` : sql` and ${notFull(plain, asked)}`}`)
    looks.push(...plain.reminders.map((reminder) => remindedBy(plain, reminder, asked)))
  }
  if (looks.length === 0) return false
  const found = looks.map((look) => sql`exists (select ${look})`)
  const { rows } = await work.tx.query<{ found: boolean }>(sql`select ${sql.join(found, sql` or `)} as found`)
  return rows[0]?.found === true
}

const acts = ({ deadline }: DeadlinePlan): boolean => deadline.transition !== undefined || deadline.delete === true

type Batch = <Result>(work: (work: DeadlineContext) => Promise<Result>) => Promise<Result>

/** For real: each batch in a transaction of its own. */
async function done(
  core: Core,
  inTransaction: InTransaction,
  plans: readonly DeadlinePlan[],
  now: Date,
  tell: TellProgress,
): Promise<JobReport> {
  const context = systemContext({ now })
  const inBatch: Batch = (work) => inTransaction((tx) => work({ core, tx, context }))
  return workedOff(plans, inBatch, tell)
}

/** Dry: all in one transaction that is undone, so that it shows exactly what a real run would do. */
async function tried(
  core: Core,
  inTransaction: InTransaction,
  plans: readonly DeadlinePlan[],
  now: Date,
  tell: TellProgress,
): Promise<JobReport> {
  const context = systemContext({ now })
  const undone = new Error('A dry run is undone.')
  let report: JobReport | undefined
  await inTransaction(async (tx) => {
    report = await workedOff(plans, (work) => tx.transaction((inner) => work({ core, tx: inner, context })), tell)
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return report!
}

async function workedOff(plans: readonly DeadlinePlan[], inBatch: Batch, tell: TellProgress): Promise<JobReport> {
  const findings = new Findings()
  const failed = new Set<string>()
  const add = (told: readonly Told[]): void => {
    findings.add(told)
    for (const one of told) if (one.failed) failed.add(nameOf(one))
  }
  for (const plan of plans)
    try {
      const plain = await inBatch((work) => settled(work, plan))
      if (acts(plain)) findings.leave(await workOff(plain, inBatch, tell, add))
      await remindAll(plain, inBatch, add)
    } catch (error) {
      // the other deadlines go on
      if (isConnectionLoss(error)) throw error
      const message = error instanceof Error ? error.message : String(error)
      findings.add([{ plan, step: '', row: { id: '' }, failed: { zh: message, en: message } }])
    }
  return inBatch(async ({ core, tx, context }) => {
    for (const plan of plans) {
      const waiting = (await parkedOf(tx, plan, context.now, MOST_PARKED)).map((one) => ({ plan, ...one }))
      findings.add(waiting.filter((one) => !failed.has(nameOf(one))))
    }
    return findings.report(core, tx, context)
  })
}

const nameOf = ({ plan, step, row }: Told): string => `${plan.model.name} ${plan.deadline.id} ${step} ${String(row.id)}`

/** Takes all that meet one deadline, batch after batch; answers how many are left for another night. */
async function workOff(
  plan: SettledPlan,
  inBatch: Batch,
  tell: TellProgress,
  add: (told: readonly Told[]) => void,
): Promise<number> {
  const { most } = plan
  const total = await inBatch(async ({ core, tx, context }) => {
    const { rows } = await tx.query<{ total: number }>(
      sql`select count(*) as total ${metBy(plan, { registry: core.registry, now: context.now })}`,
    )
    return Number(rows[0]?.total ?? 0)
  })
  if (total === 0) return 0
  const forward = stageOf(tell, labelOf(plan), most === null ? total : Math.min(most, total))
  const seen = new Set<unknown>()
  for (;;) {
    const taken = await inBatch((work) => takeBatch(work, plan))
    const fresh = taken.filter(({ row }) => !seen.has(row.id))
    // a record that is due again at once was taken once
    if (fresh.length === 0) return most === null ? 0 : Math.max(0, total - seen.size)
    for (const { row } of fresh) seen.add(row.id)
    add(fresh.map((one) => ({ plan, step: '', ...one })))
    forward(fresh.length)
  }
}

/** Reminds of records that are not due yet; the reminder nearest to the deadline first, which makes those before it needless. */
async function remindAll(plan: SettledPlan, inBatch: Batch, add: (told: readonly Told[]) => void): Promise<void> {
  const nearest = [...plan.reminders].sort((a, b) => lengthOf(a.before) - lengthOf(b.before))
  for (const [index, reminder] of nearest.entries())
    for (;;) {
      const instead = nearest.slice(index).map(({ id }) => id)
      const told = await inBatch((work) => remindBatch(work, plan, reminder, instead))
      if (told.length === 0) break
      add(told.map((one) => ({ plan, step: reminder.id, ...one })))
    }
}

/** About how many hours a length of time has, to tell longer from shorter. */
function lengthOf(duration: string): number {
  const hours = { Y: 8766, M: 730.5, W: 168, D: 24 }
  const [days = '', time = ''] = duration.slice(1).split('T', 2)
  const sum = (text: string, sizes: Readonly<Record<string, number>>): number =>
    [...text.matchAll(/(\d+)([A-Z])/g)].reduce((total, [, count, unit]) => total + Number(count) * (sizes[unit ?? ''] ?? 0), 0)
  return sum(days, hours) + sum(time, { H: 1, M: 1 / 60, S: 1 / 3600 })
}

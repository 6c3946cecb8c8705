import { sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/database'
import { systemContext } from '../../platform/http'
import { momentOf, stageOf, type FrequentJob, type JobReport, type TellProgress } from '../../platform/jobs'
import type { Core } from '../core'
import { metBy } from './due'
import { parkedOf } from './parked'
import { plansOf, type DeadlinePlace, type DeadlinePlan } from './plan'
import { Findings, labelOf, type Told } from './report'
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
    waiting: async (now) => {
      const asked = { registry: core.registry, now }
      const looks = plans()
        .filter(({ deadline }) => acts(deadline))
        .map((plan) => sql`exists (select ${metBy(plan, asked)})`)
      if (looks.length === 0) return false
      const { rows } = await core.database.query<{ found: boolean }>(sql`select ${sql.join(looks, sql` or `)} as found`)
      return rows[0]?.found === true
    },
    run: (job, tell) => {
      const now = momentOf(job, core.registry.timeZone)
      return job.dry ? tried(core, inTransaction, plans(), now, tell) : done(core, inTransaction, plans(), now, tell)
    },
  }
}

const acts = ({ transition, delete: deletes }: DeadlinePlan['deadline']): boolean => transition !== undefined || deletes === true

type Batch = <Result>(work: (place: DeadlinePlace) => Promise<Result>) => Promise<Result>

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
    report = await workedOff(plans, (work) => work({ core, tx, context }), tell)
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
  for (const plan of plans) if (acts(plan.deadline)) await workOff(plan, inBatch, tell, add)
  return inBatch(async ({ core, tx, context }) => {
    for (const plan of plans) {
      const waiting = (await parkedOf(tx, plan, context.now, MOST_PARKED)).map((one) => ({ plan, ...one }))
      findings.add(waiting.filter((one) => !failed.has(nameOf(one))))
    }
    return findings.report(core, tx, context)
  })
}

const nameOf = ({ plan, step, row }: Told): string => `${plan.model.name} ${plan.deadline.id} ${step} ${String(row.id)}`

/** Takes all that meet one deadline, batch after batch. */
async function workOff(
  plan: DeadlinePlan,
  inBatch: Batch,
  tell: TellProgress,
  add: (told: readonly Told[]) => void,
): Promise<void> {
  const most = typeof plan.deadline.most === 'number' ? plan.deadline.most : null
  const total = await inBatch(async ({ core, tx, context }) => {
    const { rows } = await tx.query<{ total: number }>(
      sql`select count(*) as total ${metBy(plan, { registry: core.registry, now: context.now })}`,
    )
    return Number(rows[0]?.total ?? 0)
  })
  if (total === 0) return
  const forward = stageOf(tell, labelOf(plan), most === null ? total : Math.min(most, total))
  const seen = new Set<unknown>()
  for (;;) {
    const taken = await inBatch((place) => takeBatch(place, plan, most))
    const fresh = taken.filter(({ row }) => !seen.has(row.id))
    // a record that is due again at once was taken once
    if (fresh.length === 0) return
    for (const { row } of fresh) seen.add(row.id)
    add(fresh.map((one) => ({ plan, step: '', ...one })))
    forward(fresh.length)
  }
}

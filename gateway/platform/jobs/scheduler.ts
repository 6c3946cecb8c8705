import { dayOf, type Day } from '../calendar'
import type { Database, DatabaseLogger } from '../database'
import { beat, claimRun, endRun, HEARTBEAT, lastRun } from './runs'
import { lastDue, nextDue } from './schedule'
import type { JobDefinition, JobPlace, JobReport } from './types'

export interface SchedulerOptions {
  database: Database
  timeZone: string
  now: () => Date
  logger: DatabaseLogger
}

/** Milliseconds between looks at the clock. */
const LOOK_EVERY = 30_000
/** A failed night is tried again after this. */
const RETRY_AFTER = 30 * 60_000

/** Runs the jobs that modules register: each slot once, one run at a time over all gateways of a database. */
export class Scheduler {
  private readonly jobs = new Map<string, JobDefinition>()
  private timer: NodeJS.Timeout | null = null
  private looking: Promise<readonly string[]> | null = null
  private readonly failedAt = new Map<string, number>()

  constructor(private readonly options: SchedulerOptions) {}

  register(job: JobDefinition): void {
    if (this.jobs.has(job.name)) throw new Error(`The job "${job.name}" is registered twice.`)
    this.jobs.set(job.name, job)
  }
  find(name: string): JobDefinition | undefined {
    return this.jobs.get(name)
  }
  all(): readonly JobDefinition[] {
    return [...this.jobs.values()]
  }
  nextAt(job: JobDefinition): Date {
    return nextDue(job.schedule, this.options.now(), this.options.timeZone)
  }

  /** Looks at the clock now and then until `stop`. */
  start(): void {
    const look = (): void => {
      this.runDue().catch((error: unknown) => this.options.logger.error({ err: error }, 'the jobs could not be looked after'))
    }
    this.timer = setInterval(look, LOOK_EVERY)
    this.timer.unref()
    look()
  }
  /** Waits for a run that is under way. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
    await this.looking?.catch(() => undefined)
  }

  /** Runs what is due; several missed slots of a job are caught up by one run, of the last slot. Answers the names. */
  async runDue(): Promise<readonly string[]> {
    while (this.looking) await this.looking
    this.looking = this.catchUp()
    try {
      return await this.looking
    } finally {
      this.looking = null
    }
  }

  private async catchUp(): Promise<readonly string[]> {
    const { database, timeZone, now } = this.options
    const ran: string[] = []
    const due = this.all()
      .map((job) => ({ job, ...lastDue(job.schedule, now(), timeZone) }))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
    for (const { job, at, day } of due) {
      const last = await lastRun(database, job.name)
      // a database that has never seen the job waits for its first night
      if (!last) {
        await this.note(job, at, day)
        continue
      }
      if (Date.parse(last.startedAt) >= at.getTime() && last.status !== 'failed') continue
      if ((this.failedAt.get(job.name) ?? -Infinity) > now().getTime() - RETRY_AFTER) continue
      const place = { now: now(), day, dry: false, startedBy: null }
      const id = await claimRun(database, job, place, slotOf(job, at))
      if (id === null) continue
      const { error } = await this.perform(job, place, id)
      if (error === undefined) ran.push(job.name)
      else this.failedAt.set(job.name, now().getTime())
    }
    return ran
  }

  /** A job that is new here did its past slots, by definition. */
  private async note(job: JobDefinition, at: Date, day: Day): Promise<void> {
    const place = { now: at, day, dry: false, startedBy: null }
    const id = await claimRun(this.options.database, job, place, slotOf(job, at))
    if (id !== null) await endRun(this.options.database, id, { report: { figures: [], columns: [], rows: [], more: 0 } }, at)
  }

  /** Runs a job because somebody asks. Answers the id of the run, or null when another run is under way. */
  async runNow(job: JobDefinition, asked: { dry: boolean; day?: Day; startedBy: string | null }): Promise<string | null> {
    const now = this.options.now()
    const day = asked.day ?? dayOf(now, this.options.timeZone)
    const place: JobPlace = { now, day, dry: asked.dry, startedBy: asked.startedBy }
    const id = await claimRun(this.options.database, job, place, null)
    if (id !== null) await this.perform(job, place, id)
    return id
  }

  private async perform(job: JobDefinition, place: JobPlace, id: string): Promise<{ report?: JobReport; error?: string }> {
    const { database, logger, now } = this.options
    const beating = setInterval(() => {
      beat(database, id).catch((error: unknown) => logger.warn({ err: error }, 'a running job could not say that it lives'))
    }, HEARTBEAT)
    beating.unref()
    try {
      const report = await job.run(place)
      await endRun(database, id, { report }, now())
      return { report }
    } catch (error) {
      logger.error({ err: error, job: job.name }, 'a job failed')
      const reason = error instanceof Error ? error.message : String(error)
      await endRun(database, id, { error: reason }, now())
      return { error: reason }
    } finally {
      clearInterval(beating)
    }
  }
}

const slotOf = (job: JobDefinition, at: Date): string => `${job.name}/${at.toISOString()}`

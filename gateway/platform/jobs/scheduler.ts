import { dayOf, type Day } from '../calendar'
import type { Database, DatabaseLogger } from '../database'
import { beat, claimRun, endRun, HEARTBEAT, lastRun, progressOf } from './runs'
import { lastDue, nextDue } from './schedule'
import { isFrequent, type FrequentJob, type JobDefinition, type JobPlace, type JobReport, type TimedJob } from './types'

export interface SchedulerOptions {
  database: Database
  timeZone: string
  now: () => Date
  logger: DatabaseLogger
}

/** Milliseconds between looks at the clock. */
const LOOK_EVERY = 2_000
/** A failed night is tried again after this. */
const RETRY_AFTER = 30 * 60_000
/** A failed frequent job is tried again after this. */
const RETRY_SOON = 60_000

/** Nights follow each other, and what falls due at any moment does not wait for a night that takes long. */
type Lane = 'frequent' | 'timed'

/**
 * Runs the jobs that modules register. Timed jobs run each slot once, one at a time over all gateways of a database; frequent
 * ones run beside them whenever something waits.
 */
export class Scheduler {
  private readonly jobs = new Map<string, JobDefinition>()
  private timer: NodeJS.Timeout | null = null
  private readonly looking = new Map<Lane, Promise<readonly string[]>>()
  private readonly failedAt = new Map<string, number>()
  private readonly lookedAt = new Map<string, number>()
  /** Slots that are known to be done, so that a look asks the database only about new ones. */
  private readonly doneSlots = new Map<string, string>()

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
    const now = this.options.now()
    if (isFrequent(job)) return new Date(now.getTime() + job.schedule.seconds * 1000)
    return nextDue(job.schedule, now, this.options.timeZone)
  }

  /**
   * Tells the database of timed jobs that it has never seen: they did their past slots, by definition, and wait for their first
   * night. Called before the clock can be moved.
   */
  async prepare(): Promise<void> {
    const { database, timeZone, now } = this.options
    for (const job of this.timed())
      if (!(await lastRun(database, job.name))) {
        const { at, day } = lastDue(job.schedule, now(), timeZone)
        const place = { now: at, day, dry: false, startedBy: null }
        const id = await claimRun(database, { job, place, slot: slotOf(job, at), beside: [] })
        if (id !== null) await endRun(database, id, { report: { figures: [], columns: [], rows: [], more: 0 } }, at)
      }
  }

  /** Looks at the clock now and then until `stop`. */
  start(): void {
    const look = (): void => {
      for (const lane of ['frequent', 'timed'] as const)
        if (!this.looking.has(lane))
          this.look(lane).catch((error: unknown) =>
            this.options.logger.error({ err: error }, 'the jobs could not be looked after'),
          )
    }
    this.timer = setInterval(look, LOOK_EVERY)
    this.timer.unref()
    look()
  }
  /** Waits for runs that are under way. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
    await Promise.allSettled(this.looking.values())
  }

  /** Runs what is due; several missed slots of a job are caught up by one run, of the last slot. Answers the names. */
  async runDue(): Promise<readonly string[]> {
    const frequent = this.look('frequent')
    // both lanes are taken at once: the scheduler's own look must not run the nights of this one, whose names are asked for
    const timed = this.look('timed', frequent)
    return [...(await frequent), ...(await timed)]
  }

  private async look(lane: Lane, after?: Promise<unknown>): Promise<readonly string[]> {
    for (let before = this.looking.get(lane); before; before = this.looking.get(lane)) await before.catch(() => undefined)
    const work = (): Promise<readonly string[]> => (lane === 'timed' ? this.catchUp() : this.workFrequent())
    const looking = after ? after.then(work, work) : work()
    this.looking.set(lane, looking)
    try {
      return await looking
    } finally {
      this.looking.delete(lane)
    }
  }

  private timed(): readonly TimedJob[] {
    return this.all().filter((job): job is TimedJob => !isFrequent(job))
  }
  private failedLately(job: JobDefinition): boolean {
    const since = this.options.now().getTime() - (this.failedAt.get(job.name) ?? -Infinity)
    return since >= 0 && since < (isFrequent(job) ? RETRY_SOON : RETRY_AFTER)
  }
  /** What may not run at the same time: the other nights, or the same frequent job of another gateway. */
  private beside(job: JobDefinition): readonly string[] {
    return isFrequent(job) ? [job.name] : this.timed().map(({ name }) => name)
  }

  private async workFrequent(): Promise<readonly string[]> {
    const ran: string[] = []
    for (const job of this.all().filter(isFrequent)) if (await this.workOne(job)) ran.push(job.name)
    return ran
  }
  private async workOne(job: FrequentJob): Promise<boolean> {
    const { database, timeZone, now } = this.options
    const at = now()
    const since = at.getTime() - (this.lookedAt.get(job.name) ?? -Infinity)
    // a clock that was put back looks again at once
    if ((since >= 0 && since < job.schedule.seconds * 1000) || this.failedLately(job)) return false
    this.lookedAt.set(job.name, at.getTime())
    if (!(await job.waiting(at))) return false
    const place = { now: at, day: dayOf(at, timeZone), dry: false, startedBy: null }
    const id = await claimRun(database, { job, place, slot: null, beside: this.beside(job) })
    return id !== null && this.succeeded(job, place, id)
  }

  private async catchUp(): Promise<readonly string[]> {
    const { database, timeZone, now } = this.options
    const ran: string[] = []
    const due = this.timed()
      .map((job) => ({ job, ...lastDue(job.schedule, now(), timeZone) }))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
    for (const { job, at, day } of due) {
      const slot = slotOf(job, at)
      if (this.doneSlots.get(job.name) === slot) continue
      const last = await lastRun(database, job.name)
      if (last && Date.parse(last.startedAt) >= at.getTime() && last.status !== 'failed') {
        if (last.status === 'done') this.doneSlots.set(job.name, slot)
        continue
      }
      if (this.failedLately(job)) continue
      const place = { now: now(), day, dry: false, startedBy: null }
      const id = await claimRun(database, { job, place, slot, beside: this.beside(job) })
      if (id !== null && (await this.succeeded(job, place, id))) ran.push(job.name)
    }
    return ran
  }
  private async succeeded(job: JobDefinition, place: JobPlace, id: string): Promise<boolean> {
    const { error } = await this.perform(job, place, id)
    if (error !== undefined) this.failedAt.set(job.name, this.options.now().getTime())
    return error === undefined
  }

  /** Runs a job because somebody asks. Answers the id of the run, or null when another run is under way. */
  async runNow(job: JobDefinition, asked: { dry: boolean; day?: Day; startedBy: string | null }): Promise<string | null> {
    const now = this.options.now()
    const day = asked.day ?? dayOf(now, this.options.timeZone)
    const place: JobPlace = { now, day, dry: asked.dry, startedBy: asked.startedBy }
    const id = await claimRun(this.options.database, { job, place, slot: null, beside: this.beside(job) })
    if (id !== null) await this.perform(job, place, id)
    return id
  }

  private async perform(job: JobDefinition, place: JobPlace, id: string): Promise<{ report?: JobReport; error?: string }> {
    const { database, logger, now } = this.options
    const beating = setInterval(() => {
      beat(database, id).catch((error: unknown) => logger.warn({ err: error }, 'a running job could not say that it lives'))
    }, HEARTBEAT)
    beating.unref()
    const progress = progressOf(database, id, (error) => logger.warn({ err: error }, 'a running job could not say how far it is'))
    try {
      const report = await job.run(place, progress.tell)
      await progress.end()
      await endRun(database, id, { report }, now())
      return { report }
    } catch (error) {
      logger.error({ err: error, job: job.name }, 'a job failed')
      const reason = error instanceof Error ? error.message : String(error)
      await progress.end()
      await endRun(database, id, { error: reason }, now())
      return { error: reason }
    } finally {
      clearInterval(beating)
    }
  }
}

const slotOf = (job: JobDefinition, at: Date): string => `${job.name}/${at.toISOString()}`

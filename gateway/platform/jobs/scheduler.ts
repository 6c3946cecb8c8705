import { dayOf, type Day } from '../calendar'
import type { Database, DatabaseLogger } from '../database'
import type { Message, Outcome, Queue, Work } from '../queue'
import { valuesOf } from './parameters'
import { beat, claimRun, endRun, HEARTBEAT, lastRun, progressOf } from './runs'
import { lastDue, nextDue } from './schedule'
import { isFrequent, type FrequentJob, type JobDefinition, type JobContext, type TimedJob } from './types'

export interface SchedulerOptions {
  database: Database
  queue: Queue
  timeZone: string
  now: () => Date
  logger: DatabaseLogger
}

/** Nights follow each other, and what falls due at any moment does not wait for a night that takes long. */
const LINES = { frequent: 'jobs.frequent', timed: 'jobs.timed' } as const
const MINUTE = 60_000
/** A failed night is tried again after this. */
const RETRY_AFTER = 30 * MINUTE
/** A run that another one stands in the way of waits so long. */
const BESIDE_AFTER = 10_000
/** A job that only other gateways know, whose release is newer, is left to them. */
const UNKNOWN_AFTER = 10 * MINUTE

/** Of a job one message waits in the queue: for its next moment. `since`: slots up to then are done. */
interface Waiting {
  since?: string
}

/**
 * Runs the jobs that modules register. Timed jobs run each slot once, one at a time over all gateways of a database, several that were
 * missed by one run; frequent ones run beside them whenever something waits.
 */
export class Scheduler {
  private readonly jobs = new Map<string, JobDefinition>()

  constructor(private readonly options: SchedulerOptions) {
    const handle = (work: Work<Waiting>): Promise<Outcome> => this.handle(work)
    for (const name of Object.values(LINES)) options.queue.define({ name, retry: { limit: 1_000, delaySeconds: 60 }, handle })
  }

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
  nextAt(job: JobDefinition, now = this.options.now()): Date {
    if (isFrequent(job)) return new Date(now.getTime() + job.schedule.seconds * 1000)
    return nextDue(job.schedule, now, this.options.timeZone)
  }

  /** Sends the first message of jobs that have none: new ones wait for their first night. Called before the clock can be moved. */
  async prepare(): Promise<void> {
    const { database, queue, timeZone, now } = this.options
    for (const [lane, line] of Object.entries(LINES)) {
      const known = await queue.keys(line)
      const messages: Message[] = []
      for (const job of this.all()) {
        if (isFrequent(job) !== (lane === 'frequent') || known.has(job.name)) continue
        if (isFrequent(job)) messages.push({ key: job.name })
        else {
          const last = await lastRun(database, job.name)
          const since = !last ? now() : new Date(last.status === 'failed' ? 0 : last.startedAt)
          const missed = lastDue(job.schedule, now(), timeZone).at > since
          messages.push({ key: job.name, data: { since }, at: missed ? now() : this.nextAt(job) })
        }
      }
      await queue.send(database, line, messages)
    }
  }

  /** Begins to run what falls due. */
  async start(): Promise<void> {
    for (const line of Object.values(LINES)) await this.options.queue.work(line)
  }

  /**
   * Runs what is due by the clock. `move` puts the clock elsewhere before, while nothing runs; lines of the queue that stand in `before` are worked on first.
   * Answers the names of the jobs.
   */
  async runDue({ move, before = [] }: { move?: () => Promise<void>; before?: readonly string[] } = {}): Promise<
    readonly string[]
  > {
    const did = await this.options.queue.hurry([...before, LINES.frequent, LINES.timed], move)
    return did.filter((key) => this.jobs.has(key))
  }

  private handle({ key, data, at }: Work<Waiting>): Promise<Outcome> {
    const job = this.jobs.get(key)
    const now = this.options.now()
    if (!job) return Promise.resolve({ again: after(now, UNKNOWN_AFTER) })
    return isFrequent(job) ? this.handleFrequent(job, at, now) : this.handleTimed(job, at, now, data)
  }

  private async handleFrequent(job: FrequentJob, at: Date, now: Date): Promise<Outcome> {
    const again = this.nextAt(job, now)
    // a clock that was put back looks again at once
    if (at > now && at <= again) return { again: at }
    if (!(await job.waiting(now))) return { again }
    const run = { now, day: dayOf(now, this.options.timeZone), dry: false, startedBy: null }
    const claim = await claimRun(this.options.database, { job, run, slot: null, beside: this.beside(job) })
    if (typeof claim === 'string') return { again }
    const did = await this.perform(job, run, claim.id)
    return { again: did ? again : after(now, Math.max(MINUTE, job.schedule.seconds * 1000)), did }
  }

  private async handleTimed(job: TimedJob, at: Date, now: Date, data: Waiting): Promise<Outcome> {
    const since = new Date(data.since ?? 0)
    if (at > now) return { again: at }
    const { at: slot, day } = lastDue(job.schedule, now, this.options.timeZone)
    const done = { again: this.nextAt(job, since > now ? since : now), data: { since: since > slot ? since : slot } }
    if (slot <= since) return done
    const run = { now, day, dry: false, startedBy: null }
    const name = `${job.name}/${slot.toISOString()}`
    const claim = await claimRun(this.options.database, { job, run, slot: name, beside: this.beside(job) })
    if (claim === 'done') return done
    if (claim === 'busy') return { again: after(now, BESIDE_AFTER) }
    return (await this.perform(job, run, claim.id)) ? { ...done, did: true } : { again: after(now, RETRY_AFTER) }
  }

  /** What may not run at the same time: the other nights, or the same frequent job. */
  private beside(job: JobDefinition): readonly string[] {
    return isFrequent(job) ? [job.name] : this.all().flatMap((other) => (isFrequent(other) ? [] : [other.name]))
  }

  /** Runs a job because somebody asks. Answers the id of the run, or null when another run is under way. */
  async runNow(job: JobDefinition, asked: { dry: boolean; day?: Day; startedBy: string | null }): Promise<string | null> {
    const now = this.options.now()
    const day = asked.day ?? dayOf(now, this.options.timeZone)
    const run: JobContext = { now, day, dry: asked.dry, startedBy: asked.startedBy }
    const claim = await claimRun(this.options.database, { job, run, slot: null, beside: this.beside(job) })
    if (typeof claim === 'string') return null
    await this.perform(job, run, claim.id)
    return claim.id
  }

  /** Answers whether the run came to its end. */
  private async perform(job: JobDefinition, run: JobContext, id: string): Promise<boolean> {
    const { database, logger, now } = this.options
    const beating = setInterval(() => {
      beat(database, id).catch((error: unknown) => logger.warn({ err: error }, 'a running job could not say that it lives'))
    }, HEARTBEAT)
    beating.unref()
    const progress = progressOf(database, id, (error) => logger.warn({ err: error }, 'a running job could not say how far it is'))
    try {
      const report = await job.run(run, progress.tell, await valuesOf(database, job, run.now))
      await progress.end()
      await endRun(database, id, { report }, now())
      return true
    } catch (error) {
      logger.error({ err: error, job: job.name }, 'a job failed')
      const reason = error instanceof Error ? error.message : String(error)
      await progress.end()
      await endRun(database, id, { error: reason }, now())
      return false
    } finally {
      clearInterval(beating)
    }
  }
}

const after = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds)

import type { Day } from '../calendar'
import type { Text } from '../http'

/** A time of day in the company's zone. `weekday` 1 = Monday, `monthDay` 1 to 28. */
export type JobTime =
  { every: 'day'; at: string } | { every: 'week'; weekday: number; at: string } | { every: 'month'; monthDay: number; at: string }

/** When a job runs: at a time, or again and again while there is work. */
export type JobSchedule = JobTime | { every: 'seconds'; seconds: number }

/** How far a run is: the stage, and its rows. */
export interface JobProgress {
  stage: Text
  done: number
  total: number
}

/** What a run works with. */
export interface JobContext {
  now: Date
  /** The company's day that the run is for. */
  day: Day
  /** Nothing may be written. */
  dry: boolean
  /** Id of the member of staff who started it; null = by itself. */
  startedBy: string | null
}

/** Tells how far a run is, as often as one likes: it is written down now and then. */
export type TellProgress = (progress: JobProgress) => void

/** Begins a stage of a run; what it answers is told the rows that were done since. */
export function stageOf(tell: TellProgress, stage: Text, total: number): (rows: number) => void {
  let done = 0
  const add = (rows: number): void => tell({ stage, done: (done += rows), total })
  add(0)
  return add
}

/** What a run did, or would do. */
export interface JobReport {
  /** Figures in the order in which they are read. */
  figures: readonly { id: string; title: Text; value: number }[]
  /** Columns of the rows. */
  columns: readonly {
    id: string
    title: Text
    /** A customer is told by name. */
    kind?: 'text' | 'day' | 'number' | 'customer'
    /** The fields that the cells are made of, as `entity.field`: masked for whoever may not see one of them. */
    of?: readonly string[]
  }[]
  /** At most `MOST_ROWS`; `more` says how many were left out. */
  rows: readonly Readonly<Record<string, string | number | Text | null>>[]
  /** By row and column, where rows tell of several entities: what that cell is made of, instead of what the column says. */
  cells?: readonly Readonly<Record<string, readonly string[]>>[]
  more: number
}

/** What admins may set of a job; its type is that of the default. */
export interface JobParameter {
  title: Text
  default: JobValue
  /** Of a number; without decimals where the default has none. */
  minimum?: number
  maximum?: number
}
export type JobValue = number | boolean | string
export type JobValues = Readonly<Record<string, JobValue>>

interface JobWords {
  /** module.thing */
  name: string
  title: Text
  /** One sentence for admins. */
  description: Text
  /** Asked for on the page of the jobs, by name; versions of them are kept as those of rule sets are. */
  parameters?: Readonly<Record<string, JobParameter>>
  /** `values`: of its parameters; the scheduler gives all. */
  run(run: JobContext, tell: TellProgress, values?: JobValues): Promise<JobReport>
}

/** Work that a module does at a time of day. */
export interface TimedJob extends JobWords {
  schedule: JobTime
}

/** Work that falls due at any moment. It runs, and is written down, only when something waits. */
export interface FrequentJob extends JobWords {
  schedule: { every: 'seconds'; seconds: number }
  /** Whether there is something to do. Asked often: one quick statement. */
  waiting(now: Date): Promise<boolean>
}

/** Work that a module does by the clock. */
export type JobDefinition = TimedJob | FrequentJob

export const isFrequent = (job: JobDefinition): job is FrequentJob => job.schedule.every === 'seconds'

/** Rows that a report keeps. */
export const MOST_ROWS = 500

/** Works on rows in batches, one after the other, each e.g. in a short transaction of its own; `told` hears of the rows that were done. */
export async function inTurn<Row>(
  rows: readonly Row[],
  size: number,
  told: (rows: number) => void,
  work: (some: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += size) {
    const some = rows.slice(start, start + size)
    await work(some)
    told(some.length)
  }
}

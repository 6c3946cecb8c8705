import type { Day } from '../calendar'
import type { Text } from '../http'

/** When a job runs, in the company's zone. `weekday` 1 = Monday, `monthDay` 1 to 28. */
export type JobSchedule =
  { every: 'day'; at: string } | { every: 'week'; weekday: number; at: string } | { every: 'month'; monthDay: number; at: string }

/** What a run works with. */
export interface JobPlace {
  now: Date
  /** The company's day that the run is for. */
  day: Day
  /** Nothing may be written. */
  dry: boolean
  /** Id of the member of staff who started it; null = by itself. */
  startedBy: string | null
}

/** What a run did, or would do. */
export interface JobReport {
  /** Figures in the order in which they are read. */
  figures: readonly { id: string; title: Text; value: number }[]
  /** Columns of the rows. */
  columns: readonly { id: string; title: Text; kind?: 'text' | 'day' | 'number' | 'customer' }[]
  /** At most `MOST_ROWS`; `more` says how many were left out. */
  rows: readonly Readonly<Record<string, string | number | null>>[]
  more: number
}

/** Work that a module does by the clock. */
export interface JobDefinition {
  /** module.thing */
  name: string
  title: Text
  /** One sentence for admins. */
  description: Text
  schedule: JobSchedule
  run(place: JobPlace): Promise<JobReport>
}

/** Rows that a report keeps. */
export const MOST_ROWS = 500

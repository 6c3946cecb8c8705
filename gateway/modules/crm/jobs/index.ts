import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { Scheduler } from '../../../platform/jobs'
import { churnJob } from './churn/job'
import { levelJob } from './level/job'
import { recycleJob } from './recycle/job'

/** The nightly and monthly work of customer relations. */
export function registerCrmJobs(
  scheduler: Scheduler,
  parts: { engine: EntityEngine; database: Database; timeZone: string },
): void {
  for (const job of [recycleJob(parts), levelJob(parts), churnJob(parts)]) scheduler.register(job)
}

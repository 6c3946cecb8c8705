import type { JobDefinition } from '../../../platform/jobs'
import { aliasJob } from './alias/job'
import { churnJob } from './churn/job'
import { commissionJob } from './commission/job'
import { levelJob } from './level/job'
import type { CrmJobParts } from './parts'
import { trackJob } from './tracks/job'

/** The nightly, monthly and constant work of customer relations. */
export function crmJobs(parts: CrmJobParts): JobDefinition[] {
  const nights = [levelJob(parts), churnJob(parts), trackJob(parts), commissionJob(parts)]
  return [...nights, aliasJob(parts)]
}

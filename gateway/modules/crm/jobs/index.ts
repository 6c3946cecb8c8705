import type { JobDefinition } from '../../../platform/jobs'
import { churnJob } from './churn/job'
import { commissionJob } from './commission/job'
import { levelJob } from './level/job'
import type { CrmJobParts } from './parts'
import { trackJob } from './tracks/job'

/** The nightly and monthly work of customer relations. */
export const crmJobs = (parts: CrmJobParts): JobDefinition[] => [
  levelJob(parts),
  churnJob(parts),
  trackJob(parts),
  commissionJob(parts),
]

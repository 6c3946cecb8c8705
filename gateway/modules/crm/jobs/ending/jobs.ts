import type { Entities } from '../../../../entities'
import type { FrequentJob, JobPlace, JobReport, TimedJob } from '../../../../platform/jobs'
import { expireBlacklist } from '../../services/blacklist/expire'
import type { Ended } from '../../services/ended'
import { expireHandovers } from '../../services/handover/expire'
import { markOverdueVisits } from '../../services/visit'
import { inSteps } from '../inSteps'
import { momentOf } from '../moment'
import type { CrmJobParts } from '../parts'
import { endingReport } from './report'

/** Seconds between looks for what has run out. */
const LOOK = 60

/** Runs a step for a report. */
async function end(
  { engine, timeZone }: CrmJobParts,
  job: JobPlace,
  step: (entities: Entities, now: Date) => Promise<readonly Ended[]>,
): Promise<JobReport> {
  const now = momentOf(job, timeZone)
  return endingReport(await inSteps(engine, { now, dry: job.dry }, (entities) => step(entities, now)))
}

/** Transfers and shares whose time is over (CRM rule 9.7). */
export function handoverJob(parts: CrmJobParts): FrequentJob {
  const { database, timeZone } = parts
  return {
    name: 'crm.handover',
    title: { zh: '转移与共享到期', en: 'Transfers and shares that run out' },
    description: {
      zh: '到期未接收的转移和共享失效，过了最后一天的共享结束。',
      en: 'Ends transfers and shares that nobody accepted in time, and shares whose last day is over.',
    },
    schedule: { every: 'seconds', seconds: LOOK },
    waiting: async (now) => {
      const { rowCount } = await database.query(
        `(select 1 from crm_transfer where status = 'pending' and expires_at <= $1 and deleted_at is null limit 1)
         union all (select 1 from crm_share where status = 'pending' and expires_at <= $1 and deleted_at is null limit 1)
         union all (select 1 from crm_share where status = 'accepted' and until < ($1::timestamptz at time zone $2)::date and deleted_at is null limit 1)`,
        [now.toISOString(), timeZone],
      )
      return rowCount > 0
    },
    run: (job) => end(parts, job, (entities, now) => expireHandovers(entities, { now, timeZone })),
  }
}

/** Entries of the blacklist whose time is over. */
export function blacklistJob(parts: CrmJobParts): FrequentJob {
  return {
    name: 'crm.blacklist',
    title: { zh: '黑名单到期', en: 'Blacklist entries that run out' },
    description: {
      zh: '到期的黑名单失效，客户回到原负责人或公海。',
      en: 'Ends entries whose time is over; their customers go back to their owner or to the sea.',
    },
    schedule: { every: 'seconds', seconds: LOOK },
    waiting: async (now) => {
      const { rowCount } = await parts.database.query(
        `select 1 from crm_blacklist where status = 'active' and expires_at <= $1 and deleted_at is null limit 1`,
        [now.toISOString()],
      )
      return rowCount > 0
    },
    run: (job) => end(parts, job, expireBlacklist),
  }
}

/** Planned visits that nobody held. */
export function visitJob(parts: CrmJobParts): TimedJob {
  return {
    name: 'crm.visit',
    title: { zh: '逾期拜访', en: 'Overdue visits' },
    description: {
      zh: '计划时间过了一天仍未进行的拜访标记为逾期。',
      en: 'Marks planned visits as overdue a day after their time.',
    },
    schedule: { every: 'day', at: '01:00' },
    run: (job) => end(parts, job, markOverdueVisits),
  }
}

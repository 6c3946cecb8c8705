import type { Executor } from '../../../../platform/database'
import type { JobPlace, JobReport, TimedJob } from '../../../../platform/jobs'
import { settle, tell } from '../../../../todos'
import { addDays, type Day } from '../../rules/companyDay'
import { endClassA } from '../../services/classA/end'
import { ruleFor } from '../../services/rules'
import { inSteps } from '../inSteps'
import { momentOf } from '../moment'
import type { CrmJobParts } from '../parts'
import { endingReport } from './report'

/** Grants of class A: the owner is reminded before the last day, afterwards they end (CRM section 3, crm.classApply). */
export function classAJob(parts: CrmJobParts): TimedJob {
  return {
    name: 'crm.classA',
    title: { zh: 'A类到期', en: 'Class A that runs out' },
    description: {
      zh: '到期前 30 天提醒负责人续期；到期后结束，客户回到计算等级。',
      en: 'Reminds the owner to renew 30 days before; ends class A after its last day, at the level that the points give.',
    },
    schedule: { every: 'day', at: '00:10' },
    run: (job) => run(parts, job),
  }
}

async function run({ engine, database, timeZone }: CrmJobParts, job: JobPlace): Promise<JobReport> {
  const now = momentOf(job, timeZone)
  const ended = await inSteps(engine, { now, dry: job.dry }, (entities) => endClassA(entities, { now, timeZone }))
  const report = endingReport(ended)
  const { renewDays } = await ruleFor(database, 'crm.classA', now)
  const reminders = await dueReminders(database, job.day, renewDays)
  if (!job.dry) {
    await settle(database, { entity: 'crm.classApply', ids: ended.map(({ id }) => id) }, { as: 'dropped', now })
    await remind(database, reminders, now)
  }
  return {
    ...report,
    figures: [...report.figures, { id: 'reminded', title: { zh: '到期提醒', en: 'Reminders' }, value: reminders.length }],
    rows: [...report.rows, ...reminders.map(({ id, code }) => ({ id, code, status: 'reminded' }))],
  }
}

interface Reminder {
  id: string
  code: string
  customer: string
  ownerId: string
  grantedTo: Day
}
const keyOf = ({ id, grantedTo }: Pick<Reminder, 'id' | 'grantedTo'>): string => `classAEnd/${id}/${grantedTo}`

/** Grants that end within the days of the rule and of which nobody was told. */
async function dueReminders(db: Executor, today: Day, days: number): Promise<Reminder[]> {
  const { rows } = await db.query<Reminder>(
    `select a.id, a.code, c.name || ' (' || c.code || ')' as customer, c.owner_id as "ownerId", a.granted_to::text as "grantedTo"
     from crm_class_apply a join crm_customer c on c.id = a.customer_id
     where a.status = 'approved' and a.granted_to between $1::date and $2::date and a.deleted_at is null and c.deleted_at is null
       and c.owner_id is not null
       and not exists (select from sys_todo t where t.unique_key = 'classAEnd/' || a.id || '/' || a.granted_to and t.deleted_at is null)
     order by a.granted_to, a.code`,
    [today, addDays(today, days)],
  )
  return rows
}

const remind = (db: Executor, reminders: readonly Reminder[], now: Date): Promise<number> =>
  tell(
    db,
    reminders.map((one) => ({
      staffId: one.ownerId,
      kind: 'classAEnd',
      title: {
        zh: `${one.customer} 的 A 类将于 ${one.grantedTo} 到期，请续期。`,
        en: `Class A of ${one.customer} ends on ${one.grantedTo}. Renew it.`,
      },
      subject: { entity: 'crm.classApply', id: one.id },
      link: `/crm/classADetails?id=${encodeURIComponent(one.id)}`,
      key: keyOf(one),
    })),
    now,
  )

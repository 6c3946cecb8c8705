import type { Executor } from '../../../../platform/database'
import { momentOf, type JobPlace, type JobReport, type TimedJob } from '../../../../platform/jobs'
import { tell } from '../../../../todos'
import { addDays, type Day } from '../../rules/companyDay'
import { ruleFor } from '../../services/rules'
import type { CrmJobParts } from '../parts'

/** Grants of class A: the owner is reminded before the last day (CRM section 3, crm.classApply). */
export function classAJob(parts: CrmJobParts): TimedJob {
  return {
    name: 'crm.classA',
    title: { zh: 'A类到期提醒', en: 'Class A that ends soon' },
    description: {
      zh: '到期前 30 天提醒负责人续期。',
      en: 'Reminds the owner to renew 30 days before class A ends.',
    },
    schedule: { every: 'day', at: '00:10' },
    run: (job) => run(parts, job),
  }
}

async function run({ database, timeZone }: CrmJobParts, job: JobPlace): Promise<JobReport> {
  const now = momentOf(job, timeZone)
  const { renewDays } = await ruleFor(database, 'crm.classA', now)
  const reminders = await dueReminders(database, job.day, renewDays)
  if (!job.dry) await remind(database, reminders, now)
  return {
    figures: [{ id: 'reminded', title: { zh: '到期提醒', en: 'Reminders' }, value: reminders.length }],
    columns: [
      { id: 'code', title: { zh: '编号', en: 'Code' } },
      { id: 'status', title: { zh: '结果', en: 'Outcome' } },
    ],
    rows: reminders.map(({ id, code }) => ({ id, code, status: 'reminded' })),
    more: 0,
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

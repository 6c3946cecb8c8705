import { momentOf, MOST_ROWS, type FrequentJob } from '../../../../platform/jobs'
import { dueAliasTasks, workAliasTasks } from '../../services/alias/work'
import type { CrmJobParts } from '../parts'

/** Tasks of alias changes, as they fall due (CRM rule 9.8). */
export function aliasJob({ engine, database, timeZone, connectors }: CrmJobParts): FrequentJob {
  return {
    name: 'crm.alias',
    title: { zh: '别名同步', en: 'Alias changes at their systems' },
    description: {
      zh: '把别名变更通知各系统，失败的按间隔重试，回滚的逐个撤销。',
      en: 'Tells the systems of alias changes, tries failed ones again, and undoes what was rolled back.',
    },
    schedule: { every: 'seconds', seconds: 2 },
    waiting: async (now) => (await dueAliasTasks(database, now, 1)).length > 0,
    run: async (job) => {
      const now = momentOf(job, timeZone)
      const due = await dueAliasTasks(database, now, 5_000)
      const attempts = job.dry ? due.length : await workAliasTasks(engine, { connectors, now: () => now })
      return {
        figures: [{ id: 'attempts', title: { zh: '处理次数', en: 'Attempts' }, value: attempts }],
        columns: [
          { id: 'code', title: { zh: '变更单', en: 'Change' } },
          { id: 'system', title: { zh: '系统', en: 'System' } },
          { id: 'attempts', title: { zh: '此前尝试', en: 'Attempts before' }, kind: 'number' },
        ],
        rows: due.slice(0, MOST_ROWS).map(({ id, code, system, attempts: before }) => ({ id, code, system, attempts: before })),
        more: Math.max(0, due.length - MOST_ROWS),
      }
    },
  }
}

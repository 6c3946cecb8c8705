import { momentOf, stageOf, type TimedJob } from '../../../../platform/jobs'
import { addDays, startOfDay } from '../../rules/companyDay'
import { ruleFor } from '../../services/rules'
import type { CrmJobParts } from '../parts'

/** Rows of one statement. */
const BATCH = 10_000
const STAGE = { zh: '删除查重记录', en: 'Deleting duplicate checks' }

/** Duplicate checks are kept as long as the rule says (CRM rule 9.1, `keepDays`), then deleted for good. */
export function dupCheckJob(parts: CrmJobParts): TimedJob {
  const { database, timeZone } = parts
  return {
    name: 'crm.dupCheck',
    title: { zh: '清理查重记录', en: 'Old duplicate checks' },
    description: {
      zh: '删除超过保留天数的查重记录。',
      en: 'Deletes duplicate checks that are older than the rule keeps them.',
    },
    schedule: { every: 'day', at: '01:30' },
    run: async (job, tell) => {
      const { keepDays } = await ruleFor(database, 'crm.duplicate', momentOf(job, timeZone))
      const before = startOfDay(addDays(job.day, -keepDays), timeZone)
      const { rows } = await database.query<{ old: number }>(`select count(*) as old from crm_dup_check where at < $1`, [before])
      const old = Number(rows[0]?.old ?? 0)
      const told = job.dry ? null : stageOf(tell, STAGE, old)
      for (let left = told ? old : 0; left > 0; left -= BATCH) {
        const { rowCount } = await database.query(
          `delete from crm_dup_check where id in (select id from crm_dup_check where at < $1 order by at limit ${BATCH})`,
          [before],
        )
        told?.(rowCount)
      }
      return { figures: [{ id: 'removed', title: { zh: '删除', en: 'Deleted' }, value: old }], columns: [], rows: [], more: 0 }
    },
  }
}

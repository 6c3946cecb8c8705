import { dropDaysBefore, ensureDays } from '../platform/database'
import { stageOf, type JobReport, type TimedJob } from '../platform/jobs'
import type { Core } from './core'

const DAY = 86_400_000
/** Days ahead whose tables are there before their first record comes. */
const AHEAD = 3

/** The nightly job of records at volume: makes the tables of the coming days and drops those of days that are not kept any more. */
export function recordDaysJob(core: Core): TimedJob {
  return {
    name: 'sys.recordDays',
    title: { zh: '记录分区', en: 'Days of records' },
    description: {
      zh: '为未来几天建立短信、话单等大量记录的分区表，并删除超过保留天数的分区及其记录。',
      en: 'Makes the tables of the coming days for records at volume, such as messages and calls, and drops the days that are not kept any more, with their records.',
    },
    schedule: { every: 'day', at: '01:20' },
    run: async ({ now, dry }, tell): Promise<JobReport> => {
      const models = core.registry.all().filter(({ document }) => document['x-partition'])
      const told = stageOf(tell, { zh: '记录分区', en: 'Days of records' }, models.length)
      let made = 0
      const dropped: { id: string; records: string; day: string }[] = []
      for (const model of models) {
        const { keepDays } = model.document['x-partition']!
        const ahead = Array.from({ length: AHEAD + 1 }, (_, days) => now.getTime() + days * DAY)
        if (!dry)
          await core.database.transaction(async (tx) => {
            made += await ensureDays(tx, model.table, ahead)
            for (const day of await dropDaysBefore(tx, model.table, now.getTime() - keepDays * DAY))
              dropped.push({ id: `${model.name} ${day}`, records: model.name, day })
          })
        told(1)
      }
      return {
        figures: [
          { id: 'made', title: { zh: '新建天数', en: 'Days made' }, value: made },
          { id: 'dropped', title: { zh: '删除天数', en: 'Days dropped' }, value: dropped.length },
        ],
        columns: [
          { id: 'records', title: { zh: '记录', en: 'Records' } },
          { id: 'day', title: { zh: '日期', en: 'Day' }, kind: 'day' },
        ],
        rows: dropped.slice(0, 200),
        more: Math.max(0, dropped.length - 200),
      }
    },
  }
}

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
      zh: '为未来几天建立短信、话单等大量记录的分区表，并删除超过保留天数的分区及其记录；其中有未入账或未计价记录的日期保留到入账为止。',
      en: 'Makes the tables of the coming days for records at volume, such as messages and calls, and drops the days that are not kept any more, with their records; days with records that are not in the ledger, or have no price, stay until they are.',
    },
    schedule: { every: 'day', at: '01:20' },
    run: async ({ now, dry }, tell): Promise<JobReport> => {
      const models = core.registry.all().filter(({ document }) => document['x-partition'])
      const told = stageOf(tell, { zh: '记录分区', en: 'Days of records' }, models.length)
      let made = 0
      const dropped: { id: string; records: string; day: string }[] = []
      let waiting = 0
      for (const model of models) {
        const { keepDays } = model.document['x-partition']!
        const ahead = Array.from({ length: AHEAD + 1 }, (_, days) => now.getTime() + days * DAY)
        if (!dry)
          await core.database.transaction(async (tx) => {
            made += await ensureDays(tx, model.table, ahead)
            const over = Math.floor((now.getTime() - keepDays * DAY) / DAY) * DAY
            let before = over
            for (const keeper of core.registry.dayKeepers) before = Math.min(before, await keeper.leave({ tx, model, before }))
            waiting += (over - Math.floor(before / DAY) * DAY) / DAY
            for (const day of await dropDaysBefore(tx, model.table, before))
              dropped.push({ id: `${model.name} ${day}`, records: model.name, day })
          })
        told(1)
      }
      return {
        figures: [
          { id: 'made', title: { zh: '新建天数', en: 'Days made' }, value: made },
          { id: 'dropped', title: { zh: '删除天数', en: 'Days dropped' }, value: dropped.length },
          { id: 'waiting', title: { zh: '暂不能删除的天数', en: 'Days that have to stay' }, value: waiting },
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

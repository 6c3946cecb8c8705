import { addDays, dayOf } from '../../../../platform/calendar'
import { stageOf, type JobReport } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { monthsToWrite, writeCustomerMonth } from '../../ledger/months'

/** Days back: a month that something was posted into since then is worked out again. */
const LATE = 7

/** Monthly figures of customers by product, as the ledger has them up to yesterday; levels, churn and commission are worked out from them. */
export const job: ModuleJob = ({ database }) => ({
  name: 'fin.customerMonths',
  title: { zh: '客户月度数据', en: 'Customer months' },
  description: {
    zh: '每晚按账务分录汇总客户、产品的月收入、利润、发送量与逾期天数，截至前一日；期初建账当月及以前的数据不改。',
    en: 'Every night: revenue, profit, messages and days overdue of customers by product and month, as the ledger has them up to the day before. Months up to the opening of the ledger stay as they are.',
  },
  schedule: { every: 'day', at: '02:20' },
  run: async ({ now, dry }, progress): Promise<JobReport> => {
    const today = dayOf(now, database.companyTimeZone)
    const months = await monthsToWrite(database, { today, since: addDays(today, -LATE) })
    const told = stageOf(progress, { zh: '客户月度数据', en: 'Customer months' }, months.length)
    const rows: JobReport['rows'][number][] = []
    for (const month of dry ? [] : months) {
      const changed = await database.transaction((tx) => writeCustomerMonth(tx, month, { today, now }))
      rows.push({ id: month, month, changed })
      told(1)
    }
    return {
      figures: [
        { id: 'months', title: { zh: '月份', en: 'Months' }, value: months.length },
        {
          id: 'changed',
          title: { zh: '变化的数据', en: 'Figures changed' },
          value: rows.reduce((sum, { changed }) => sum + Number(changed), 0),
        },
      ],
      columns: [
        { id: 'month', title: { zh: '月份', en: 'Month' } },
        { id: 'changed', title: { zh: '变化的数据', en: 'Figures changed' }, kind: 'number' },
      ],
      rows,
      more: 0,
    }
  },
})

import { sql } from 'drizzle-orm'
import { addDays, dayOf } from '../../../../platform/calendar'
import type { JobReport } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { writeDaily } from '../../stock/daily'

/** Days that are worked out again each night. */
const AGAIN = 31

/** The daily stock report (customers-suppliers 5 `srm.inventoryDaily`): yesterday, the days that were missed, and the last ones once more. */
export const job: ModuleJob = ({ database }) => ({
  name: 'srm.inventory',
  title: { zh: '库存日报', en: 'Daily stock report' },
  description: {
    zh: '由库存流水生成前一天的日报，补上缺失的日期，并与最近 31 天的流水重新核对。',
    en: 'Writes the report of the day before from the flows of stock, adds days that were missed, and compares the last 31 days with their flows.',
  },
  schedule: { every: 'day', at: '00:30' },
  run: async ({ now, dry }): Promise<JobReport> => {
    const to = addDays(dayOf(now, database.companyTimeZone), -1)
    const { rows } = await database.query<{ last: string | null }>(sql`select max(day)::text as last from srm_inventory_daily`)
    const last = rows[0]?.last ?? '2000-01-01'
    const from = [addDays(last, 1), addDays(to, -AGAIN)].sort()[0]!
    const done = dry ? { written: 0, mended: 0 } : await database.transaction((tx) => writeDaily(tx, { from, to, now }))
    return {
      figures: [
        { id: 'written', title: { zh: '新增行', en: 'Rows written' }, value: done.written },
        { id: 'mended', title: { zh: '更正行', en: 'Rows mended' }, value: done.mended },
      ],
      columns: [{ id: 'day', title: { zh: '日期', en: 'Day' } }],
      rows: [{ id: to, day: to }],
      more: 0,
    }
  },
})

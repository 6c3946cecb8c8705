import { dayOf } from '../../../../platform/calendar'
import type { ModuleJob } from '../../../module'
import { findStarts } from '../../facts/starts'

/** Finds accounts whose traffic starts, ramps up or falls silent. */
export const job: ModuleJob = ({ database, configuration }) => ({
  name: 'rpt.starts',
  title: { zh: '起量统计', en: 'Traffic starts' },
  description: {
    zh: '每晚按每日明细找出首次起量、放量和停量的账户与国家；阈值可在此设置。',
    en: 'Every night: which accounts start, ramp up or fall silent in a country, from the facts of days. The thresholds are set here.',
  },
  schedule: { every: 'day', at: '02:20' },
  parameters: {
    firstSegments: { title: { zh: '首次起量：一天条数', en: 'First use: segments a day' }, default: 100, minimum: 1 },
    firstMinutes: { title: { zh: '首次起量：一天分钟', en: 'First use: minutes a day' }, default: 60, minimum: 1 },
    rampFactor: { title: { zh: '放量：倍数', en: 'Ramp: times the mean before' }, default: 3, minimum: 2, maximum: 100 },
    rampSegments: { title: { zh: '放量：7 天条数', en: 'Ramp: segments of 7 days' }, default: 1000, minimum: 1 },
    rampMinutes: { title: { zh: '放量：7 天分钟', en: 'Ramp: minutes of 7 days' }, default: 600, minimum: 1 },
  },
  run: async ({ now, dry }, _, values = {}) => {
    const number = (name: string): number => Number(values[name])
    const thresholds = {
      firstSegments: number('firstSegments'),
      firstMinutes: number('firstMinutes'),
      rampFactor: number('rampFactor'),
      rampSegments: number('rampSegments'),
      rampMinutes: number('rampMinutes'),
    }
    const today = dayOf(now, configuration.companyTimeZone)
    const found = dry ? 0 : await database.transaction((tx) => findStarts(tx, today, thresholds, now))
    return {
      figures: [{ id: 'starts', title: { zh: '起量', en: 'Starts' }, value: found }],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

import { systemContext } from '../../../../platform/http'
import { momentOf } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { refreshUse } from '../../use'

/** First use, last use and messages of 7 days of every application. */
export const job: ModuleJob = ({ engine, configuration: { companyTimeZone: timeZone } }) => ({
  name: 'biz.applicationUse',
  title: { zh: '应用使用统计', en: 'Use of applications' },
  description: {
    zh: '按发送记录重算每个应用的首次使用、最近使用和 7 天发送量。',
    en: 'First use, last use and messages of 7 days of every application, from the records.',
  },
  schedule: { every: 'day', at: '02:10' },
  run: async (job) => {
    const now = momentOf(job, timeZone)
    const changed = job.dry
      ? 0
      : await engine.transaction(systemContext({ now }), (entities, tx) => refreshUse(tx, entities, now))
    return {
      figures: [{ id: 'changed', title: { zh: '更新的应用', en: 'Applications that changed' }, value: changed }],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

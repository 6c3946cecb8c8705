import { momentOf } from '../../../../platform/jobs'
import { refreshAccountTracks } from '../../services/market/refreshTracks'
import type { ModuleJob } from '../../../module'

/** Figures and states of customer accounts, from their days of traffic. */
export const job: ModuleJob = ({ database, configuration: { companyTimeZone: timeZone } }) => {
  return {
    name: 'crm.accountTrack',
    title: { zh: '账号跟踪', en: 'Account track' },
    description: {
      zh: '按每日流量重算账号的 7 天、30 天数据和状态。',
      en: 'Computes the 7-day and 30-day figures and the state of every account from its days of traffic.',
    },
    schedule: { every: 'day', at: '01:30' },
    run: async (job, tell) => {
      const now = momentOf(job, timeZone)
      const { accounts, changed } = await refreshAccountTracks(database, { now, timeZone, dry: job.dry, tell })
      return {
        figures: [
          { id: 'accounts', title: { zh: '账号', en: 'Accounts' }, value: accounts },
          { id: 'changed', title: { zh: '状态变化', en: 'States changed' }, value: changed },
        ],
        columns: [],
        rows: [],
        more: 0,
      }
    },
  }
}

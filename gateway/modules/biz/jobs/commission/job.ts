import { MOST_ROWS } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { refreshPromoterCommissions } from '../../commissions'

/** Commission of star promoters by month, customer and product; that of agents is counted by `crm.commission`. */
export const job: ModuleJob = ({ database }) => ({
  name: 'biz.commission',
  title: { zh: '星推官佣金', en: 'Commission of star promoters' },
  description: {
    zh: '按每日明细和佣金比例重算星推官未锁定月份的佣金；月份锁定后可提现。',
    en: 'Counts the commission of star promoters in months that are not locked, from the facts of days; what is locked can be withdrawn.',
  },
  schedule: { every: 'day', at: '05:10' },
  run: async ({ now, day, dry }) => {
    const { earning, locked, lost, promoters } = await database.transaction((tx) =>
      refreshPromoterCommissions(tx, { now, today: day, dry }),
    )
    return {
      figures: [
        { id: 'earning', title: { zh: '重算的行', en: 'Rows counted' }, value: earning },
        { id: 'locked', title: { zh: '锁定的行', en: 'Rows locked' }, value: locked },
        { id: 'lost', title: { zh: '因更换星推官而撤销的行', en: 'Rows withdrawn, as the promoter changed' }, value: lost },
      ],
      columns: [
        { id: 'promoter', title: { zh: '星推官', en: 'Star promoter' } },
        { id: 'customers', title: { zh: '客户', en: 'Customers' }, kind: 'number' },
        {
          id: 'earned',
          title: { zh: '本月佣金（USD）', en: 'Earned this month (USD)' },
          kind: 'number',
          of: ['biz.commission.earned'],
        },
      ],
      rows: promoters.slice(0, MOST_ROWS),
      more: Math.max(0, promoters.length - MOST_ROWS),
    }
  },
})

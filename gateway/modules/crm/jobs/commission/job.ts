import { MOST_ROWS } from '../../../../platform/jobs'
import type { ModuleJob } from '../../../module'
import { refreshCommissions } from './refresh'

/** Commission of agents by month, customer and product. */
export const job: ModuleJob = ({ database, configuration: { companyTimeZone: timeZone } }) => {
  return {
    name: 'crm.commission',
    title: { zh: '代理佣金', en: 'Agent commission' },
    description: {
      zh: '按客户月度数据和协议比例计算代理佣金；上月佣金锁定后可提现。',
      en: 'Computes the commission of agents from the monthly figures of their customers; the month that ended is locked and can be withdrawn.',
    },
    schedule: { every: 'day', at: '05:00' },
    run: async ({ now, day, dry }, tell) => {
      const { earning, locked, lost, agents } = await database.transaction((tx) =>
        refreshCommissions(tx, { now, today: day, timeZone, dry, tell }),
      )
      return {
        figures: [
          { id: 'earning', title: { zh: '重算的行', en: 'Rows counted' }, value: earning },
          { id: 'locked', title: { zh: '锁定的行', en: 'Rows locked' }, value: locked },
          { id: 'lost', title: { zh: '因更换代理而撤销的行', en: 'Rows withdrawn, as the agent changed' }, value: lost },
        ],
        columns: [
          { id: 'agent', title: { zh: '代理商', en: 'Agent' }, kind: 'customer' },
          { id: 'customers', title: { zh: '客户', en: 'Customers' }, kind: 'number' },
          {
            id: 'earned',
            title: { zh: '本月佣金（USD）', en: 'Earned this month (USD)' },
            kind: 'number',
            of: ['biz.commission.earned'],
          },
        ],
        rows: agents.slice(0, MOST_ROWS),
        more: Math.max(0, agents.length - MOST_ROWS),
      }
    },
  }
}

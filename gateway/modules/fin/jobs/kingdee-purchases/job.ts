import { addDays } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { receivePurchases } from '../../kingdee/make'

/** What traffic of the month before cost at each supplier is a purchase receipt (money 5 and 6); once an account and month. */
export const job: ModuleJob = ({ engine }) => ({
  name: 'fin.kingdeePurchases',
  title: { zh: '生成采购入库单', en: 'Purchase receipts for Kingdee' },
  description: {
    zh: '每月 4 日按供应商账户汇总上月流量成本，生成金蝶采购入库单。',
    en: 'On the 4th, when the receipts of the last day are in: what traffic of the month before cost at each supplier account is a purchase receipt.',
  },
  schedule: { every: 'month', monthDay: 4, at: '03:40' },
  run: async ({ now, day, dry }) => {
    const month = `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
    const made = dry
      ? 0
      : await engine.transaction(systemContext({ now }), (entities, tx) => receivePurchases({ tx, now, entities }, month))
    return {
      figures: [{ id: 'documents', title: { zh: '单据', en: 'Documents' }, value: made }],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

import type { ModuleJob } from '../../../module'
import { gatherBase } from '../../kingdee/base'

/** Customers, suppliers and products that Kingdee does not know yet come to its base data (money 6). */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'fin.kingdeeBases',
  title: { zh: '金蝶基础资料', en: 'Base data for Kingdee' },
  description: {
    zh: '每晚把新的有账户的客户和供应商以及产品加入金蝶基础资料，并更新改过的名称。',
    en: 'Adds new customers and suppliers with an account, and products, to the base data for Kingdee every night, and takes over names that changed.',
  },
  schedule: { every: 'day', at: '02:50' },
  run: async ({ now, dry }) => {
    const products = engine.dictionaryChoices('product').map(({ code, label }) => ({ code, name: label.zh }))
    const { added, changed } = dry ? { added: 0, changed: 0 } : await database.transaction((tx) => gatherBase(tx, products, now))
    return {
      figures: [
        { id: 'added', title: { zh: '新增', en: 'New' }, value: added },
        { id: 'changed', title: { zh: '更新', en: 'Changed' }, value: changed },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

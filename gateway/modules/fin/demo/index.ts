import type { DemoPart } from '../../../demo'
import { makeFoundations } from './base'
import { fillCustomers } from './customers'
import { fillMoney } from './money'
import { billRecorded, closeDays } from './settled'
import { gatherBase } from '../kingdee/base'

/** What the demo company sells, as materials of Kingdee. */
const PRODUCTS = [
  { code: 'sms', name: '短信' },
  { code: 'voice', name: '语音' },
  { code: 'number', name: '号码' },
  { code: 'whatsapp', name: 'WhatsApp' },
]

/** Money of the demo company. */
export const finDemo: DemoPart = {
  make: makeFoundations,
  filled: async (world, entities, tx) => {
    await fillMoney(world, entities, tx)
    await fillCustomers(world, entities)
    await gatherBase(tx, PRODUCTS, world.now)
  },
  settled: [billRecorded, closeDays],
}

import type { DemoPart } from '../../../demo'
import { makeFoundations } from './base'
import { fillCustomers } from './customers'
import { fillMoney } from './money'

/** Money of the demo company. */
export const finDemo: DemoPart = {
  make: makeFoundations,
  filled: async (world, entities, tx) => {
    await fillMoney(world, entities, tx)
    await fillCustomers(world, entities)
  },
}

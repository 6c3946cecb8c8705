import type { DemoPart } from '../../../demo'
import { addDays, dayOf } from '../../../platform/calendar'
import { writeDaily } from '../stock/daily'
import { makeClues } from './clues'
import { makeHandovers } from './handovers'
import { makePurchases } from './purchases'
import { makeMoves } from './moves'
import { makeStock } from './stock'
import { makeSuppliers } from './suppliers'
import { makeTvs } from './tvs'

/** In the order in which they refer to one another. */
const FILLED = [
  'srm.paymentMethod',
  'srm.supplier',
  'srm.clue',
  'srm.supplierContact',
  'srm.followUp',
  'srm.supplierAccount',
  'srm.distribute',
  'srm.ownerLog',
  'srm.seaRecord',
  'srm.transfer',
  'srm.transferItem',
  'srm.share',
  'srm.supplierTransfer',
  'srm.accountTransfer',
  'srm.accountTransferItem',
  'srm.tvsAccount',
  'srm.tvsTerminal',
  'srm.tvsEarning',
  'srm.tvsWithdrawal',
  'srm.tvsRewriteRule',
  'srm.tvsRewriteLog',
  'srm.tvsRewriteStep',
  'srm.equipmentSupplier',
  'srm.product',
  'srm.warehouse',
  'srm.stock',
  'srm.purchaseRequest',
  'srm.purchasePlan',
  'srm.planLine',
  'srm.purchaseOrder',
  'srm.orderLine',
  'srm.purchaseLog',
  'srm.deviceSale',
  'srm.deviceSaleLine',
  'srm.deviceSaleLog',
  'srm.stockOut',
  'srm.stockOutLine',
  'srm.stockIn',
  'srm.stockInLine',
  'srm.stockFlow',
  'srm.deviceUnit',
  'srm.macLog',
]

/** Suppliers and leads of the demo company. */
export const demo: DemoPart = {
  make: (world) => {
    for (const entity of FILLED) world.rows[entity] = []
    makeSuppliers({ ...world, random: world.random.fork('suppliers') })
    makeClues({ ...world, random: world.random.fork('supplierLeads') })
    makeTvs({ ...world, random: world.random.fork('tvs') })
    makeHandovers({ ...world, random: world.random.fork('supplierHandovers') })
    const equipment = { ...world, random: world.random.fork('stock') }
    makeStock(equipment)
    makePurchases(equipment)
    makeMoves({ ...world, random: world.random.fork('moves') })
  },
  coded: [
    'srm.clue',
    'srm.paymentMethod',
    'srm.supplierAccount',
    'srm.transfer',
    'srm.accountTransfer',
    'srm.supplierTransfer',
    'srm.tvsAccount',
    'srm.tvsWithdrawal',
    'srm.tvsRewriteRule',
    'srm.equipmentSupplier',
    'srm.product',
    'srm.stockIn',
    'srm.stockOut',
    'srm.purchaseRequest',
    'srm.purchasePlan',
    'srm.purchaseOrder',
    'srm.deviceSale',
  ],
  // aliases count on their own
  filled: async ({ rows, now, timeZone }, entities, tx) => {
    const yesterday = addDays(dayOf(now, timeZone), -1)
    await writeDaily(tx, { from: addDays(yesterday, -400), to: yesterday, now })
    await entities.numbers('srm.supplier', 'alias', rows['srm.supplier']?.length ?? 0)
  },
}

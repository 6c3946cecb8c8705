import { sellDevices } from './sales'
import { equipmentSupplierId, Stock, type Item, type Posted } from './stockBook'
import type { SrmChapter } from './suppliers'

/** Products, warehouses and what moved in them: each document becomes flows by the formulas of the postings, in the order of time. */
export function makeStock(chapter: SrmChapter): Stock {
  const stock = new Stock(chapter)
  stock.foundations()
  const buy = (daysAgo: number, supplier: number, items: readonly Item[]): Posted =>
    stock.receive({ kind: 'purchase', place: 'SZ', daysAgo, items, head: { supplierId: equipmentSupplierId(supplier) } })
  stock.receive({
    ...{ kind: 'opening', place: 'SZ', daysAgo: 200, head: { remark: '系统启用时的盘点' } },
    items: [
      { key: 'A5', qty: 30, unitCost: '71.2' },
      { key: 'W12', qty: 50, unitCost: '24.5' },
    ],
  })
  buy(150, 0, [{ key: 'G32', qty: 10, unitCost: '596.4' }])
  buy(149, 2, [{ key: 'A5', qty: 20, unitCost: '74.55' }])
  buy(120, 0, [{ key: 'G32', qty: 5, unitCost: '630' }])
  // one order that came in three parts, the last at another rate
  buy(110, 1, [{ key: 'S128', qty: 2, unitCost: '2130' }])
  buy(104, 1, [{ key: 'S128', qty: 1, unitCost: '2130' }])
  buy(108, 0, [{ key: 'G8', qty: 12, unitCost: '311.5' }])
  buy(98, 1, [{ key: 'S128', qty: 1, unitCost: '2136' }])
  stock.move('SZ', 'HK', 90, [{ key: 'G32', qty: 3 }], 88)
  stock.send({
    ...{ kind: 'ownUse', place: 'SZ', daysAgo: 70, items: [{ key: 'G8', qty: 2 }] },
    head: { gatewayName: 'gw-sg-07', remark: '新加坡机房扩容' },
  })
  stock.send({
    ...{ kind: 'countLoss', place: 'SZ', daysAgo: 60, items: [{ key: 'W12', qty: 1 }] },
    head: { remark: '季度盘点短少一件' },
  })
  sellDevices(chapter, stock)
  const wrong = buy(1, 0, [{ key: 'P2', qty: 6, unitCost: '186' }])
  stock.reverse(wrong, 'SZ', 1)
  buy(0, 0, [{ key: 'P2', qty: 6, unitCost: '168' }])
  stock.move('SZ', 'HK', 6, [{ key: 'S128', qty: 1 }])
  stock.finish()
  return stock
}

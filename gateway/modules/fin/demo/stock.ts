import { Exact, exactText } from '../../../../src/schema/formats'
import { dayOf } from '../../../platform/calendar'
import { openingStock, received, sold, spent, takenBack } from '../ledger/goods'
import { mirrored, priced } from '../ledger/rules'
import type { LedgerAccount, Leg } from '../ledger/types'
import { ENTITIES } from './base'
import { put, type Books, type Head } from './books'
import { recharged } from './paid'

/** What the documents of stock brought to the ledger, as their postings would have. */
export function stockMoney(books: Books): void {
  const { rows } = books.world
  const suppliers = new Map((rows['srm.equipmentSupplier'] ?? []).map((supplier) => [supplier.id, supplier]))
  const entity = ENTITIES[0].code
  const documents = [...(rows['srm.stockIn'] ?? []), ...(rows['srm.stockOut'] ?? [])]
  for (const { id, code, kind, status, postedAt, totalCost, supplierId, ...sale } of documents) {
    if (typeof postedAt !== 'string') continue
    const cost = String(totalCost)
    const head = (type: string, more = ''): Head => ({
      ...{ type, entity, day: dayOf(new Date(postedAt), books.world.timeZone) },
      source: ['stockDoc', `${id}${more}`, String(code)],
    })
    const reversed = (type: string, legs: readonly Leg[]): void => {
      const reversesId = put(books, head(type), legs)
      if (status !== 'reversed') return
      put(books, head(type, '-rev'), mirrored(priced(legs, books.rates)))
      Object.assign(books.postings.at(-1)!, { reversesId, idemKey: `rev:${reversesId}` })
    }
    const supplier = suppliers.get(String(supplierId))
    if (kind === 'opening') reversed('opening', openingStock(cost))
    else if (kind === 'purchase' && supplier) {
      const currency = String(supplier.currency)
      const owed = exactText(new Exact(cost).dividedBy(books.rates.get(currency)!).toDecimalPlaces(2))
      reversed('purchaseReceipt', received({ cost, owed, supplier: { kind: 'supplier', id: String(supplierId), currency } }))
    } else if (kind === 'sale' || kind === 'saleReturn') {
      const currency = String(sale.currency)
      const account = (rows['fin.customerAccount'] ?? []).find(
        (one) => one.product === 'device' && one.customerId === sale.customerId && one.currency === currency,
      )
      if (!account) continue
      const owing: LedgerAccount = { kind: 'customer', id: account.id, currency, customerId: String(sale.customerId) }
      const amount = String(sale.amount)
      const gone = kind === 'sale'
      put(books, head(gone ? 'deviceSale' : 'deviceReturn'), gone ? sold(owing, amount) : takenBack(owing, amount))
      put(books, head(gone ? 'deviceSale' : 'deviceReturn', ':cost'), spent(gone ? cost : `-${cost}`))
      const order = (rows['srm.deviceSale'] ?? []).find((one) => one.id === sale.saleId)
      if (order?.status === 'completed') recharged(books, { row: account, account: owing, entity, amount, back: 60 })
    } else if (['ownUse', 'countLoss', 'scrap'].includes(String(kind))) reversed('stockVariance', spent(cost))
  }
}

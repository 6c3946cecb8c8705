import { currencyDigits, Exact, exactText, roundedText } from '../../../../src/schema/formats'
import type { EntityRecord, VerbContext, RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { landedPrices, stillToCome, unitCostInCny } from './landed'

/** A line of a stock document that is posted; `record` takes the unit cost. */
interface PostedLine {
  record: EntityRecord
  product: RecordOf<'srm.product'>
  qty: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const amount = (value: unknown): string => text(value) || '0'
const RECEIVABLE = ['confirmed', 'partReceived', 'received']

/** Quantities of one document by the record that each line names. */
function bySource(lines: readonly PostedLine[], field: string): Map<string, { qty: Exact; product: RecordOf<'srm.product'> }> {
  const sums = new Map<string, { qty: Exact; product: RecordOf<'srm.product'> }>()
  for (const { record, qty, product } of lines) {
    const id = text(record[field])
    sums.set(id, { qty: (sums.get(id)?.qty ?? new Exact(0)).plus(qty), product })
  }
  return sums
}

/**
 * Prepares the receipt of an order: nothing comes that is not on order, each line gets its landed cost at the rate of this day, and
 * the document what is owed for it in the currency of the order, without recoverable tax (customers-suppliers 10). The order is held,
 * so that two receipts never take the same rest.
 * @throws 10060058 for more than is still to come, 10060059 for an order that is not expected
 */
export async function landReceipt(
  { entities }: VerbContext,
  document: EntityRecord,
  lines: readonly PostedLine[],
): Promise<void> {
  const order = await entities.find('srm.purchaseOrder', text(document.orderId), { lock: true })
  if (!order || !RECEIVABLE.includes(text(order.status)))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `采购订单 ${text(order?.code)} 未经供应商确认或已关闭，不能收货。`,
        en: `The purchase order ${text(order?.code)} is not confirmed by the supplier, or closed: nothing is received for it.`,
      },
    })
  const ordered = await entities.list('srm.orderLine', {
    where: [{ field: 'orderId', operator: 'eq', value: text(order.id) }],
    sort: [{ field: 'position', order: 'asc' }],
    limit: 1000,
  })
  const known = new Map(ordered.map((line) => [text(line.id), line]))
  for (const [id, { qty, product }] of bySource(lines, 'orderLineId')) {
    const line = known.get(id)
    const left = line
      ? stillToCome({ qty: amount(line.qty), receivedQty: amount(line.receivedQty), closedQty: amount(line.closedQty) })
      : '0'
    if (qty.gt(left))
      throw new ServiceError('alreadyPosted', {
        message: {
          zh: `${text(product.name)}：订单 ${text(order.code)} 还应收 ${left}，本单收 ${exactText(qty)}。请改数量，或修改订单。`,
          en: `${text(product.name)}: ${left} are still to come of the order ${text(order.code)}, this document receives ${exactText(qty)}. Correct the quantity, or revise the order.`,
        },
      })
  }
  const prices = landedPrices(
    {
      currency: text(order.currency),
      taxIncluded: order.taxIncluded === true,
      freight: amount(order.freight),
      otherFee: amount(order.otherFee),
      discount: amount(order.discount),
    },
    ordered.map((line) => ({ id: text(line.id), qty: amount(line.qty), amount: amount(line.amount), tax: amount(line.tax) })),
  )
  const rate = text(document.exchangeRate) || '1'
  let owed = new Exact(0)
  for (const { record, qty } of lines) {
    const price = prices.get(text(record.orderLineId))!
    record.unitCost = unitCostInCny(price, rate)
    owed = owed.plus(price.times(qty))
  }
  document.currency = order.currency
  document.amount = roundedText(owed, currencyDigits(text(order.currency)))
}

/**
 * Prepares a purchase return: it takes back what the receipt brought, at the cost at which it came in; what is owed falls by the same
 * share (customers-suppliers 10).
 * @throws 10060058 for more than the receipt has left, 10060059 for a receipt that is not posted
 */
export async function landReturn({ entities }: VerbContext, document: EntityRecord, lines: readonly PostedLine[]): Promise<void> {
  const receipt = await entities.find('srm.stockIn', text(document.inId), { lock: true })
  if (receipt?.status !== 'posted')
    throw new ServiceError('factsChanged', {
      message: {
        zh: `入库单 ${text(receipt?.code)} 未过账或已冲销，不能退货。`,
        en: `The receipt ${text(receipt?.code)} is not posted, or reversed: nothing is returned of it.`,
      },
    })
  const received = await entities.list('srm.stockInLine', {
    where: [{ field: 'stockInId', operator: 'eq', value: text(receipt.id) }],
    limit: 5000,
  })
  const known = new Map(received.map((line) => [text(line.id), line]))
  for (const [id, { qty, product }] of bySource(lines, 'inLineId')) {
    const line = known.get(id)
    const left = stillToCome({ qty: amount(line?.qty), receivedQty: amount(line?.returnedQty), closedQty: '0' })
    if (qty.gt(left))
      throw new ServiceError('alreadyPosted', {
        message: {
          zh: `${text(product.name)}：入库单 ${text(receipt.code)} 可退 ${left}，本单退 ${exactText(qty)}。`,
          en: `${text(product.name)}: ${left} of the receipt ${text(receipt.code)} can be returned, this document returns ${exactText(qty)}.`,
        },
      })
  }
  let cost = new Exact(0)
  for (const { record, qty } of lines) {
    record.unitCost = amount(known.get(text(record.inLineId))?.unitCost)
    cost = cost.plus(new Exact(text(record.unitCost)).times(qty))
  }
  if (text(receipt.amount) === '' || !new Exact(amount(receipt.totalCost)).gt(0)) return
  const owed = new Exact(text(receipt.amount)).times(cost).dividedBy(amount(receipt.totalCost))
  document.currency = receipt.currency
  document.amount = roundedText(owed, currencyDigits(text(receipt.currency)))
}

/** A receipt of which something was returned stays. @throws 10060054 */
export function keepReturned(code: string, lines: readonly PostedLine[]): void {
  const returned = lines.find(({ record }) => new Exact(amount(record.returnedQty)).gt(0))
  if (returned)
    throw new ServiceError('heldByDocument', {
      message: {
        zh: `${text(returned.product.name)} 已退货 ${text(returned.record.returnedQty)}，入库单 ${code} 不能冲销。`,
        en: `${text(returned.record.returnedQty)} of ${text(returned.product.name)} were returned, so ${code} cannot be reversed.`,
      },
    })
}

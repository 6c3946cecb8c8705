import { currencyDigits, Exact, exactText } from '../../../../src/schema/formats'

/** Decimals of the unit cost of stock, in CNY. */
const STORED = 6

/** What a purchase order says of its costs besides the lines; decimal texts in its currency. */
export interface OrderCosts {
  currency: string
  /** The prices hold the tax already. */
  taxIncluded: boolean
  freight: string
  otherFee: string
  discount: string
}

/** An ordered line: decimal texts, amounts in the currency of the order. */
export interface OrderedLine {
  id: string
  qty: string
  amount: string
  /** Recoverable: it is no cost of the goods. */
  tax: string
}

/**
 * What one unit of each line costs when it has arrived, in the currency of the order and unrounded (customers-suppliers 10): the amount
 * without recoverable tax, with its share of freight and fees minus discount by amount; the last line takes the rounding rest.
 */
export function landedPrices(order: OrderCosts, lines: readonly OrderedLine[]): Map<string, Exact> {
  const extra = new Exact(order.freight).plus(order.otherFee).minus(order.discount)
  const digits = currencyDigits(order.currency)
  const goods = lines.reduce((sum, { amount }) => sum.plus(amount), new Exact(0))
  let left = extra
  const prices = new Map<string, Exact>()
  for (const [index, { id, qty, amount, tax }] of lines.entries()) {
    const part = goods.isZero() ? new Exact(0) : extra.times(amount).dividedBy(goods).toDecimalPlaces(digits)
    const share = index === lines.length - 1 ? left : part
    left = left.minus(share)
    const net = order.taxIncluded ? new Exact(amount).minus(tax) : new Exact(amount)
    prices.set(id, net.plus(share).dividedBy(qty))
  }
  return prices
}

/** The unit cost in CNY at the rate of the day of the receipt, six decimals half up. */
export const unitCostInCny = (price: Exact, rate: string): string => exactText(price.times(rate).toDecimalPlaces(STORED))

/** How much more of an ordered line may come: ordered less closed and received; never below 0. */
export function stillToCome({ qty, receivedQty, closedQty }: { qty: string; receivedQty: string; closedQty: string }): string {
  const left = new Exact(qty).minus(receivedQty).minus(closedQty)
  return left.isNegative() ? '0' : exactText(left)
}

/** A line of a plan that is to be ordered. */
export interface PlannedLine {
  supplierId: string
  currency: string
}

/** Lines that become one order: one supplier in one currency, in the order in which they come. */
export function ordersOf<Line extends PlannedLine>(
  lines: readonly Line[],
): { supplierId: string; currency: string; lines: Line[] }[] {
  const orders = new Map<string, { supplierId: string; currency: string; lines: Line[] }>()
  for (const line of lines) {
    const { supplierId, currency } = line
    const key = `${supplierId} ${currency}`
    const order = orders.get(key) ?? { supplierId, currency, lines: [] }
    order.lines.push(line)
    orders.set(key, order)
  }
  return [...orders.values()]
}

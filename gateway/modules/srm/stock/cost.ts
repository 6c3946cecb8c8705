import { Exact, exactText } from '../../../../src/schema/formats'

/** Decimals of the value and the unit cost of stock, in CNY. */
const STORED = 6

const stored = (amount: Exact): string => exactText(amount.toDecimalPlaces(STORED))

/** What lies in a warehouse of a product: decimal texts, the value in CNY. */
export interface OnHand {
  qty: string
  value: string
}

/** One movement: signed, with what is there after it. */
export interface Movement {
  qty: string
  /** CNY, six decimals. */
  unitCost: string
  /** CNY, signed like the quantity. */
  amount: string
  after: OnHand
  /** What the stock could not bear of the cost asked for: above 0 is a loss (`costVariance`). */
  variance: string
}

/** Moving average cost in CNY, six decimals half up; null without stock (customers-suppliers 10). */
export const averageCost = ({ qty, value }: OnHand): string | null => {
  const average = new Exact(qty).gt(0) ? new Exact(value).dividedBy(qty) : null
  return average && stored(average)
}

/** Goods that come in at a unit cost in CNY: value += round(qty x unitCost, 6); what comes back or moves brings its `cost` along. */
export function moveIn(onHand: OnHand, qty: string, unitCost: string, cost?: string): Movement {
  const amount = cost === undefined || cost === '' ? new Exact(qty).times(unitCost).toDecimalPlaces(STORED) : new Exact(cost)
  return {
    qty,
    unitCost,
    amount: stored(amount),
    after: { qty: exactText(new Exact(onHand.qty).plus(qty)), value: stored(new Exact(onHand.value).plus(amount)) },
    variance: '0',
  }
}

/**
 * Goods that go out: at the average, or at the cost that they came in with (`unitCost`). The last piece takes the whole value, so
 * that a quantity of 0 is worth 0; what the value cannot bear is the variance.
 * @returns null when less is there than goes out
 */
export function moveOut(onHand: OnHand, qty: string, unitCost?: string): Movement | null {
  const left = new Exact(onHand.qty).minus(qty)
  if (left.isNegative()) return null
  const value = new Exact(onHand.value)
  const cost = unitCost ?? averageCost(onHand) ?? '0'
  const asked = new Exact(qty).times(cost).toDecimalPlaces(STORED)
  const taken = left.isZero() || asked.gt(value) ? value : asked
  return {
    qty: exactText(new Exact(0).minus(qty)),
    unitCost: cost,
    amount: stored(new Exact(0).minus(taken)),
    after: { qty: exactText(left), value: stored(value.minus(taken)) },
    variance: unitCost === undefined ? '0' : stored(asked.minus(taken)),
  }
}

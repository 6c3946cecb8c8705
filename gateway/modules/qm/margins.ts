import { Exact } from '../../../src/schema/formats'

/** How a price is made from a cost: a margin or a mark-up in per cent, or an amount a unit. */
export type Basis = 'margin' | 'markup' | 'fixed'

const HUNDRED = 100
const SCALE = 4

/** What is left of a price, in per cent; nothing of a price of 0 (quotes 5.8). */
export function marginOf(price: Exact, cost: Exact): string | null {
  if (price.lte(0)) return null
  return price.minus(cost).dividedBy(price).times(HUNDRED).toDecimalPlaces(SCALE).toFixed()
}

/** What stands on a cost, in per cent of it. */
export function markupOf(price: Exact, cost: Exact): string | null {
  if (cost.lte(0)) return null
  return price.minus(cost).dividedBy(cost).times(HUNDRED).toDecimalPlaces(SCALE).toFixed()
}

/** The lowest price of so many decimals that reaches a margin, a mark-up, or stands an amount above the cost: always rounded up. */
export function neededPrice(cost: Exact, basis: Basis, value: Exact, decimals: number): string | null {
  if (basis === 'margin' && value.gte(HUNDRED)) return null
  const price =
    basis === 'fixed'
      ? cost.plus(value)
      : basis === 'markup'
        ? cost.times(value.dividedBy(HUNDRED).plus(1))
        : cost.dividedBy(new Exact(1).minus(value.dividedBy(HUNDRED)))
  return price.toDecimalPlaces(decimals, 'ceil').toFixed()
}

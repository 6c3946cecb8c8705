import { Exact, exactText, roundedText } from '../../../../src/schema/formats'

/** Decimals of scores and rates in per cent. */
const DIGITS = 2
const FULL = new Exact(100)

/** What a channel is judged by, for one destination. */
export interface Evidence {
  /** Delivered of 100 messages of the last 7 days, decimal text. */
  delivery: string
  cost: string
  /** Of the channels that are compared. */
  lowestCost: string
  /** How often it became faulty in the last 7 days. */
  faults: number
}

export interface Scores {
  qualityScore: string
  priceScore: string
  stabilityScore: string
  score: string
}

/** 0.5 x quality + 0.3 x price + 0.2 x stability, each of 0 to 100 (quotes-traffic 2.2). */
export function scoresOf({ delivery, cost, lowestCost, faults }: Evidence): Scores {
  const quality = new Exact(delivery)
  const price = new Exact(cost).isZero() ? FULL : new Exact(lowestCost).times(100).dividedBy(cost)
  const stability = new Exact(Math.max(0, 100 - 10 * faults))
  const score = quality.times('0.5').plus(price.times('0.3')).plus(stability.times('0.2'))
  return {
    qualityScore: roundedText(quality, DIGITS),
    priceScore: roundedText(price, DIGITS),
    stabilityScore: roundedText(stability, DIGITS),
    score: roundedText(score, DIGITS),
  }
}

/** A value of a channel and its weight of 100. */
export interface Weighted {
  weight: number
  /** Decimal text; null where nobody knows it. */
  value: string | null
}

/** Sum of weight x value / 100, exactly; null where a weighted value is not known or nothing has a weight. */
export function blended(parts: readonly Weighted[]): string | null {
  const counted = parts.filter(({ weight }) => weight > 0)
  if (counted.length === 0) return null
  let sum = new Exact(0)
  for (const { weight, value } of counted) {
    if (value === null) return null
    sum = sum.plus(new Exact(value).times(weight).dividedBy(100))
  }
  return exactText(sum)
}

/** (price - cost) / price in per cent; null for a price of nothing. */
export const marginOf = (price: string, cost: string): string | null =>
  new Exact(price).isZero() ? null : roundedText(new Exact(price).minus(cost).dividedBy(price).times(100), DIGITS)

/** (offer - cost) / cost in per cent; null for a cost of nothing. */
export const differenceOf = (offer: string, cost: string): string | null =>
  new Exact(cost).isZero() ? null : roundedText(new Exact(offer).minus(cost).dividedBy(cost).times(100), DIGITS)

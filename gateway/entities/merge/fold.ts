import { Exact } from '../../../src/schema/formats'
import type { Fold } from '../../../src/schema/generated/entity'

/** One value of those of several records, the one that stays first. */
export function folded(how: Fold, values: readonly unknown[]): unknown {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '')
  if (typeof how === 'object') {
    const order = how.furthest ?? how.least ?? []
    const ranks = present.map((value) => order.indexOf(String(value))).filter((index) => index >= 0)
    if (ranks.length === 0) return values[0] ?? null
    return order[how.furthest ? Math.max(...ranks) : Math.min(...ranks)]
  }
  if (how === 'all') return [...new Map(present.flat().map((item) => [keyOf(item), item])).values()]
  if (present.length === 0) return null
  if (how === 'first') return present[0]
  if (how === 'sum') {
    const sum = present.reduce<Exact>((total, value) => total.plus(value as string), new Exact(0))
    return typeof present[0] === 'number' ? sum.toNumber() : sum.toFixed(Math.max(...present.map(scaleOf)))
  }
  const sorted = [...present].sort((a, b) => (typeof a === 'number' ? a - Number(b) : String(a) < String(b) ? -1 : 1))
  return how === 'min' ? sorted[0] : sorted.at(-1)
}

/** Decimals that a text is written with: amounts keep theirs. */
const scaleOf = (value: unknown): number => String(value).split('.')[1]?.length ?? 0

/** A file is the same by its id. */
const keyOf = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : JSON.stringify(item)

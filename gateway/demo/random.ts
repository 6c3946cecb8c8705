/** A deterministic source of chance: the same seed gives the same world. */
export interface Chance {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** A whole number from min to max, both included. */
  integer(min: number, max: number): number
  /** True with the given probability. */
  happens(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Picks by weight; weights need not sum to one. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
  /** `count` different items, in random order. */
  sample<T>(items: readonly T[], count: number): T[]
  /** A source of its own for one part of the world: more of one part does not change another. */
  fork(label: string): Chance
}

/** Makes a source from a seed (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(items: readonly T[]): T => {
    const found = items[integer(0, items.length - 1)]
    if (found === undefined) throw new RangeError('Nothing to pick from')
    return found
  }
  return {
    next,
    integer,
    pick,
    happens: (probability) => next() < probability,
    weighted: (items) => {
      let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        rest -= weight
        if (rest < 0) return item
      }
      return pick(items)[0]
    },
    sample: (items, count) => {
      const pool = [...items]
      const taken: (typeof pool)[number][] = []
      while (taken.length < count && pool.length > 0) taken.push(...pool.splice(integer(0, pool.length - 1), 1))
      return taken
    },
    fork: (label) =>
      chance(
        [...label].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0, (seed ^ 0x811c9dc5) >>> 0),
      ),
  }
}

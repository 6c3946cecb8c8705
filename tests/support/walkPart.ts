import { createHash } from 'node:crypto'
import { relative, resolve } from 'node:path'

/**
 * Walks over everything that the project has (roles × entities, pages × people) prove the same thing many times over. `npm test` walks a part
 * that its seed chooses, another one with each commit; without a seed, as in `npm run test:full`, all of it is walked, and so it is in the
 * files that WALK_WHOLE names (paths from the root with commas between).
 */
const SEED = process.env.WALK_SEED
const ROOT = resolve(import.meta.dirname, '../..')
const WHOLE = new Set((process.env.WALK_WHOLE ?? '').split(','))

/** How the walks of a test file go; `file`: its `import.meta.filename`. */
export function walksOf(file: string) {
  /** Whether the whole is walked. */
  const walksAll = !SEED || WHOLE.has(relative(ROOT, file).replaceAll('\\', '/'))
  return {
    walksAll,
    /** Chooses a part: answers for a key whether it is in it. `share`: of all keys, 0 to 1; `walk`: its name, so that walks choose differently. */
    partOf(walk: string, share: number): (key: string) => boolean {
      if (walksAll) return () => true
      return (key) => createHash('sha256').update(`${SEED}/${walk}/${key}`).digest().readUInt32BE(0) / 2 ** 32 < share
    },
    /**
     * Chooses so many of a list, in its order; all of them where the whole is walked. `walk`: its name; `keyOf`: what stays the same about
     * one from commit to commit.
     */
    someOf<T>(walk: string, all: readonly T[], count: number, keyOf: (one: T) => string): readonly T[] {
      if (walksAll) return all
      const rank = (one: T): string =>
        createHash('sha256')
          .update(`${SEED}/${walk}/${keyOf(one)}`)
          .digest('hex')
      const chosen = new Set(
        all
          .map((one) => ({ one, rank: rank(one) }))
          .sort((a, b) => (a.rank < b.rank ? -1 : 1))
          .slice(0, count)
          .map(({ one }) => one),
      )
      return all.filter((one) => chosen.has(one))
    },
  }
}

import { createHash } from 'node:crypto'

/**
 * Walks over everything that the project has (roles × entities, pages × people) prove the same thing many times over. `npm test` walks a part
 * that its seed chooses, another one with each commit; without a seed, as in `npm run test:full`, all of it is walked.
 */
const SEED = process.env.WALK_SEED

/** Whether the whole is walked. */
export const walksAll = SEED === undefined || SEED === ''

/**
 * Chooses a part: answers for a key whether it is in it. `share`: of all keys, 0 to 1; `walk`: its name, so that walks choose differently.
 */
export function partOf(walk: string, share: number): (key: string) => boolean {
  if (walksAll) return () => true
  return (key) => createHash('sha256').update(`${SEED}/${walk}/${key}`).digest().readUInt32BE(0) / 2 ** 32 < share
}

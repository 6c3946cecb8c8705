import { applyChanges } from './applyChanges'
import { addressOfChange, sameChange, sameEffect, type Change } from './change'
import { diffDocuments } from './diffDocuments'

/** Two people changed the same place in different ways. */
export interface Conflict {
  /** The outermost place of the two. */
  at: string
  mine: readonly Change[]
  theirs: readonly Change[]
}

export interface Merged<T> {
  /** Their document with everything of mine that does not contradict it. */
  document: T
  conflicts: readonly Conflict[]
}

/**
 * A three-way merge by ids: what both made of one document. Only places that both changed, and differently, are conflicts;
 * there theirs stands until `mine` names the place, then mine does.
 */
export function mergeDocuments<T>(
  ancestor: T,
  mine: T,
  theirs: T,
  chosen: { mine: ReadonlySet<string> } = { mine: new Set() },
): Merged<T> {
  const mineChanges = diffDocuments(ancestor, mine)
  const theirChanges = diffDocuments(ancestor, theirs)
  const conflicts = findConflicts(mineChanges, theirChanges)
  const lost = new Set(conflicts.filter(({ at }) => !chosen.mine.has(at)).flatMap((conflict) => conflict.mine))
  const overruled = new Set(conflicts.filter(({ at }) => chosen.mine.has(at)).flatMap((conflict) => conflict.theirs))
  const together = [
    ...theirChanges.filter((change) => !overruled.has(change)),
    ...mineChanges.filter((change) => !lost.has(change) && !theirChanges.some((their) => sameChange(their, change))),
  ]
  return { document: applyChanges(ancestor, together).document, conflicts }
}

/** Conflicts of two lists of changes of one document; what touches the same outermost place is one conflict. */
export function findConflicts(mine: readonly Change[], theirs: readonly Change[]): Conflict[] {
  const found = new Map<string, { mine: Set<Change>; theirs: Set<Change> }>()
  for (const change of mine) {
    for (const their of theirs) {
      const at = sharedAddress(change, their)
      if (at === undefined) continue
      const conflict = found.get(at) ?? { mine: new Set(), theirs: new Set() }
      conflict.mine.add(change)
      conflict.theirs.add(their)
      found.set(at, conflict)
    }
  }
  return [...found].map(([at, conflict]) => ({ at, mine: [...conflict.mine], theirs: [...conflict.theirs] }))
}

function sharedAddress(mine: Change, theirs: Change): string | undefined {
  const [a, b] = [addressOfChange(mine), addressOfChange(theirs)]
  if (a === b) return sameEffect(mine, theirs) ? undefined : a
  if (b.startsWith(`${a}/`) || a === '') return a
  return a.startsWith(`${b}/`) || b === '' ? b : undefined
}

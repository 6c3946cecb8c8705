/** Which pages stay in memory (R214). Pure: a list of page keys, most recently used first. */

export const KEPT_PAGES = 12

export interface Kept {
  keys: readonly string[]
  /** The key to drop next; null while there is room. */
  overflow: string | null
  /** True when the page to drop holds unsaved input: ask first. */
  ask: boolean
}

/**
 * Puts `active` first, forgets pages that are no longer open, and names the page to drop when there are more than `cap`:
 * the longest unused one without unsaved input, else the longest unused one that nobody decided to keep.
 */
export function keep(
  keys: readonly string[],
  active: string,
  open: ReadonlySet<string>,
  unsaved: ReadonlySet<string>,
  protectedKeys: ReadonlySet<string> = new Set(),
  cap = KEPT_PAGES,
): Kept {
  const next = [active, ...keys.filter((key) => key !== active && open.has(key))]
  if (next.length <= cap) return { keys: next, overflow: null, ask: false }
  const candidates = next.slice(1).reverse()
  const saved = candidates.find((key) => !unsaved.has(key))
  const overflow = saved ?? candidates.find((key) => !protectedKeys.has(key)) ?? null
  return { keys: next, overflow, ask: saved === undefined && overflow !== null }
}

/**
 * Says that records of an entity changed elsewhere than in the list that shows them: a list that stands on the screen loads
 * anew, one in a hidden tab does so when it is shown again.
 */
const changedAt = new Map<string, number>()
const listeners = new Map<string, Set<() => void>>()

/** `path` is the base path of the entity's calls. */
export const tellChanged = (path: string): void => {
  changedAt.set(path, Date.now())
  listeners.get(path)?.forEach((listener) => listener())
}

export const changedSince = (path: string, moment: number): boolean => (changedAt.get(path) ?? 0) >= moment

/** Calls the listener at each change until the answer is called. */
export const onChanged = (path: string, listener: () => void): (() => void) => {
  const those = listeners.get(path) ?? new Set()
  listeners.set(path, those.add(listener))
  return () => void those.delete(listener)
}

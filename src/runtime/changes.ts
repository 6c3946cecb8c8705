/**
 * Says that records of an entity changed elsewhere than in the list that shows them: a list that stands on the screen loads
 * anew, one in a hidden tab does so when it is shown again.
 */
const changedAt = new Map<string, number>()
const listeners = new Map<string, Map<() => void, object | undefined>>()

/**
 * `path` is the base path of the entity's calls; `by` is who has read the change already and is not told.
 */
export const tellChanged = (path: string, by?: object): void => {
  changedAt.set(path, Date.now())
  for (const [listener, own] of [...(listeners.get(path) ?? [])]) if (own === undefined || own !== by) listener()
}

export const changedSince = (path: string, moment: number): boolean => (changedAt.get(path) ?? 0) >= moment

/** Calls the listener at each change until the answer is called; not at those that are told by `own`. */
export const onChanged = (path: string, listener: () => void, own?: object): (() => void) => {
  const those = listeners.get(path) ?? new Map<() => void, object | undefined>()
  listeners.set(path, those.set(listener, own))
  return () => void those.delete(listener)
}

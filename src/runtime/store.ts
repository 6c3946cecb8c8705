/** A small external store: React reads it with useSyncExternalStore, tests read it directly. */
export interface Store<S> {
  getState(): S
  subscribe(listener: () => void): () => void
}

/** A store with its writer. `set` merges and tells the listeners once. */
export const createStore = <S extends object>(initial: S): Store<S> & { set(change: Partial<S>): void } => {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set: (change) => {
      state = { ...state, ...change }
      for (const listener of [...listeners]) listener()
    },
  }
}

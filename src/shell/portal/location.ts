import { createBrowserHistory, type Action, type BrowserHistory, type Location } from 'history'

/** Where the browser stands and how it came there. A new object with each navigation. */
export interface Visit {
  location: Location
  action: Action
}

/** The addresses of the portal: the browser's history with listeners. */
export interface Addresses {
  current(): Visit
  subscribe(listener: () => void): () => void
  go(address: string, options?: { replace?: boolean; state?: unknown }): void
}

export function createAddresses(history: BrowserHistory = createBrowserHistory()): Addresses {
  let visit: Visit = { location: history.location, action: history.action }
  const listeners = new Set<() => void>()
  history.listen((next) => {
    visit = next
    for (const listener of [...listeners]) listener()
  })
  return {
    current: () => visit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    go: (address, options) =>
      options?.replace ? history.replace(address, options.state) : history.push(address, options?.state),
  }
}

import { createContext, use } from 'react'
import type { Host } from '../headless/host'

const HostContext = createContext<Host | null>(null)

/**
 * Gives everything below it its Host. The value has to stay the same object while nothing but data changes:
 * a new object (other locale, theme, user) renders every reader again.
 *
 * @example <HostProvider value={host}><PageHost address="/crm/client-partner/my-client" /></HostProvider>
 */
export const HostProvider = HostContext.Provider

/** The Host of this portal. Throws outside a HostProvider: that is a mistake in the wiring, not a state of the page. */
export const useHost = (): Host => {
  const host = use(HostContext)
  if (!host) throw new Error('useHost() was called outside a HostProvider. Wrap the tree in <HostProvider value={host}>.')
  return host
}

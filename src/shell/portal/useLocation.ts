import { useCallback, useSyncExternalStore } from 'react'
import type { Visit } from './location'
import { usePortal } from './portal'

/** The current visit; a reader renders again with each navigation. */
export function useLocation(): Visit {
  const { addresses } = usePortal()
  return useSyncExternalStore(
    addresses.subscribe,
    useCallback(() => addresses.current(), [addresses]),
  )
}

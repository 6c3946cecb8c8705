import { useEffect } from 'react'
import type { Failure } from '../../headless/failure'
import { RequestError } from '../../headless/host'

/** Asks again by itself when the browser is online again, after a read that the network let fail. */
export const useWhenOnline = (failure: Failure | null, again: () => void): void => {
  const { error } = failure ?? {}
  const waits = error instanceof RequestError && (error.kind === 'network' || error.kind === 'timeout')
  useEffect(() => {
    if (!waits) return
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [waits, again])
}

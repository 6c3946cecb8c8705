import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../../runtime/failure'
import type { HostRequest } from '../../../runtime/host'
import { useHost } from '../../../runtime/hostContext'

/** The answer of a call; it stays while the call is repeated. */
export interface Answer<T> {
  data: T | null
  /** Why there is none, in the viewer's language. */
  failed: string | null
  reload(): void
}

/** Asks the gateway, and again when the request, the language or the person changes. Null asks nothing. */
export const useAnswer = <T>(request: Omit<HostRequest, 'signal'> | null): Answer<T> => {
  const host = useHost()
  const key = request === null ? null : JSON.stringify(request)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<{ key: string; data: T | null; failed: string | null } | null>(null)
  useEffect(() => {
    if (key === null) return
    const abort = new AbortController()
    host.request<T>({ ...(JSON.parse(key) as HostRequest), signal: abort.signal }).then(
      (data) => setState({ key, data, failed: null }),
      (error: unknown) => {
        if (!abort.signal.aborted && !isAborted(error))
          setState({ key, data: null, failed: toFailure(error, host.locale).message })
      },
    )
    return () => abort.abort()
  }, [host, key, attempt])
  const current = state?.key === key ? state : null
  return {
    data: current?.data ?? null,
    failed: current?.failed ?? null,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  }
}

import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import type { HostRequest } from '../../headless/host'
import { useHost } from '../hostContext'
import { useWhenOnline } from './useWhenOnline'

/** What a reading call has brought so far. */
export interface Call<T> {
  /** The last answer; it stays while the same call is repeated. */
  data: T | null
  failure: Failure | null
  loading: boolean
  /** Asks again; resolves when the answer is there. */
  reload(): void
}

interface Settled<T> {
  key: string
  data: T | null
  failure: Failure | null
  attempt: number
}

/** Reads from the gateway, and again when the request, the language or the person changes. Null asks nothing. */
export const useCall = <T>(request: Omit<HostRequest, 'signal'> | null): Call<T> => {
  const host = useHost()
  const key = request ? JSON.stringify(request) : null
  const [attempt, setAttempt] = useState(0)
  const [settled, setSettled] = useState<Settled<T> | null>(null)

  useEffect(() => {
    if (key === null) return
    const abort = new AbortController()
    host.request<T>({ ...(JSON.parse(key) as HostRequest), signal: abort.signal }).then(
      (data) => {
        if (!abort.signal.aborted) setSettled({ key, data, failure: null, attempt })
      },
      (error: unknown) => {
        if (abort.signal.aborted || isAborted(error)) return
        setSettled({ key, data: null, failure: toFailure(error, host.locale), attempt })
      },
    )
    return () => abort.abort()
  }, [host, key, attempt])

  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  const current = settled?.key === key ? settled : null
  const again = current !== null && current.attempt !== attempt
  useWhenOnline(current?.failure ?? null, reload)
  return {
    data: current?.data ?? null,
    failure: again ? null : (current?.failure ?? null),
    loading: key !== null && (current === null || again),
    reload,
  }
}

import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../../runtime/failure'
import { useHost } from '../../../runtime/hostContext'

export interface Answer<T> {
  data: T | null
  failure: Failure | null
  reload(): void
}

/** Reads once, and again when the question or the language changes; what was there stays while it is asked again. */
export const useAnswer = <T>(path: string, query?: Readonly<Record<string, string | undefined>>): Answer<T> => {
  const host = useHost()
  const key = JSON.stringify({ path, query })
  const [attempt, setAttempt] = useState(0)
  const [settled, setSettled] = useState<{ key: string; data: T | null; failure: Failure | null } | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const question = JSON.parse(key) as { path: string; query?: Record<string, string> }
    host.request<T>({ method: 'GET', ...question, signal: abort.signal }).then(
      (data) => {
        if (!abort.signal.aborted) setSettled({ key, data, failure: null })
      },
      (error: unknown) => {
        if (!abort.signal.aborted && !isAborted(error)) setSettled({ key, data: null, failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [host, key, attempt])
  const current = settled?.key === key ? settled : null
  return {
    data: current?.data ?? null,
    failure: current?.failure ?? null,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  }
}

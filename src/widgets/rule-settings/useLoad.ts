import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../runtime/failure'
import { useHost } from '../../runtime/hostContext'

export type Loaded<T> = { status: 'loading' } | { status: 'failed'; reason: string } | { status: 'ready'; data: T }

/** Reads something once, and again whenever `reload` is called; what was there stays until the answer is there. */
export const useLoad = <T>(path: string, query?: object): readonly [Loaded<T>, () => void] => {
  const host = useHost()
  const [state, setState] = useState<Loaded<T>>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const body = query === undefined ? undefined : JSON.stringify(query)
  useEffect(() => {
    const abort = new AbortController()
    host
      .request<T>({
        method: body === undefined ? 'GET' : 'POST',
        path,
        ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
        signal: abort.signal,
      })
      .then(
        (data) => setState({ status: 'ready', data }),
        (error: unknown) => {
          if (!isAborted(error) && !abort.signal.aborted)
            setState({ status: 'failed', reason: toFailure(error, host.locale).message })
        },
      )
    return () => abort.abort()
  }, [host, path, body, attempt])
  return [state, useCallback(() => setAttempt((count) => count + 1), [])]
}

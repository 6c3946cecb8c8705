import { useCallback, useEffect, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import { RequestError, type Host, type LoadedPage } from '../../headless/host'
import { useWhenOnline } from '../reading/useWhenOnline'

export type PageState = { status: 'loading' } | { status: 'failed'; failure: Failure } | { status: 'ready'; page: LoadedPage }

/**
 * Loads a page by its path, once; what is under way is given up when the page goes away. Behind the state: loads it anew, and
 * shows one that was loaded already.
 */
export const useLoadedPage = (
  host: Host,
  path: string,
): readonly [state: PageState, retry: () => void, show: (page: LoadedPage) => void] => {
  const [state, setState] = useState<PageState>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const settled = state.status !== 'loading'
  useEffect(() => {
    // Activity runs effects again when a tab is shown again: a page that is there stays.
    if (settled) return
    const abort = new AbortController()
    host.loadPage(path, abort.signal).then(
      (page) => setState({ status: 'ready', page }),
      (error: unknown) => {
        if (isAborted(error)) return
        if (!(error instanceof RequestError)) host.report(error, { page: path })
        setState({ status: 'failed', failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [host, path, attempt, settled])
  const retry = useCallback(() => {
    setState({ status: 'loading' })
    setAttempt((count) => count + 1)
  }, [])
  const show = useCallback((page: LoadedPage) => setState({ status: 'ready', page }), [])
  useWhenOnline(state.status === 'failed' ? state.failure : null, retry)
  return [state, retry, show]
}

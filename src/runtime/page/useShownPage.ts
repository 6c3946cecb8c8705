import { useCallback, useEffect, useMemo, useState } from 'react'
import type { CompileResult } from '../../schema/compile'
import { RequestError, type Host, type LoadedPage } from '../../headless/host'
import { lacksSeldom } from '../../schema/expression'
import { compileLoaded } from './compileLoaded'
import { findWorking, tellProblems } from './loadCompiled'
import { loadSeldom } from './loadSeldom'
import { whenQuiet } from './whenQuiet'

export interface ShownPage {
  /** The loaded page, or the last one that worked when that cannot be shown. */
  page: LoadedPage
  result: CompileResult
  /** The loaded page cannot be shown and another one is being looked for, or what it calls is on its way. */
  seeking: boolean
  /** Host for what is drawn: faults of the page are told with the revision that is shown. */
  host: Host
  /** The page was drawn and failed as a whole. */
  fail(): void
}

/** Chooses what is shown of a loaded page. One that is being written (`follows`) is shown as it is, with what is wrong in it. */
export const useShownPage = (host: Host, path: string, loaded: LoadedPage, follows: boolean): ShownPage => {
  const [failed, setFailed] = useState<LoadedPage | null>(null)
  const [found, setFound] = useState<{ of: LoadedPage; page: LoadedPage | null } | null>(null)
  const own = useMemo(() => compileLoaded(loaded.bundle, host, follows), [loaded, host, follows])
  const instead = found?.of === loaded ? found.page : null
  const page = instead ?? loaded
  const result = useMemo(() => (page === loaded ? own : compileLoaded(page.bundle, host)), [page, loaded, own, host])
  const wrong = !follows && (!own.ok || failed === loaded)
  const searched = found?.of === loaded

  useEffect(() => {
    if (!wrong || searched) return
    const abort = new AbortController()
    if (!own.ok) tellProblems(host, loaded.bundle, own.problems)
    void findWorking(host, path, loaded, abort.signal).then((other) => {
      if (!abort.signal.aborted) setFound({ of: loaded, page: other })
    })
    return () => abort.abort()
  }, [wrong, searched, own, host, path, loaded])

  const [faulty] = useState(() => new WeakSet<LoadedPage>())
  const inside = useMemo((): Host => {
    const { where, revision } = page.bundle
    const report: Host['report'] = (error, context) => {
      const ofPage = context['where'] === where && context['at'] !== undefined
      if (ofPage && !(error instanceof RequestError)) faulty.add(page)
      host.report(error, ofPage ? { ...context, revision } : context)
    }
    return { ...host, report }
  }, [host, page, faulty])

  const good = !follows && page === loaded && loaded.from === 'gateway' && own.ok && own.model.problems.length === 0
  useEffect(() => {
    if (!good) return
    return whenQuiet(() => {
      if (!faulty.has(loaded)) host.pageCopies?.keep(path, loaded.bundle)
    })
  }, [good, loaded, host, path, faulty])

  // a function that did not arrive says so itself, where it is called
  const [settled, setSettled] = useState(false)
  const lacks = lacksSeldom() && !settled
  useEffect(() => {
    if (lacks)
      void loadSeldom()
        .catch(() => undefined)
        .finally(() => setSettled(true))
  }, [lacks])

  const fail = useCallback(() => setFailed(page), [page])
  return { page, result, seeking: lacks || (wrong && !searched), host: inside, fail }
}

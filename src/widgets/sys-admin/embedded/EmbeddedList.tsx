import { Suspense, useEffect, useMemo, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../../runtime/failure'
import type { LoadedPage } from '../../../runtime/host'
import { useHost } from '../../../runtime/hostContext'
import { compileLoaded } from '../../../runtime/page'
import { pageScope } from '../../../runtime/scope'
import { Skeleton } from '../../../runtime/state'
import { BlockError, BlockFailure } from '../../../runtime/widget'
import { CallFailure } from '../../../runtime/reading/Loaded'
import { readingTexts } from '../../../runtime/reading/texts'
import { lazyPart } from '../../../runtime/part/lazyPart'

const ListView = lazyPart(async () => ({ default: (await import('../../../runtime/list')).ListView }))

interface EmbeddedListProps {
  /** Name of a list page without a route; its expressions read `query`. */
  page: string
  query: Readonly<Record<string, string>>
}

type State = { page: LoadedPage } | { failure: Failure } | null

/** A list that a page document describes, inside a management page. */
export const EmbeddedList = ({ page, query }: EmbeddedListProps) => {
  const host = useHost()
  const texts = readingTexts[host.locale]
  const [state, setState] = useState<State>(null)
  const [attempt, setAttempt] = useState(0)
  const [search, setSearch] = useState('')
  const given = new URLSearchParams(query).toString()
  const scope = useMemo(() => pageScope(host, `?${given}`), [host, given])

  useEffect(() => {
    const abort = new AbortController()
    host.loadPage(page, abort.signal).then(
      (loaded) => setState({ page: loaded }),
      (error: unknown) => {
        if (!isAborted(error) && !abort.signal.aborted) setState({ failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [host, page, attempt])

  const compiled = useMemo(() => (state && 'page' in state ? compileLoaded(state.page.bundle, host) : null), [state, host])
  const bones = <Skeleton rows={5} columns={4} rowHeight={41} label={texts.loading} />
  if (state && 'failure' in state) return <CallFailure failure={state.failure} onRetry={() => setAttempt(attempt + 1)} />
  if (!compiled) return bones
  if (!compiled.ok || compiled.model.kind !== 'list') {
    const reason = compiled.ok ? page : (compiled.problems[0]?.message[host.locale] ?? page)
    return <BlockFailure source={{ where: page, at: '' }} error={new BlockError(reason)} />
  }
  const { model } = compiled
  return (
    <Suspense fallback={bones}>
      <ListView
        key={`${model.locale} ${given}`}
        id={page}
        body={model.body}
        scope={scope}
        search={search}
        onSearch={setSearch}
        prefix="list."
      />
    </Suspense>
  )
}

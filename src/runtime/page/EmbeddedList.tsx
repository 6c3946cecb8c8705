import { Suspense, useEffect, useMemo, useState } from 'react'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { EarlierNotice, loadCompiled, type CompiledPage } from '.'
import { pageScope } from '../../headless/scope'
import { Skeleton } from '../state'
import { BlockError, BlockFailure } from '../widget'
import { FailureState } from '../reading/FailureState'
import { readingTexts } from '../reading/texts'
import { lazyPart } from '../part/lazyPart'

const ListView = lazyPart(async () => ({ default: (await import('../list')).ListView }))

interface EmbeddedListProps {
  /** Name of a list page without a route; its expressions read `query`. */
  page: string
  query: Readonly<Record<string, string>>
}

type State = CompiledPage | { failure: Failure } | null

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
    loadCompiled(host, page, abort.signal).then(
      (compiled) => {
        if (!abort.signal.aborted) setState(compiled)
      },
      (error: unknown) => {
        if (!isAborted(error) && !abort.signal.aborted) setState({ failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [host, page, attempt])

  const bones = <Skeleton rows={5} columns={4} rowHeight={41} label={texts.loading} />
  if (state && 'failure' in state) return <FailureState failure={state.failure} onRetry={() => setAttempt(attempt + 1)} />
  if (!state) return bones
  const { result } = state
  if (!result.ok || result.model.kind !== 'list') {
    const reason = result.ok ? page : (result.problems[0]?.message[host.locale] ?? page)
    return <BlockFailure source={{ where: page, at: '' }} error={new BlockError(reason)} />
  }
  const { model } = result
  return (
    <Suspense fallback={bones}>
      <EarlierNotice page={state.page} />
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

import '../list/list.css'
import '../detail/detail.css'
import './report.css'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { ready } from '../../schema/formats'
import type { ReportModel } from '../../schema/model'
import { sendCall } from '../call'
import { openLinks } from '../cell'
import { isAborted, toFailure, type Failure } from '../failure'
import { useHost } from '../hostContext'
import { Chips, Filters, useRefTitles } from '../list/Filters'
import { defaultFilters, isVoid, type FilterValue } from '../list/query'
import { toConditions } from '../list/request'
import { listTexts } from '../list/texts'
import { Denied } from '../reading/Denied'
import type { Row } from '../row'
import { pageScope } from '../scope'
import { Skeleton, State } from '../state'
import { useTokenStyle } from '../tokens'
import { BlockBoundary } from '../widget'
import { Block } from './Block'
import { shownBy } from './shown'
import { reportTexts } from './texts'

/** Answer of a report's call: row sets by name; `rows` (or `records`) is the one of blocks that name none. */
type RowSets = Readonly<Record<string, readonly Row[] | undefined>>
type Loaded = { status: 'loading' } | { status: 'failed'; failure: Failure } | { status: 'ready'; sets: RowSets }

const rowsOf = (sets: RowSets, name: string): readonly Row[] => sets[name] ?? (name === 'rows' ? sets.records : undefined) ?? []

/** Figures, charts and tables over the answer of one call; the filters travel with the call. */
const ReportPage = ({ model, address }: { model: ReportModel; address: string; path: string }) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = reportTexts[host.locale]
  const scope = useMemo(() => pageScope(host, address), [host, address])
  const [filters, setFilters] = useState<Readonly<Record<string, FilterValue>>>(() => defaultFilters(model, scope))
  const [state, setState] = useState<Loaded>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const query = useMemo(() => ({ filters }), [filters])
  const [titles, learn] = useRefTitles(host, model.filters, query)
  const follow = useMemo(() => openLinks(host), [host])

  useEffect(() => {
    const abort = new AbortController()
    const load = (): Promise<RowSets> => {
      const where = model.filters.flatMap((filter) => {
        const value = filters[filter.id]
        return value ? toConditions(filter, value) : []
      })
      const params = { ...model.params(scope), ...(where.length > 0 ? { where } : {}) }
      return sendCall<RowSets>(host, model.call, params, { signal: abort.signal })
    }
    // Without the names of countries their codes stand there; the numbers are worth showing all the same.
    const names = (): Promise<void> =>
      model.dimensions.some(({ format }) => format === 'country')
        ? ready('country').catch((error: unknown) => host.report(error, { formats: 'country' }))
        : Promise.resolve()
    Promise.all([load(), names()]).then(
      ([sets]) => setState({ status: 'ready', sets }),
      (error: unknown) => {
        if (!isAborted(error)) setState({ status: 'failed', failure: toFailure(error, host.locale) })
      },
    )
    return () => abort.abort()
  }, [host, model, scope, filters, attempt])

  const shown = useMemo(() => shownBy(model, host, scope, filters), [model, host, scope, filters])
  const onChange = (id: string, value: FilterValue | null): void => {
    const { [id]: _removed, ...rest } = filters
    setFilters(value && !isVoid(value) ? { ...rest, [id]: value } : rest)
  }
  const common = { body: model, query, host, texts: listTexts[host.locale], titles, onChange }
  return (
    <div className="sb-list" style={style} onClick={follow}>
      <header className="sb-list-title">
        <h1>{model.title}</h1>
      </header>
      {model.description && <p className="sb-list-help">{model.description}</p>}
      {model.filters.length > 0 && (
        <div className="sb-bar" role="search" aria-label={model.title}>
          <Filters {...common} onTitles={learn} />
        </div>
      )}
      <Chips {...common} onClear={() => setFilters({})} />
      {state.status === 'loading' && <Skeleton rows={8} columns={4} rowHeight={41} label={texts.loading} />}
      {state.status === 'failed' && state.failure.kind === 'denied' && (
        <Denied title={texts.denied} permission={state.failure.permission} />
      )}
      {state.status === 'failed' && state.failure.kind !== 'denied' && (
        <State role="alert" title={texts.failed} text={state.failure.message}>
          <Button type="primary" onClick={() => setAttempt((count) => count + 1)}>
            {texts.retry}
          </Button>
        </State>
      )}
      {state.status === 'ready' && model.blocks.every(({ rows }) => rowsOf(state.sets, rows).length === 0) ? (
        <State role="status" title={texts.nothing} />
      ) : null}
      {state.status === 'ready' && model.blocks.some(({ rows }) => rowsOf(state.sets, rows).length > 0) && (
        <div className="sb-report">
          {model.blocks.map((block) => (
            <section key={block.id} className="sb-section" style={{ gridColumn: `span ${block.span}` }}>
              <header>
                <h2>{block.title}</h2>
              </header>
              <BlockBoundary source={block.source} resetKey={state.sets}>
                <Block block={block} model={model} rows={rowsOf(state.sets, block.rows)} shown={shown} />
              </BlockBoundary>
            </section>
          ))}
        </div>
      )}
    </div>
  )
}
export default ReportPage

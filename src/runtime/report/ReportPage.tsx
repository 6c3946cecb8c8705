import '../list/list.css'
import '../detail/detail.css'
import './report.css'
import { useEffect, useMemo, useState } from 'react'
import { ready } from '../../schema/formats'
import type { ReportBlockModel, ReportModel } from '../../schema/model'
import { sendCall } from '../../headless/call'
import { openLinks } from '../cell'
import { isAborted, toFailure, type Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { Chips, Filters, useRefTitles } from '../list/Filters'
import { isVoid, type FilterValue } from '../../headless/list/query'
import { listTexts } from '../../headless/list/texts'
import { FailureState } from '../reading/FailureState'
import type { Row } from '../../headless/row'
import { pageScope, searchOf } from '../../headless/scope'
import { Skeleton, State } from '../state'
import { useTokenStyle } from '../tokens'
import { BlockBoundary } from '../widget'
import { filterConditions } from '../../headless/report/ask'
import { AskedBlock } from './AskedBlock'
import { Block, fetchCharts } from './Block'
import { readFilters, writeFilters, type ReportFilters } from '../../headless/report/filters'
import { groupRows } from '../../headless/report/group'
import { shownBy } from '../../headless/report/shown'
import { ReportTools } from './ReportTools'
import { reportTexts } from '../../headless/report/texts'

/** Answer of a report's call: row sets by name; `rows` (or `records`) is the one of blocks that name none. */
type RowSets = Readonly<Record<string, readonly Row[] | undefined>>
type Loaded = { status: 'loading' } | { status: 'failed'; failure: Failure } | { status: 'ready'; sets: RowSets }

const rowsOf = (sets: RowSets, name: string): readonly Row[] => sets[name] ?? (name === 'rows' ? sets.records : undefined) ?? []

interface ReportPageProps {
  model: ReportModel
  address: string
  path: string
  /**
   * Inside another page, with the filters that the report begins with, which nobody changes there: the blocks alone, or what is in them
   * without their titles.
   */
  bare?: 'blocks' | 'content'
}

/**
 * Figures, charts and tables: each block asks the aggregate call of what it counts; blocks over a source share the answer of its one
 * call. The filters travel with every call and stand in the address.
 */
const ReportPage = ({ model, address, path, bare }: ReportPageProps) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = reportTexts[host.locale]
  const search = searchOf(address)
  const foreign = writeFilters(model, undefined, search)
  // The filters write their own parameters into the address; expressions are not evaluated anew for that.
  const scope = useMemo(() => pageScope(host, foreign ? `?${foreign}` : ''), [host, foreign])
  const [own, setOwn] = useState<{ search: string; filters: ReportFilters }>(() => ({
    search,
    filters: readFilters(model, search, scope),
  }))
  const [given, setGiven] = useState(search)
  if (given !== search) {
    setGiven(search)
    if (own.search !== search) setOwn({ search, filters: readFilters(model, search, scope) })
  }
  const { filters } = own
  const setFilters = (next: ReportFilters): void => {
    const written = writeFilters(model, { filters: next, scope }, search)
    setOwn({ search: written, filters: next })
    host.navigate(written ? `${path}?${written}` : path, { replace: true })
  }
  const [state, setState] = useState<Loaded>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [titles, learn] = useRefTitles(host, model.filters, own)
  const follow = useMemo(() => openLinks(host), [host])

  useEffect(() => {
    if (model.blocks.some(({ type }) => type === 'chart')) fetchCharts()
  }, [model])

  useEffect(() => {
    const { call } = model
    if (!call) return
    const abort = new AbortController()
    const load = (): Promise<RowSets> => {
      const where = filterConditions(model.filters, filters)
      const params = { ...model.params(scope), ...(where.length > 0 ? { where } : {}) }
      return sendCall<RowSets>(host, call, params, { signal: abort.signal })
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
  const asking = useMemo(() => ({ host, model, scope, filters }), [host, model, scope, filters])
  const onChange = (id: string, value: FilterValue | null): void => {
    const { [id]: _removed, ...rest } = filters
    setFilters(value && !isVoid(value) ? { ...rest, [id]: value } : rest)
  }
  const retry = (): void => setAttempt((count) => count + 1)
  const sourced = model.blocks.filter(({ questions }) => questions === undefined)
  const alone = sourced.length === model.blocks.length && sourced.length > 0
  const sets = state.status === 'ready' ? state.sets : null
  const empty = alone && sets !== null && sourced.every(({ rows }) => rowsOf(sets, rows).length === 0)

  const content = (block: ReportBlockModel) => {
    if (block.questions) return <AskedBlock block={block} asking={asking} shown={shown} />
    if (state.status === 'failed') return <FailureState failure={state.failure} onRetry={retry} texts={texts} />
    if (!sets) return <Skeleton rows={4} columns={4} rowHeight={32} label={texts.loading} />
    const measures = block.measures.flatMap((id) => model.measures.find((measure) => measure.id === id) ?? [])
    const dimensions = block.type === 'figure' ? [] : block.dimensions
    return <Block block={block} model={model} groups={groupRows(rowsOf(sets, block.rows), dimensions, measures)} shown={shown} />
  }

  const common = { filters: model.filters, values: filters, host, texts: listTexts[host.locale], titles, onChange }
  return (
    <div className="sb-list" style={style} onClick={follow}>
      {!bare && (
        <>
          <header className="sb-list-title">
            <h1>{model.title}</h1>
            {model.blocks.some(({ questions }) => questions !== undefined) && (
              <ReportTools
                host={host}
                path={path}
                search={own.search}
                onOpen={(saved) => host.navigate(saved ? `${path}?${saved}` : path, { replace: true })}
              />
            )}
          </header>
          {model.description && <p className="sb-list-help">{model.description}</p>}
          {model.filters.length > 0 && (
            <div className="sb-bar" role="search" aria-label={model.title}>
              <Filters {...common} onTitles={learn} />
            </div>
          )}
          <Chips {...common} onClear={() => setFilters({})} />
        </>
      )}
      {alone && state.status === 'loading' && <Skeleton rows={8} columns={4} rowHeight={41} label={texts.loading} />}
      {alone && state.status === 'failed' && <FailureState failure={state.failure} onRetry={retry} texts={texts} />}
      {empty && <State role="status" title={texts.nothing} />}
      {(!alone || (sets !== null && !empty)) && (
        <div className={bare === 'content' ? undefined : 'sb-report'}>
          {model.blocks.map((block) => {
            const boundary = (
              <BlockBoundary key={block.id} source={block.source} resetKey={sets ?? filters}>
                {content(block)}
              </BlockBoundary>
            )
            if (bare === 'content') return <div key={block.id}>{boundary}</div>
            return (
              <section key={block.id} className="sb-section" style={{ gridColumn: `span ${block.span}` }}>
                <header>
                  <h2>{block.title}</h2>
                </header>
                {boundary}
              </section>
            )
          })}
        </div>
      )}
    </div>
  )
}
export default ReportPage

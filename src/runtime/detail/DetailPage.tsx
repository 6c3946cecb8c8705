import './detail.css'
import { Button } from 'antd'
import { Suspense, useEffect, useMemo, useRef } from 'react'
import { isDay, toInstant, wallClock } from '../../schema/formats'
import { useActions, type ActionBase } from '../action'
import type { ActionModel, DetailModel, Scope } from '../../schema/model'
import { openLinks, showPlain, useReadyFormats, type CellContext } from '../cell'
import type { Failure } from '../../headless/failure'
import { useHost } from '../hostContext'
import { lazyPart } from '../part/lazyPart'
import { Denied } from '../reading/Denied'
import { pageScope, searchOf } from '../../headless/scope'
import { Skeleton, State } from '../state'
import { useTokenStyle } from '../tokens'
import { tellChanged } from '../changes'
import { additionsOf, entryOf, type Addition } from './additions'
import { editAction, needsEdit, offeredOn } from './actions'
import { Entry } from './Entry'
import { useFolding } from './folding'
import { Header } from './Header'
import { addressFor, neighboursOf } from './neighbours'
import { isVisible, Sections } from './Sections'
import { Tabs } from './Tabs'
import { detailTexts } from './texts'
import { Timeline } from './Timeline'
import { useRecord, type RecordState, type ViewAnswer } from './useRecord'
import { useRelated } from './useRelated'

const Related = lazyPart(() => import('./Related'))

interface DetailPageProps {
  model: DetailModel
  address: string
  path: string
}

/** What the page was opened with: without the open tab and what lists in tabs wrote. */
const givenSearch = (model: DetailModel, search: string): string => {
  const params = new URLSearchParams(search)
  for (const name of [...params.keys()])
    if (name === 'tab' || model.tabs.some((tab) => name.startsWith(`${tab.id}.`))) params.delete(name)
  return params.toString()
}

/** One record: header, sections, tabs, history. */
const DetailPage = ({ model, address, path }: DetailPageProps) => {
  const host = useHost()
  const search = searchOf(address)
  const given = givenSearch(model, search)
  const scope = useMemo(() => pageScope(host, `?${given}`), [host, given])
  const id = useMemo(() => model.record(scope), [model, scope])
  return <DetailOf key={id} id={id} model={model} scope={scope} search={search} path={path} />
}

/** Leaves a page that has nothing to show, for the list where the viewer may open it. */
const Leave = ({ list }: { list: string | undefined }) => {
  const host = useHost()
  const texts = detailTexts[host.locale]
  const to = list !== undefined && host.canOpen(list) ? list : null
  const leave = (): void => {
    host.closePage()
    if (to !== null) host.navigate(to)
  }
  return (
    <Button type="primary" onClick={leave}>
      {to === null ? texts.close : texts.back}
    </Button>
  )
}

const Failed = ({ failure, model, onRetry }: { failure: Failure; model: DetailModel; onRetry(): void }) => {
  const texts = detailTexts[model.locale]
  const leave = <Leave list={model.list} />
  if (failure.kind === 'missing')
    return (
      <State role="alert" title={texts.missing(model.entityLabel)} text={texts.missingText}>
        {leave}
      </State>
    )
  if (failure.kind === 'denied')
    return (
      <Denied title={texts.denied} permission={failure.permission}>
        {leave}
      </Denied>
    )
  return (
    <State role="alert" title={texts.failed} text={failure.message}>
      <Button type="primary" onClick={onRetry}>
        {texts.retry}
      </Button>
    </State>
  )
}

const DetailOf = ({
  id,
  model,
  scope,
  search,
  path,
}: {
  id: string
  model: DetailModel
  scope: Scope
  search: string
  path: string
}) => {
  const host = useHost()
  const style = useTokenStyle()
  const texts = detailTexts[host.locale]
  const { answer, failure, busy, changed, reload, current } = useRecord(host, model, id)
  if (!id)
    return (
      <div className="sb-detail" style={style}>
        <State role="alert" title={texts.missing(model.entityLabel)} text={texts.noRecord}>
          <Leave list={model.list} />
        </State>
      </div>
    )
  if (!answer) {
    return (
      <div className="sb-detail" style={style}>
        {failure ? (
          <Failed failure={failure} model={model} onRetry={() => void reload()} />
        ) : (
          <Skeleton rows={8} columns={3} rowHeight={41} label={texts.loading} />
        )}
      </div>
    )
  }
  if (failure && (failure.kind === 'missing' || failure.kind === 'denied')) {
    return (
      <div className="sb-detail" style={style}>
        <Failed failure={failure} model={model} onRetry={() => void reload()} />
      </div>
    )
  }
  const instant = changed && !isDay(changed.at) ? toInstant(changed.at) : undefined
  return (
    <div className={busy ? 'sb-detail sb-busy' : 'sb-detail'} style={style} aria-busy={busy}>
      {failure && (
        <div className="sb-notice" role="alert">
          {texts.failed}: {failure.message}
          <button type="button" className="sb-link" onClick={() => void reload()}>
            {texts.retry}
          </button>
        </div>
      )}
      {changed && (
        <div className="sb-notice" role="status" data-type="changed">
          {texts.changed(
            changed.by ?? texts.somebody,
            instant === undefined ? changed.at : wallClock(instant, host.timeZone).format('YYYY-MM-DD HH:mm'),
          )}
        </div>
      )}
      <DetailBody
        answer={answer}
        id={id}
        model={model}
        scope={scope}
        search={search}
        path={path}
        reload={reload}
        current={current}
      />
    </div>
  )
}

interface BodyProps {
  answer: ViewAnswer
  id: string
  model: DetailModel
  scope: Scope
  search: string
  path: string
  reload(): Promise<void>
  current: RecordState['current']
}

const DetailBody = ({ answer, id, model, scope: page, search, path, reload, current }: BodyProps) => {
  const host = useHost()
  const texts = detailTexts[host.locale]
  const actions = useActions()
  const { record } = answer
  const formats = useReadyFormats(
    host,
    useMemo(() => Object.values(model.fields), [model]),
  )
  const scope = useMemo<Scope>(() => ({ ...page, record, row: record }), [page, record])
  const context = useMemo<CellContext>(
    () => ({ host, scope, refs: answer.refs ?? {}, now: host.now().getTime(), formats, whole: true }),
    [host, scope, answer.refs, formats],
  )
  const follow = useMemo(() => openLinks(host), [host])
  const canEdit = answer.can?.edit !== false && record.$write !== false
  const named = model.fields[model.titleField]
  const value = record[model.titleField] ?? record.id ?? ''
  // A value of a dictionary is a code: people know its label.
  const title = answer.title ?? (named?.dictionary ? showPlain(named, value, host) : String(value))
  useEffect(() => host.setTitle?.(title), [host, title])
  const offered = useMemo(() => offeredOn(model.actions, answer), [model, answer])
  const shown = canEdit && needsEdit(model) ? [editAction(model), ...offered] : offered
  const tabs = useMemo(() => model.tabs.filter((tab) => isVisible(tab, context)), [model, context])
  const written = useMemo(() => (model.timeline ? entryOf(tabs, scope) : null), [model, tabs, scope])
  const additions = useMemo(() => additionsOf(tabs, scope, written?.tab), [tabs, scope, written])
  const { previous, next } = neighboursOf(host, model.entity, id)

  const onRun = async (action: ActionModel): Promise<void> => {
    // A related list may have changed the record a moment ago.
    const now = (await current())?.record ?? record
    const base: ActionBase = {
      scope: { ...page, record: now, row: now },
      path: model.basePath,
      entityLabel: model.entityLabel,
      amount: 'one',
      rows: [now],
      ids: () => Promise.resolve([String(now.id)]),
      titleOf: () => title,
      restorable: model.restorable,
      reload,
      ...(model.editForm === undefined ? {} : { editForm: model.editForm }),
    }
    await actions.run(action, base)
  }
  const onAdd = ({ list, action }: Addition): Promise<void> =>
    actions.run(action, {
      ...{ scope, path: list.path, entityLabel: list.entityLabel, amount: 'none', rows: [], ids: () => Promise.resolve([]) },
      ...{ titleOf: () => title, restorable: false },
      reload: async () => {
        tellChanged(list.path)
        await reload()
      },
    })
  const onEdit = (form: string, label: string): void => {
    void actions.openForm({ form, container: 'drawer', values: { id: record.id }, title: label }).then((saved) => {
      if (saved !== undefined) return reload()
    })
  }
  const onSearch = (next: string): void => host.navigate(next ? `${path}?${next}` : path, { replace: true })
  const onOpen = (other: string): void => host.navigate(addressFor(path, search, id, other), { replace: true })
  useNeighbourKeys(previous, next, onOpen)
  const related = useRelated(tabs, context, record, search)
  const folding = useFolding(model, record, context, canEdit)
  const grid = useRef<HTMLDivElement>(null)
  const openTab = (tab: string): void => {
    const params = new URLSearchParams(search)
    params.set('tab', tab)
    onSearch(params.toString())
    showTabs(grid.current, tab)
  }

  const waiting = (
    <div className="sb-related sb-related-waiting">
      <Skeleton rows={4} columns={1} rowHeight={32} label={texts.loading} />
    </div>
  )
  const common = { model, record, context, canEdit, onEdit, onSaved: () => void reload() }
  return (
    <div ref={grid} className="sb-detail-grid" onClick={follow}>
      <div className="sb-detail-main">
        <div className="sb-detail-top">
          <Header
            model={model}
            title={title}
            record={record}
            context={context}
            actions={shown}
            running={actions.running}
            previous={previous}
            next={next}
            onRun={(action) => void onRun(action)}
            onOpen={onOpen}
          />
          {actions.notice}
          {tabs.length > 1 && (
            <button type="button" className="sb-link sb-to-tabs" onClick={() => showTabs(grid.current)}>
              {texts.toTabs(tabs.slice(0, 3).map((tab) => tab.title))}
            </button>
          )}
        </div>
        <div className="sb-detail-facts">
          <Sections sections={model.sections} {...common} {...(folding.open ? {} : { folded: folding.folded })} />
          {folding.folded.size > 0 && (
            <button type="button" className="sb-link sb-more-fields" aria-expanded={folding.open} onClick={folding.toggle}>
              {folding.open ? texts.fewerFields : texts.moreFields(folding.folded.size)}
            </button>
          )}
        </div>
      </div>
      {model.related && model.tabs.some((tab) => tab.related) && (
        <div className="sb-detail-related">
          {related.waiting ? (
            waiting
          ) : (
            <Suspense fallback={waiting}>
              <Related
                {...{ model, tabs, related, record, context }}
                additions={additions}
                onAdd={(addition) => void onAdd(addition)}
                onOpen={openTab}
              />
            </Suspense>
          )}
        </div>
      )}
      <Tabs tabs={tabs} sources={related.sources} search={search} onSearch={onSearch} {...common} />
      {model.timeline && (
        <aside className="sb-detail-rail">
          {written && canEdit && (
            <Entry host={host} entry={written.entry} path={written.path} about={id} scope={scope} onSaved={() => void reload()} />
          )}
          <Timeline host={host} model={model} record={record} refs={context.refs} scope={scope} />
        </aside>
      )}
      {actions.outlet}
    </div>
  )
}

/** The lists stand below everything else, on a phone some screens below the name. The open one has the focus then, or the one to be opened. */
const showTabs = (grid: HTMLElement | null, tab?: string): void => {
  const tabs = grid?.querySelector('.sb-detail-tabs')
  tabs?.scrollIntoView()
  const name = tab === undefined ? '[aria-selected="true"]' : `[data-tab="${CSS.escape(tab)}"]`
  tabs?.querySelector<HTMLElement>(`[role="tab"]${name}`)?.focus({ preventScroll: true })
}

/** [ and ] step through the list that the record was opened from. */
const useNeighbourKeys = (previous: string | null, next: string | null, onOpen: (id: string) => void): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const other = event.key === '[' ? previous : event.key === ']' ? next : null
      if (other === null || event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
      if (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
      event.preventDefault()
      onOpen(other)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}
export default DetailPage

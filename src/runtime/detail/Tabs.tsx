import '../list/viewTabs.css'
import { Suspense, type KeyboardEvent, type ReactNode } from 'react'
import type { DetailModel, TabModel } from '../../schema/model'
import type { CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { useChosenInSight } from '../tabBar'
import { Skeleton } from '../state'
import { BlockBoundary, WidgetOutlet } from '../widget'
import { Attachments } from './Attachments'
import { Sections } from './Sections'
import { groupLogs, LOGS } from './logTabs'
import { detailTexts } from './texts'
import { countOf, type Related } from './useRelated'
import { lazyPart } from '../part/lazyPart'

const ListView = lazyPart(async () => ({ default: (await import('../list')).ListView }))
const ATTACHMENTS = '$attachments'

interface TabsProps {
  model: DetailModel
  /** Those that the person sees. */
  tabs: readonly TabModel[]
  /** What is known of their lists. */
  sources: Related['sources']
  record: Row
  context: CellContext
  canEdit: boolean
  search: string
  onSearch(search: string): void
  onEdit(form: string, title: string): void
  onSaved(): void
}

/** Related lists, widgets and sections; which one is open stands in the address. */
export const Tabs = ({ model, tabs, sources, record, context, canEdit, search, onSearch, onEdit, onSaved }: TabsProps) => {
  const { host, scope } = context
  const texts = detailTexts[host.locale]
  const { bar: shown, logs } = groupLogs(tabs)
  const named = ({ id, title, count }: TabModel): { id: string; title: string; count?: string } => {
    const source = count ? sources[id] : undefined
    return { id, title, ...(source ? { count: countOf(source) } : {}) }
  }
  const names: { id: string; title: string; count?: string }[] = [
    ...shown.map((tab) => (tab === LOGS ? { id: LOGS, title: texts.logs } : named(tab))),
    ...(model.attachments ? [{ id: ATTACHMENTS, title: model.attachments.label || texts.attachments }] : []),
  ]
  const asked = new URLSearchParams(search).get('tab')
  const log = logs.find(({ id }) => id === asked) ?? logs[0]
  const place = logs.some(({ id }) => id === asked) ? LOGS : asked
  const active = names.find(({ id }) => id === place) ?? names[0]
  const bar = useChosenInSight(active?.id, sources)
  if (names.length === 0) return null
  const open = (id: string): void => {
    const params = new URLSearchParams(search)
    params.set('tab', id)
    onSearch(params.toString())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = names[(names.findIndex(({ id }) => id === active?.id) + step + names.length) % names.length]
    if (!next) return
    open(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  const tab = active?.id === LOGS ? log : tabs.find(({ id }) => id === active?.id)
  const content = (): ReactNode => {
    if (!tab) return <Attachments host={host} value={model.attachments && record[model.attachments.name]} />
    switch (tab.content.type) {
      case 'list':
        return (
          <Suspense fallback={<Skeleton rows={5} columns={5} rowHeight={41} label={texts.loading} />}>
            <ListView
              key={`${tab.id} ${String(record.id)}`}
              id={`${model.id}#${tab.id}`}
              body={tab.content.list}
              scope={scope}
              search={search}
              onSearch={onSearch}
              prefix={`${tab.id}.`}
              version={record.version}
              onChanged={onSaved}
            />
          </Suspense>
        )
      case 'widget':
        return (
          <WidgetOutlet
            name={tab.content.name}
            props={tab.content.props}
            values={{ ...scope, ...tab.content.values(scope) }}
            source={tab.source}
          />
        )
      case 'sections':
        return (
          <Sections
            sections={tab.content.sections}
            model={model}
            record={record}
            context={context}
            canEdit={canEdit}
            onEdit={onEdit}
            onSaved={onSaved}
          />
        )
    }
  }
  return (
    <div className="sb-detail-tabs">
      <div ref={bar} className="sb-views" role="tablist" aria-label={texts.tabs} onKeyDown={onKeyDown}>
        {names.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${model.id}-tab-${id}`}
            className="sb-view"
            data-tab={id}
            aria-selected={id === active?.id}
            aria-controls={id === active?.id ? `${model.id}-panel` : undefined}
            tabIndex={id === active?.id ? 0 : -1}
            onClick={() => open(id)}
          >
            {title}
            {count !== undefined && <span className="sb-count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${model.id}-panel`} aria-labelledby={`${model.id}-tab-${active?.id}`} className="sb-panel-body">
        {active?.id === LOGS && (
          <div className="sb-kinds" role="group" aria-label={texts.kindsOfLogs}>
            {logs.map(named).map(({ id, title, count }) => (
              <button key={id} type="button" className="sb-kind" aria-pressed={id === log?.id} onClick={() => open(id)}>
                {title}
                {count !== undefined && <span className="sb-count">{count}</span>}
              </button>
            ))}
          </div>
        )}
        <BlockBoundary source={tab?.source ?? model.source} resetKey={`${tab?.id ?? active?.id} ${String(record.id)}`}>
          {content()}
        </BlockBoundary>
      </div>
    </div>
  )
}

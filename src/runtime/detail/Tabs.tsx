import '../list/viewTabs.css'
import { Suspense, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { DetailModel, TabModel } from '../../schema/model'
import type { CellContext } from '../cell'
import { isAborted } from '../../headless/failure'
import type { QueryAnswer } from '../list/controller'
import { onChanged } from '../changes'
import { parseQuery } from '../../headless/list/query'
import { activeView, toCountBody } from '../../headless/list/request'
import type { Row } from '../../headless/row'
import { useChosenInSight } from '../tabBar'
import { Skeleton } from '../state'
import { digits } from '../../headless/words'
import { BlockBoundary, WidgetOutlet } from '../widget'
import { Attachments } from './Attachments'
import { isVisible, Sections } from './Sections'
import { detailTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const ListView = lazyPart(async () => ({ default: (await import('../list')).ListView }))
const ATTACHMENTS = '$attachments'

interface TabsProps {
  model: DetailModel
  record: Row
  context: CellContext
  canEdit: boolean
  search: string
  onSearch(search: string): void
  onEdit(form: string, title: string): void
  onSaved(): void
}

/**
 * Number of rows of each list tab that counts, by what its list asks for: read once the record is there, and again when it, rows of the list, or
 * what is asked for changes.
 */
const useCounts = (
  tabs: readonly TabModel[],
  context: CellContext,
  record: Row,
  search: string,
): Readonly<Record<string, number>> => {
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({})
  const { host, scope } = context
  const asked = tabs.map(({ id, count, content }) => {
    if (!count || content.type !== 'list') return null
    try {
      const query = parseQuery(content.list, search, scope, `${id}.`)
      return toCountBody(content.list, activeView(content.list, query), query, { scope })
    } catch {
      // what its list asks for cannot be worked out: the list says so itself
      return null
    }
  })
  const question = JSON.stringify(asked)
  useEffect(() => {
    const abort = new AbortController()
    const bodies = JSON.parse(question) as (object | null)[]
    const deaf: (() => void)[] = []
    for (const [index, { id, count, content, source }] of tabs.entries()) {
      if (!count || content.type !== 'list' || bodies[index] === null) continue
      const { list } = content
      const ask = async (): Promise<void> => {
        try {
          const body = { pageNo: 1, pageSize: 0, ...bodies[index] }
          const { total } = await host.request<QueryAnswer>({ ...list.calls.query, body, signal: abort.signal })
          setCounts((now) => ({ ...now, [id]: total }))
        } catch (error) {
          if (!isAborted(error)) host.report(error, { where: source.where, at: source.at })
        }
      }
      void ask()
      deaf.push(onChanged(list.path, () => void ask()))
    }
    return () => {
      abort.abort()
      deaf.forEach((end) => end())
    }
    // the record stands for the scope made of it
  }, [tabs, host, question, record.id, record.version])
  return counts
}

/** Related lists, widgets and sections; which one is open stands in the address. */
export const Tabs = ({ model, record, context, canEdit, search, onSearch, onEdit, onSaved }: TabsProps) => {
  const { host, scope } = context
  const texts = detailTexts[host.locale]
  const tabs = model.tabs.filter((tab) => isVisible(tab, context))
  const counts = useCounts(model.tabs, context, record, search)
  const names = [
    ...tabs.map(({ id, title }) => ({ id, title })),
    ...(model.attachments ? [{ id: ATTACHMENTS, title: model.attachments.label || texts.attachments }] : []),
  ]
  const asked = new URLSearchParams(search).get('tab')
  const active = names.find(({ id }) => id === asked) ?? names[0]
  const bar = useChosenInSight(active?.id, counts)
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
  const tab = tabs.find(({ id }) => id === active?.id)
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
        {names.map(({ id, title }) => (
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
            {counts[id] !== undefined && <span className="sb-count">{digits(counts[id])}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${model.id}-panel`} aria-labelledby={`${model.id}-tab-${active?.id}`} className="sb-panel-body">
        <BlockBoundary source={tab?.source ?? model.source} resetKey={`${active?.id} ${String(record.id)}`}>
          {content()}
        </BlockBoundary>
      </div>
    </div>
  )
}

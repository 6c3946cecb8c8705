import './viewTabs.css'
import { Suspense, useMemo, type KeyboardEvent } from 'react'
import type { ListTexts } from '../../headless/list/texts'
import type { ListBodyModel, ListViewModel, SavedView } from '../../schema/model'
import { lazyPart } from '../part/lazyPart'
import { useChosenInSight } from '../tabBar'
import type { ListController, ListState } from './controller'

const SavedViewMenu = lazyPart(() => import('./SavedViewMenu'), 'over')

interface ViewTabsProps {
  list: ListController
  state: ListState
  body: ListBodyModel
  /** The tab of the page that is shown, or that the saved view belongs to. */
  view: ListViewModel | undefined
  saved: readonly SavedView[]
  /** The saved view that is shown. */
  kept: SavedView | undefined
  /** The list shows something else than that view keeps. */
  changed: boolean
  texts: ListTexts
  number(value: number): string
}

interface Tab {
  id: string
  title: string
  count?: string
  hint?: string | undefined
  show(): void
}

/** The one tab beside saved views of a list that has none of its own. */
const WHOLE = ''

/** The tabs of a list: those of the page with their counts, then saved views; arrow keys move between them. */
export const ViewTabs = ({ list, state, body, view, saved, kept, changed, texts, number }: ViewTabsProps) => {
  const { counts } = state
  const active = kept ? `saved:${kept.id}` : (view?.id ?? WHOLE)
  const bar = useChosenInSight(
    active,
    useMemo(() => ({ counts, saved }), [counts, saved]),
  )
  const ofPage = body.views.length === 0 ? [{ id: WHOLE, title: texts.saved.all }] : body.views
  const tabs: Tab[] = [
    ...ofPage.map(({ id, title }) => ({
      ...{ id, title, show: () => list.setView(id) },
      ...(counts[id] === undefined ? {} : { count: number(counts[id]) }),
    })),
    ...saved.map((one) => ({
      ...{ id: `saved:${one.id}`, show: () => list.setSaved(one.id) },
      ...(one === kept && changed
        ? { title: `${one.title} *`, hint: texts.saved.changed }
        : { title: one.title, hint: one.sharedBy === undefined ? undefined : texts.saved.by(one.sharedBy) }),
    })),
  ]
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = tabs.findIndex((tab) => tab.id === active)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (!next) return
    next.show()
    event.currentTarget.querySelector<HTMLElement>(`[data-view="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div className="sb-view-bar">
      <div ref={bar} className="sb-views" role="tablist" aria-label={texts.views} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            className="sb-view"
            data-view={tab.id}
            aria-selected={tab.id === active}
            tabIndex={tab.id === active ? 0 : -1}
            title={tab.hint}
            onClick={tab.show}
          >
            {tab.title}
            {tab.count !== undefined && <span className="sb-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      {kept && (
        <Suspense fallback={null}>
          <SavedViewMenu list={list} view={kept} changed={changed} texts={texts} />
        </Suspense>
      )}
    </div>
  )
}

import './viewTabs.css'
import type { KeyboardEvent, ReactNode } from 'react'
import { useChosenInSight } from '../tabBar'

interface ViewTab {
  id: string
  title: string
  count?: string
  /** Said of the tab where it is pointed at. */
  hint?: string
}

interface ViewTabsProps {
  tabs: readonly ViewTab[]
  active: string | undefined
  label: string
  onTab(id: string): void
  /** What can be done with the shown tab; it stands after the tabs. */
  children?: ReactNode
}

/** The tabs of a list with their counts: those of the page, then saved views; arrow keys move between them. */
export const ViewTabs = ({ tabs, active, label, onTab, children }: ViewTabsProps) => {
  const bar = useChosenInSight(active, tabs)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = tabs.findIndex((tab) => tab.id === active)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (!next) return
    onTab(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-view="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div className="sb-view-bar">
      <div ref={bar} className="sb-views" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            className="sb-view"
            data-view={tab.id}
            aria-selected={tab.id === active}
            tabIndex={tab.id === active ? 0 : -1}
            {...(tab.hint === undefined ? {} : { title: tab.hint })}
            onClick={() => onTab(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <span className="sb-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      {children}
    </div>
  )
}

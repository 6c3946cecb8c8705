import './viewTabs.css'
import type { KeyboardEvent } from 'react'
import type { ListViewModel } from '../../schema/model'
import { useChosenInSight } from '../tabBar'

interface ViewTabsProps {
  views: readonly ListViewModel[]
  active: string | undefined
  counts: Readonly<Record<string, number>>
  label: string
  number(value: number): string
  onView(id: string): void
}

/** Saved views for everybody, as tabs with their counts; arrow keys move between them. */
export const ViewTabs = ({ views, active, counts, label, number, onView }: ViewTabsProps) => {
  const bar = useChosenInSight(active, counts)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = views.findIndex((view) => view.id === active)
    const next = views[(index + step + views.length) % views.length]
    if (!next) return
    onView(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-view="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div ref={bar} className="sb-views" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          role="tab"
          className="sb-view"
          data-view={view.id}
          aria-selected={view.id === active}
          tabIndex={view.id === active ? 0 : -1}
          onClick={() => onView(view.id)}
        >
          {view.title}
          {counts[view.id] !== undefined && <span className="sb-count">{number(counts[view.id] ?? 0)}</span>}
        </button>
      ))}
    </div>
  )
}

import './filters.css'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { FilterModel } from '../../schema/model'
import { isAborted } from '../../headless/failure'
import type { Host } from '../../headless/host'
import { usePhone } from '../media'
import { filterText } from '../../headless/list/describe'
import type { FilterValue, ListQuery } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'
import { lazyPart } from '../part/lazyPart'
import { loadPart } from '../part/loadPart'

/** Controls come when somebody opens one: pickers and selects are most of a list page's JavaScript. */
const FilterPanel = lazyPart(() => import('./FilterPanel'), 'over')
export const preloadFilterPanel = (): void => void loadPart(() => import('./FilterPanel')).catch(() => undefined)

/** Titles of the records that reference filters name, so that a link with ids reads as names. */
export const useRefTitles = (host: Host, filters: readonly FilterModel[], query: Pick<ListQuery, 'filters'>) => {
  const [titles, setTitles] = useState<Readonly<Record<string, Readonly<Record<string, string>>>>>({})
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, field } of filters) {
      const value = query.filters[id]?.value
      if (!field.ref || value === undefined || value === null) continue
      const { path } = field.ref
      const missing = (Array.isArray(value) ? value : [value]).map(String).filter((key) => !asked.current.has(`${id} ${key}`))
      if (missing.length === 0) continue
      for (const key of missing) asked.current.add(`${id} ${key}`)
      host
        .request<readonly { id: string; title: string }[]>({ method: 'POST', path: `${path}/select`, body: { ids: missing } })
        .then((found) => {
          const named = new Map(found.map((entry) => [entry.id, entry.title]))
          setTitles((now) => ({
            ...now,
            [id]: { ...now[id], ...Object.fromEntries(missing.map((key) => [key, named.get(key) ?? key])) },
          }))
        })
        .catch((error: unknown) => {
          if (!isAborted(error))
            setTitles((now) => ({ ...now, [id]: { ...now[id], ...Object.fromEntries(missing.map((key) => [key, key])) } }))
        })
    }
  }, [host, filters, query.filters])
  const learn = (id: string, found: Readonly<Record<string, string>>): void => {
    for (const key of Object.keys(found)) asked.current.add(`${id} ${key}`)
    setTitles((now) => ({ ...now, [id]: { ...now[id], ...found } }))
  }
  return [titles, learn] as const
}

interface FilterBoxProps {
  filter: FilterModel
  value: FilterValue | undefined
  text: string
  host: Host
  texts: ListTexts
  titles: Readonly<Record<string, string>>
  onChange(value: FilterValue | null): void
  onTitles(titles: Readonly<Record<string, string>>): void
}

/** One filter: its name and value as a button; the control opens below it. */
const FilterBox = ({ filter, value, text, host, texts, titles, onChange, onTitles }: FilterBoxProps) => {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <span className="sb-filter">
      <button
        ref={button}
        type="button"
        className={value ? 'sb-box sb-box-set' : 'sb-box'}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preloadFilterPanel}
        onFocus={preloadFilterPanel}
        onClick={() => setOpen(!open)}
      >
        <span className="sb-box-label">{filter.title}</span>
        {value && <bdi className="sb-box-value">{text}</bdi>}
        <span className="sb-caret" aria-hidden="true" />
      </button>
      {open && (
        <Suspense fallback={null}>
          <FilterPanel
            filter={filter}
            value={value}
            host={host}
            texts={texts}
            titles={titles}
            onTitles={onTitles}
            onClose={close}
            onChange={onChange}
          />
        </Suspense>
      )}
    </span>
  )
}

export interface FiltersProps {
  filters: readonly FilterModel[]
  values: ListQuery['filters']
  host: Host
  texts: ListTexts
  titles: Readonly<Record<string, Readonly<Record<string, string>>>>
  onTitles(id: string, titles: Readonly<Record<string, string>>): void
  onChange(id: string, value: FilterValue | null): void
}

/**
 * The filter row; those behind "more" open in place, and stay open while one of them is set. On a phone all are behind it: what
 * is set stands in the chips.
 */
export const Filters = ({ filters, values, host, texts, titles, onTitles, onChange }: FiltersProps) => {
  const phone = usePhone()
  const hidden = phone ? filters : filters.filter((filter) => filter.more)
  const [more, setMore] = useState(() => !phone && hidden.some((filter) => values[filter.id]))
  return (
    <>
      {filters
        .filter((filter) => more || !hidden.includes(filter))
        .map((filter) => {
          const value = values[filter.id]
          return (
            <FilterBox
              key={filter.id}
              filter={filter}
              value={value}
              text={value ? filterText(filter, value, host, texts, titles[filter.id] ?? {}) : ''}
              host={host}
              texts={texts}
              titles={titles[filter.id] ?? {}}
              onTitles={(found) => onTitles(filter.id, found)}
              onChange={(next) => onChange(filter.id, next)}
            />
          )
        })}
      {hidden.length > 0 && (
        <button type="button" className="sb-link" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? texts.fewer : phone ? texts.filters(hidden.length) : texts.more(hidden.length)}
        </button>
      )}
    </>
  )
}

interface ChipsProps extends Pick<FiltersProps, 'filters' | 'values' | 'host' | 'texts' | 'titles' | 'onChange'> {
  onClear(): void
}

/** What is filtered by, each removable. */
export const Chips = ({ filters, values, host, texts, titles, onChange, onClear }: ChipsProps) => {
  const active = filters.flatMap((filter) => {
    const value = values[filter.id]
    if (!value) return []
    const shown = filterText(filter, value, host, texts, titles[filter.id] ?? {})
    return [{ filter, text: `${filter.title}${host.locale === 'zh' ? '：' : ': '}${shown}` }]
  })
  if (active.length === 0) return null
  return (
    <div className="sb-bar" role="group" aria-label={texts.active}>
      {active.map(({ filter, text }) => (
        <span key={filter.id} className="sb-chip" title={text}>
          <bdi>{text}</bdi>
          <button type="button" aria-label={texts.removeFilter(filter.title)} onClick={() => onChange(filter.id, null)}>
            ×
          </button>
        </span>
      ))}
      <button type="button" className="sb-link" onClick={onClear}>
        {texts.clear}
      </button>
    </div>
  )
}

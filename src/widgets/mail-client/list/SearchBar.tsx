import { FilterOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input, type InputRef } from 'antd'
import { Suspense, useState, type RefObject } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { isEnter } from '../../../runtime/typing'
import { isNarrowed, type Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Mark } from '../parts/types'
import { withoutFilter, chipsOf } from './chips'

const Filters = lazyPart(() => import('./Filters'))

interface SearchBarProps {
  input: RefObject<HTMLInputElement | null>
  place: Place
  marks: readonly Mark[]
  /** Only words are searched there. */
  isPlain: boolean
  onGo(place: Place): void
  onClear(): void
}

/** What is searched, further filters on demand, and those in force as chips that can be taken away. */
export const SearchBar = ({ input, place, marks, isPlain, onGo, onClear }: SearchBarProps) => {
  const texts = mailTexts[useHost().locale]
  const [typed, setTyped] = useState(place.q ?? '')
  const [open, setOpen] = useState(false)
  const chips = chipsOf(place, texts, marks)
  const take = (ref: InputRef | null): void => {
    input.current = ref?.input ?? null
  }
  const search = (q: string): void => onGo({ ...place, q: q.trim() || undefined, id: undefined, page: 1 })
  return (
    <search className="sb-mail-search">
      <Input
        ref={take}
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={texts.search}
        aria-label={texts.search}
        value={typed}
        onChange={({ target, type }) => {
          setTyped(target.value)
          if (type === 'click' && place.q) search('')
        }}
        onKeyDown={(event) => {
          if (isEnter(event)) search(typed)
          else if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      {!isPlain && (
        <Button
          icon={<FilterOutlined />}
          aria-label={texts.filters}
          aria-expanded={open}
          title={texts.filters}
          type={open ? 'primary' : 'default'}
          onClick={() => setOpen(!open)}
        />
      )}
      {open && (
        <Suspense fallback={null}>
          <Filters
            place={place}
            marks={marks}
            onApply={(next) => {
              setOpen(false)
              onGo({ ...next, q: typed.trim() || undefined, id: undefined, page: 1 })
            }}
          />
        </Suspense>
      )}
      {chips.length > 0 && (
        <ul className="sb-mail-chips">
          {chips.map(({ name, text }) => (
            <li key={name}>
              <Button
                size="small"
                aria-label={texts.removeFilter(text)}
                onClick={() => onGo({ ...withoutFilter(place, name), id: undefined, page: 1 })}
              >
                {text} ×
              </Button>
            </li>
          ))}
          {isNarrowed(place) && (
            <li>
              <Button type="link" size="small" onClick={onClear}>
                {texts.clearFilters}
              </Button>
            </li>
          )}
        </ul>
      )}
    </search>
  )
}

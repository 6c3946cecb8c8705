import './search.css'
import { Input, Modal, type InputRef } from 'antd'
import { observer } from 'mobx-react-lite'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { searchEntries, type MenuEntry } from './menu'
import { isComposing, isEnter } from '../../runtime/typing'

const SHOWN = 50

/** Search over all menu entries (Ctrl/Cmd K), in both languages at once. */
const SearchPalette = observer(function SearchPalette({ entries }: { entries: readonly MenuEntry[] }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const locale = portal.language.locale
  const text = portal.layout.searchText
  const [index, setIndex] = useState(0)
  const id = useId()
  const input = useRef<InputRef>(null)
  const found = useMemo(() => searchEntries(entries, text, locale).slice(0, SHOWN), [entries, text, locale])
  const current = Math.min(index, found.length - 1)

  const close = () => portal.layout.setSearch(false)
  const open = (entry: MenuEntry | undefined) => {
    if (entry === undefined) return
    close()
    if (entry.newWindow) window.open(entry.path, '_blank', 'noopener')
    else portal.navigation.go(entry.path)
  }
  const move = (step: number) => {
    const next = (current + step + found.length) % found.length
    setIndex(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || found.length === 0) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (isEnter(event)) open(found[current])
    else return
    event.preventDefault()
  }

  return (
    <Modal
      open
      // The field cannot take the focus before the dialog has opened.
      afterOpenChange={(opened) => opened && input.current?.focus()}
      onCancel={close}
      footer={null}
      closable={false}
      width={560}
      className="sb-search"
      title={<span className="sb-hidden">{t('layout.search')}</span>}
      style={{ top: 72 }}
    >
      <Input
        ref={input}
        autoFocus
        size="large"
        variant="borderless"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-label={t('layout.search')}
        placeholder={t('layout.searchHint')}
        value={text}
        onChange={(event) => {
          portal.layout.setSearchText(event.target.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('layout.search')} className="sb-search-list">
        {found.map((entry, at) => (
          <div
            key={entry.path}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            className="sb-search-option"
            onMouseMove={() => setIndex(at)}
            onClick={() => open(entry)}
          >
            <span>{entry.title[locale]}</span>
            <span className="sb-search-trail">{entry.trail.map((title) => title[locale]).join(' / ')}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="sb-search-none" role="status">
          {t('layout.searchNone', { text })}
        </p>
      )}
    </Modal>
  )
})

export default SearchPalette

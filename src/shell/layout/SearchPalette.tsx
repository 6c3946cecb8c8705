import './search.css'
import { Button, Input, Modal, Spin, type InputRef } from 'antd'
import { observer } from 'mobx-react-lite'
import { Fragment, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing, isEnter } from '../../runtime/typing'
import { useTabTitle } from '../bookmarks/useTabTitle'
import { usePortal, type Portal } from '../portal/portal'
import { localStore } from '../session/storage'
import type { MenuEntry } from './menu'
import { markedParts, paletteGroups, type PaletteOption } from './paletteOptions'
import { keepRecent, readRecent } from './recentRecords'
import { useRecordSearch, useStartActions } from './useRecordSearch'

const MOST_RECENT = 8

/** Search over records, pages and what can be begun (Ctrl/Cmd K). */
const SearchPalette = observer(function SearchPalette({ entries }: { entries: readonly MenuEntry[] }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const locale = portal.language.locale
  const text = portal.layout.searchText
  const [index, setIndex] = useState(0)
  const [opensFirst, setOpensFirst] = useState(false)
  const id = useId()
  const input = useRef<InputRef>(null)
  const search = useRecordSearch(portal.http, text)
  const actions = useStartActions(portal.http)
  const recent = useRecent()
  const found = search.state === 'found' ? search.found : null
  const groups = useMemo(
    () =>
      paletteGroups({
        ...{ text, locale, entries, actions, recent, found },
        say: (name) => t(`layout.searchGroups.${name}`),
        colon: t('layout.colon'),
      }),
    [text, locale, entries, actions, recent, found, t],
  )
  const options = groups.flatMap((group) => group.options)
  const current = Math.min(index, options.length - 1)

  const close = () => portal.layout.setSearch(false)
  const open = (option: PaletteOption | undefined, apart = false) => option && openOption(portal, option, apart)
  const move = (step: number) => {
    const next = (current + step + options.length) % options.length
    setIndex(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'ArrowDown' && options.length > 0) move(1)
    else if (event.key === 'ArrowUp' && options.length > 0) move(-1)
    else if (isEnter(event)) {
      // the best record may still be on its way: what stands there meanwhile is not meant
      if (search.state === 'searching' && index === 0) setOpensFirst(true)
      else open(options[current], event.ctrlKey || event.metaKey)
    } else return
    event.preventDefault()
  }
  const isOver = search.state !== 'searching'
  const first = options[0]
  useEffect(() => {
    if (!opensFirst || !isOver) return
    setOpensFirst(false)
    if (found !== null && first) openOption(portal, first)
  }, [opensFirst, isOver, found, first, portal])

  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, group) => sum + group.options.length, 0))
  return (
    <Modal
      open
      // The field cannot take the focus before the dialog has opened.
      afterOpenChange={(opened) => opened && input.current?.focus()}
      onCancel={close}
      footer={null}
      closable={false}
      width={640}
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
        aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
        aria-label={t('layout.search')}
        placeholder={t('layout.searchHint')}
        value={text}
        suffix={search.state === 'searching' ? <Spin size="small" /> : <span />}
        onChange={(event) => {
          portal.layout.setSearchText(event.target.value)
          setIndex(0)
          setOpensFirst(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('layout.search')} className="sb-search-list">
        {groups.map((group, place) => (
          <div key={group.key} role="group" aria-label={group.title}>
            <div className="sb-search-group" aria-hidden>
              {group.title}
              {group.more && <span className="sb-search-trail"> · {t('layout.searchMore')}</span>}
            </div>
            {group.options.map((option, offset) => {
              const at = (starts[place] ?? 0) + offset
              return (
                <div
                  key={`${option.path} ${offset}`}
                  id={`${id}-${at}`}
                  role="option"
                  aria-selected={at === current}
                  className="sb-search-option"
                  onMouseMove={() => setIndex(at)}
                  onClick={(event: MouseEvent) => open(option, event.ctrlKey || event.metaKey)}
                >
                  <Marked text={option.title} typed={text} />
                  {option.more !== '' && (
                    <span className="sb-search-trail">
                      <Marked text={option.more} typed={option.isRecord ? text : ''} />
                    </span>
                  )}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <div className="sb-search-state" role="status">
        {search.state === 'searching' && t('layout.searching')}
        {search.state === 'failed' && (
          <Fragment>
            <span>{search.message ?? t(navigator.onLine ? 'layout.searchFailed' : 'layout.searchOffline')}</span>
            <Button size="small" type="link" onClick={search.again}>
              {t('retry')}
            </Button>
          </Fragment>
        )}
        {found?.similar && t('layout.searchSimilar', { text: text.trim() })}
        {options.length === 0 && isOver && search.state !== 'failed' && t('layout.searchNone', { text: text.trim() })}
      </div>
    </Modal>
  )
})

/** Goes where an option leads, and closes the palette; what was opened is kept among the recent records. */
function openOption({ layout, navigation }: Portal, option: PaletteOption, apart = false): void {
  if (option.isRecord) keepRecent(localStore(), option)
  layout.setSearch(false)
  if (option.newWindow || apart) window.open(option.path, '_blank', 'noopener')
  else navigation.go(option.path)
}

/** Records that were opened lately: from the search, and those that stand in the tab bar. */
function useRecent() {
  const { bookmarks, routes } = usePortal()
  const titleOf = useTabTitle()
  const open = [...bookmarks.state.tabs].reverse().flatMap((tab) => {
    const route = routes.table.route(tab.path)
    return route?.detail && route.record !== undefined && tab.title !== null
      ? [{ path: tab.address, title: titleOf(tab), more: '' }]
      : []
  })
  const kept = useMemo(() => readRecent(localStore()), [])
  const said = JSON.stringify([...kept, ...open])
  return useMemo(() => {
    const all = JSON.parse(said) as { path: string; title: string; more: string }[]
    return [...new Map([...all].reverse().map((one) => [one.path, one])).values()].reverse().slice(0, MOST_RECENT)
  }, [said])
}

function Marked({ text, typed }: { text: string; typed: string }) {
  const [before, found, after] = markedParts(text, typed)
  return (
    <span>
      {before}
      {found !== '' && <mark>{found}</mark>}
      {after}
    </span>
  )
}

export default SearchPalette

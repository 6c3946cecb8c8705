import './bookmarks.css'
import { DownOutlined, LeftOutlined, ReloadOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID, possible, type Bookmark } from './bookmarks'
import { animateScroll, SCROLL_STEP } from './scroll'
import { TabList } from './TabItem'
import { useSortable } from './useSortable'
import { useTabActions } from './useTabActions'

/** The tab bar: arrows at both ends (R076), the tabs, refresh, and the menu with exactly three actions (R077). */
export const BookmarkBar = observer(function BookmarkBar() {
  const portal = usePortal()
  const { t } = useTranslation()
  const { bookmarks } = portal
  const actions = useTabActions()
  const scroller = useRef<HTMLDivElement>(null)
  const [ends, setEnds] = useState({ left: true, right: true })
  const [pointed, setPointed] = useState<Bookmark | null>(null)
  const tabs = bookmarks.state.tabs
  // The home tab stays first: with one more there is nothing to sort.
  const List = useSortable(scroller, tabs.length > 2) ?? TabList
  const active = bookmarks.active
  const activeId = active?.id ?? null

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () =>
      setEnds({ left: element.scrollLeft <= 1, right: element.scrollLeft + element.clientWidth >= element.scrollWidth - 1 })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [tabs.length])

  useEffect(() => {
    scroller.current?.querySelector('.sb-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])

  const scroll = (step: number) => {
    if (scroller.current !== null) animateScroll(scroller.current, step)
  }
  const closing = (tab: Bookmark): NonNullable<MenuProps['items']> => {
    const can = possible(bookmarks.state, tab.id)
    return [
      { key: 'current', label: t('tabs.closeCurrent'), disabled: !can.current },
      { key: 'others', label: t('tabs.closeOthers'), disabled: !can.others },
      { key: 'all', label: t('tabs.closeAll'), disabled: !can.all },
    ]
  }
  const act = (tab: Bookmark, key: string) => {
    if (key === 'refresh') actions.refresh(tab)
    else if (key === 'current') actions.close(tab)
    else if (key === 'others') actions.closeOthers(tab)
    else if (key === 'all') actions.closeAll()
  }
  const own = active ?? tabs.find((tab) => tab.id === HOME_ID) ?? null
  const target = pointed ?? own

  return (
    <nav className="sb-tabs" aria-label={t('tabs.label')}>
      <Button
        type="text"
        size="small"
        className="sb-tabs-arrow"
        icon={<LeftOutlined />}
        aria-label={t('tabs.left')}
        disabled={ends.left}
        onClick={() => scroll(-SCROLL_STEP)}
      />
      <Dropdown
        trigger={['contextMenu']}
        menu={{
          items: target === null ? [] : [{ key: 'refresh', label: t('tabs.refresh') }, { type: 'divider' }, ...closing(target)],
          onClick: ({ key }) => target !== null && act(target, key),
        }}
      >
        <div
          className="sb-tabs-scroller"
          ref={scroller}
          onContextMenuCapture={(event) => {
            const id = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tab]')?.dataset.tab : undefined
            setPointed(tabs.find((tab) => tab.id === id) ?? null)
          }}
        >
          <List tabs={tabs} activeId={activeId} actions={actions} />
        </div>
      </Dropdown>
      <Button
        type="text"
        size="small"
        className="sb-tabs-arrow"
        icon={<RightOutlined />}
        aria-label={t('tabs.right')}
        disabled={ends.right}
        onClick={() => scroll(SCROLL_STEP)}
      />
      <Button
        type="text"
        size="small"
        className="sb-tabs-arrow"
        icon={<ReloadOutlined />}
        aria-label={t('tabs.refresh')}
        disabled={active === null}
        onClick={() => active && actions.refresh(active)}
      />
      <Dropdown
        trigger={['click']}
        menu={{ items: own === null ? [] : closing(own), onClick: ({ key }) => own !== null && act(own, key) }}
      >
        <Button type="text" size="small" className="sb-tabs-arrow" icon={<DownOutlined />} aria-label={t('tabs.actions')} />
      </Dropdown>
    </nav>
  )
})

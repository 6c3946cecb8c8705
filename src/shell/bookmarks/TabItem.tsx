import { CloseOutlined, HomeOutlined } from '@ant-design/icons'
import type { DraggableSyntheticListeners } from '@dnd-kit/core'
import { observer } from 'mobx-react-lite'
import type { CSSProperties, KeyboardEvent, MouseEvent, RefCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID, type Bookmark } from './bookmarks'
import type { TabActions } from './useTabActions'
import { useTabTitle } from './useTabTitle'

const MIDDLE = 1

export interface TabListProps {
  tabs: readonly Bookmark[]
  activeId: string | null
  actions: TabActions
}

export interface TabItemProps {
  tab: Bookmark
  active: boolean
  unsaved: boolean
  actions: TabActions
  /** What dragging adds, once it is there. */
  drag?: {
    item: RefCallback<HTMLElement>
    link: RefCallback<HTMLElement>
    listeners: DraggableSyntheticListeners
    describedBy: string
    style: CSSProperties
  }
}

/** The tabs without dragging. */
export const TabList = observer(function TabList({ tabs, activeId, actions }: TabListProps) {
  const { bookmarks } = usePortal()
  return (
    <ul className="sb-tab-list">
      {tabs.map((tab) => (
        <TabItem key={tab.id} tab={tab} active={tab.id === activeId} unsaved={bookmarks.isUnsaved(tab.id)} actions={actions} />
      ))}
    </ul>
  )
})

/** One tab: a link, a dot for unsaved input, and the cross. The middle button and the delete key close it. */
export function TabItem({ tab, active, unsaved, actions, drag }: TabItemProps) {
  const { t } = useTranslation()
  const title = useTabTitle()(tab)

  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    actions.open(tab)
  }
  const onAuxClick = (event: MouseEvent) => {
    if (event.button !== MIDDLE) return
    event.preventDefault()
    if (tab.close) actions.close(tab)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' && tab.close) {
      event.preventDefault()
      actions.close(tab)
    } else drag?.listeners?.onKeyDown?.(event)
  }

  return (
    <li ref={drag?.item} style={drag?.style} className={`sb-tab${active ? ' sb-tab-active' : ''}`} data-tab={tab.id}>
      <a
        ref={drag?.link}
        href={tab.address}
        draggable={false}
        aria-current={active ? 'page' : undefined}
        aria-describedby={tab.close ? drag?.describedBy : undefined}
        title={title}
        {...drag?.listeners}
        onClick={onClick}
        onAuxClick={onAuxClick}
        onKeyDown={onKeyDown}
      >
        {tab.id === HOME_ID && <HomeOutlined aria-hidden />}
        <span className="sb-tab-title">{title}</span>
        {unsaved && (
          <span className="sb-tab-dot" role="img" aria-label={t('tabs.unsaved')}>
            ●
          </span>
        )}
      </a>
      {tab.close && (
        <button
          type="button"
          className="sb-tab-close"
          aria-label={t('tabs.closeOne', { title })}
          onClick={() => actions.close(tab)}
        >
          <CloseOutlined aria-hidden />
        </button>
      )}
    </li>
  )
}

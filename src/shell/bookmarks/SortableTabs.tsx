import { CloseOutlined, HomeOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { horizontalListSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { observer } from 'mobx-react-lite'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID, type Bookmark } from './bookmarks'
import type { TabActions } from './useTabActions'
import { useTabTitle } from './useTabTitle'

const DRAG_DISTANCE = 6
const MIDDLE = 1

interface SortableTabsProps {
  tabs: readonly Bookmark[]
  activeId: string | null
  actions: TabActions
}

/** The tabs themselves: links that can be dragged to another place; the home tab stays first. */
export const SortableTabs = observer(function SortableTabs({ tabs, activeId, actions }: SortableTabsProps) {
  const { bookmarks } = usePortal()
  const { t } = useTranslation()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    // Enter opens the link, so only the space key lifts a tab.
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space'] },
    }),
  )
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over) bookmarks.move(String(active.id), String(over.id))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ screenReaderInstructions: { draggable: t('tabs.dragHelp') } }}
    >
      <SortableContext items={tabs.map((tab) => tab.id)} strategy={horizontalListSortingStrategy}>
        <ul className="sb-tab-list">
          {tabs.map((tab) => (
            <Tab key={tab.id} tab={tab} active={tab.id === activeId} unsaved={bookmarks.isUnsaved(tab.id)} actions={actions} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
})

function Tab({ tab, active, unsaved, actions }: { tab: Bookmark; active: boolean; unsaved: boolean; actions: TabActions }) {
  const { t } = useTranslation()
  const title = useTabTitle()(tab)
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, transform, transition, isDragging } = useSortable({
    id: tab.id,
    disabled: tab.id === HOME_ID,
  })
  const style = { transform: CSS.Translate.toString(transform), transition, zIndex: isDragging ? 1 : undefined }

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
    } else listeners?.onKeyDown?.(event)
  }

  return (
    <li ref={setNodeRef} style={style} className={`sb-tab${active ? ' sb-tab-active' : ''}`} data-tab={tab.id}>
      <a
        ref={setActivatorNodeRef}
        href={tab.address}
        draggable={false}
        aria-current={active ? 'page' : undefined}
        aria-describedby={tab.close ? attributes['aria-describedby'] : undefined}
        title={title}
        {...listeners}
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

import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { horizontalListSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID } from './bookmarks'
import { TabItem, type TabItemProps, type TabListProps } from './TabItem'

const DRAG_DISTANCE = 6

/** The tabs with dragging: the home tab stays first. Loaded when the browser is idle, in the place of the plain list. */
const SortableTabs = observer(function SortableTabs({ tabs, activeId, actions }: TabListProps) {
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
        <ul className="sb-tab-list" data-sortable>
          {tabs.map((tab) => (
            <SortableTab
              key={tab.id}
              tab={tab}
              active={tab.id === activeId}
              unsaved={bookmarks.isUnsaved(tab.id)}
              actions={actions}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
})

function SortableTab(props: Omit<TabItemProps, 'drag'>) {
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, transform, transition, isDragging } = useSortable({
    id: props.tab.id,
    disabled: props.tab.id === HOME_ID,
  })
  return (
    <TabItem
      {...props}
      drag={{
        item: setNodeRef,
        link: setActivatorNodeRef,
        listeners,
        describedBy: attributes['aria-describedby'],
        style: { transform: CSS.Translate.toString(transform), transition, zIndex: isDragging ? 1 : undefined },
      }}
    />
  )
}

export default SortableTabs

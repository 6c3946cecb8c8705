import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core'
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { useHost } from '../../../runtime/hostContext'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { homeTexts } from '../texts'
import { MovableCard } from './MovableCard'
import type { OfferedCard } from './useCards'

interface ArrangeProps {
  cards: readonly OfferedCard[]
  offered: readonly OfferedCard[]
  round: number
  /** Names alone: whoever arranges for others sees what he may see, not what they do. */
  bare?: boolean
  onChange(cards: readonly OfferedCard[]): void
}

/** The cards while they are arranged, and the choice of those that are not there. */
const Arrange = ({ cards, offered, round, bare = false, onChange }: ArrangeProps) => {
  const texts = homeTexts[useHost().locale]
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = cards.map(({ id }) => id)
  const onDragEnd = ({ active, over }: DragEndEvent): void => {
    if (over) onChange(arrayMove([...cards], ids.indexOf(String(active.id)), ids.indexOf(String(over.id))))
  }
  const titleOf = (id: string | number): string => cards.find((card) => card.id === id)?.title ?? ''
  const placed = (id: string | number, at: string | number): string =>
    texts.placed(titleOf(id), ids.indexOf(String(at)) + 1, cards.length)
  const announcements: Announcements = {
    onDragStart: ({ active }) => placed(active.id, active.id),
    onDragOver: ({ active, over }) => (over ? placed(active.id, over.id) : undefined),
    onDragEnd: ({ active, over }) => (over ? placed(active.id, over.id) : undefined),
    onDragCancel: ({ active }) => texts.unmoved(titleOf(active.id)),
  }
  const left = offered.filter(({ id }) => !ids.includes(id))
  return (
    <>
      {left.length > 0 && (
        <SearchSelect
          className="sb-home-add"
          aria-label={texts.add}
          placeholder={texts.add}
          value={null}
          options={left.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(id) => {
            const card = left.find((one) => one.id === id)
            if (card) onChange([card, ...cards])
          }}
        />
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{ announcements, screenReaderInstructions: { draggable: texts.dragHelp } }}
      >
        <SortableContext items={ids} strategy={rectSortingStrategy}>
          <div className="sb-report">
            {cards.map((card) => (
              <MovableCard
                key={card.id}
                card={card}
                round={round}
                bare={bare}
                onSize={(span) => onChange(cards.map((one) => (one.id === card.id ? { ...one, span } : one)))}
                onRemove={() => onChange(cards.filter(({ id }) => id !== card.id))}
              />
            ))}
          </div>
        </SortableContext>
      </DndContext>
    </>
  )
}
export default Arrange

import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import type { Announcements } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useHost } from '../../../runtime/hostContext'
import { movedCodes, type DictionaryDetail, type DictionaryUsage, type DictionaryValue, type ValueAction } from './dictionary'
import { dictionaryTexts } from './texts'
import { ValueLine } from './ValueLine'

interface ValuesProps {
  detail: DictionaryDetail
  usage: DictionaryUsage | null
  onAction(action: ValueAction, value: DictionaryValue): void
  onOrder(codes: readonly string[]): void
}

/** The values in their order; they are moved by mouse, by touch and by keyboard. */
export const Values = ({ detail, usage, onAction, onOrder }: ValuesProps) => {
  const { locale } = useHost()
  const texts = dictionaryTexts[locale]
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const codes = detail.items.map(({ code }) => code)
  const movedTo = (id: unknown, over: unknown): string => {
    const item = detail.items.find(({ code }) => code === id)
    return texts.movedTo(item?.label[locale] ?? String(id), codes.indexOf(String(over ?? id)) + 1, codes.length)
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) => movedTo(active.id, active.id),
    onDragOver: ({ active, over }) => movedTo(active.id, over?.id),
    onDragEnd: ({ active, over }) => movedTo(active.id, over?.id),
    onDragCancel: ({ active }) => movedTo(active.id, active.id),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: texts.dragHelp } }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onOrder(movedCodes(codes, String(active.id), String(over.id)))
      }}
    >
      <SortableContext items={codes} strategy={verticalListSortingStrategy}>
        <div className="sb-dict-values" data-editable={detail.mayEdit || undefined}>
          <div className="sb-dict-line sb-dict-head" aria-hidden>
            {detail.mayEdit && <span className="sb-dict-handle" />}
            <span className="sb-dict-tag">{texts.columns.value}</span>
            <span className="sb-dict-other">{texts.columns.other}</span>
            <span className="sb-dict-code">{texts.columns.code}</span>
            <span className="sb-dict-used">{texts.columns.used}</span>
            <span className="sb-dict-marks">{texts.columns.state}</span>
            {detail.mayEdit && <span className="sb-dict-actions" />}
          </div>
          <ul className="sb-choices">
            {detail.items.map((value, index) => (
              <ValueLine
                key={value.code}
                value={value}
                usage={usage}
                editable={detail.mayEdit}
                first={index === 0}
                last={index === detail.items.length - 1}
                onAction={(action) => onAction(action, value)}
              />
            ))}
          </ul>
        </div>
      </SortableContext>
    </DndContext>
  )
}

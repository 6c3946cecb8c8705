import { HolderOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useHost } from '../../../../runtime/hostContext'
import type { Form } from '../../../../schema/generated/process'
import { processTexts } from '../texts'
import { valueName, textIn } from '../words'
import { useCatalogue } from '../panel/catalogue'
import { linesOf, movedLine, typesOf, withLines, type Line } from './edit'

interface Props {
  form: Form
  /** A field, or `#group`. */
  chosen: string | null
  faulty: ReadonlySet<string>
  onChoose(key: string): void
  /** Absent: it is only looked at. */
  onChange?: (form: Form) => void
}

const keyOf = (line: Line): string => ('group' in line ? `#${line.group ?? ''}` : line.field)

/** Groups and fields in their order: moved by dragging, by the handle and the arrow keys, or by Alt+arrows. */
export const FieldList = ({ form, chosen, faulty, onChoose, onChange }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const lines = linesOf(form)
  const keys = lines.map(keyOf)
  const types = typesOf(form)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const move = (from: number, to: number): void => {
    const next = movedLine(lines, from, to)
    if (next !== lines) onChange?.(withLines(form, next))
  }
  const onDragEnd = ({ active, over }: DragEndEvent): void => {
    if (over && active.id !== over.id) move(keys.indexOf(String(active.id)), keys.indexOf(String(over.id)))
  }
  const nameOf = (line: Line): string =>
    'group' in line
      ? textIn(form.groups?.find(({ id }) => id === line.group)?.title, locale) || (line.group ?? texts.ungrouped)
      : textIn(form.fields[line.field]?.['x-label'], locale) || line.field
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ul className="sb-fields-list" aria-label={texts.fields}>
          {lines.map((line, index) => (
            <SortableLine
              key={keys[index]}
              id={keys[index] ?? ''}
              name={nameOf(line)}
              about={'field' in line ? valueName(catalogue, 'fieldType', types.get(line.field) ?? 'string', locale) : undefined}
              required={'field' in line && form.required?.includes(line.field) === true}
              chosen={chosen === keys[index]}
              faulty={faulty.has(keys[index] ?? '')}
              movable={onChange !== undefined && !('group' in line && line.group === null)}
              handle={texts.moveTo}
              onChoose={() => onChoose(keys[index] ?? '')}
              onShift={(by) => move(index, index + by)}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

interface LineProps {
  id: string
  name: string
  about: string | undefined
  required: boolean
  chosen: boolean
  faulty: boolean
  movable: boolean
  handle: string
  onChoose(): void
  onShift(by: 1 | -1): void
}

const SortableLine = ({ id, name, about, required, chosen, faulty, movable, handle, onChoose, onShift }: LineProps) => {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id, disabled: !movable })
  const isGroup = about === undefined
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={[
        isGroup ? 'sb-fields-group' : 'sb-fields-field',
        chosen ? 'sb-fields-chosen' : '',
        faulty ? 'sb-fields-faulty' : '',
      ].join(' ')}
    >
      {movable && (
        <span {...attributes} {...listeners} className="sb-fields-handle" aria-label={`${handle} ${name}`}>
          <HolderOutlined aria-hidden />
        </span>
      )}
      <button
        type="button"
        aria-pressed={chosen}
        onClick={onChoose}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !movable) return
          event.preventDefault()
          onShift(event.key === 'ArrowUp' ? -1 : 1)
        }}
      >
        <span>
          {required && <span className="sb-fields-needed">*</span>}
          {name}
        </span>
        {about && <small>{about}</small>}
      </button>
    </li>
  )
}

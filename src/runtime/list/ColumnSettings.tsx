import './columnSettings.css'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
  arrayMove,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button, Drawer, InputNumber, Radio, Select } from 'antd'
import type { ColumnModel } from '../../schema/model'
import { usePhone } from '../media'
import { useTokenStyle } from '../tokens'
import { arrange, clampWidth, type Density, type ListSettings } from './settings'
import type { ListTexts } from '../../headless/list/texts'

interface ColumnSettingsProps {
  columns: readonly ColumnModel[]
  settings: ListSettings
  texts: ListTexts
  onChange(settings: ListSettings): void
  onClose(): void
}

interface LineProps {
  column: ColumnModel
  last: boolean
  /** Cards have neither pins nor widths. */
  cards: boolean
  texts: ListTexts
  onChange(change: { hidden?: boolean; width?: number; pin?: 'left' | 'right' | 'none' }): void
}

/** One column: handle, visibility, pin, width. */
const Line = ({ column, last, cards, texts, onChange }: LineProps) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } = useSortable({ id: column.id })
  const { title } = column
  return (
    <div
      ref={setNodeRef}
      className="sb-setting"
      style={{ transform: CSS.Transform.toString(transform), transition }}
      data-column={column.id}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="sb-handle"
        {...attributes}
        {...listeners}
        aria-label={texts.column.drag(title)}
      >
        ⠿
      </button>
      <label>
        <input
          type="checkbox"
          checked={!column.hidden}
          disabled={last}
          title={last ? texts.column.lastShown : undefined}
          aria-label={texts.column.show(title)}
          onChange={(event) => onChange({ hidden: !event.target.checked })}
        />
        <span title={title}>{title}</span>
      </label>
      {!cards && (
        <>
          <Select<'left' | 'right' | 'none'>
            size="small"
            style={{ width: 116 }}
            aria-label={texts.column.pin(title)}
            value={column.pin ?? 'none'}
            options={(['none', 'left', 'right'] as const).map((value) => ({ value, label: texts.column.pins[value] }))}
            onChange={(pin) => onChange({ pin })}
          />
          <InputNumber<number>
            size="small"
            style={{ width: 72 }}
            controls={false}
            min={48}
            max={1200}
            precision={0}
            aria-label={texts.column.width(title)}
            value={column.width}
            onChange={(width) => {
              if (width !== null) onChange({ width: clampWidth(width) })
            }}
          />
        </>
      )}
    </div>
  )
}

/** Order, visibility, pin and width of the columns, and the row height: for this user, kept on the server. */
const ColumnSettings = ({ columns, settings, texts, onChange, onClose }: ColumnSettingsProps) => {
  const style = useTokenStyle()
  const phone = usePhone()
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const arranged = arrange(columns, settings)
  const ids = arranged.map((column) => column.id)
  const shown = arranged.filter((column) => !column.hidden).length
  const onDragEnd = ({ active, over }: DragEndEvent): void => {
    if (!over || active.id === over.id) return
    onChange({ ...settings, order: arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))) })
  }
  const changeColumn = (id: string, { hidden, width, pin }: Parameters<LineProps['onChange']>[0]): void =>
    onChange({
      ...settings,
      ...(hidden === undefined ? {} : { hidden: { ...settings.hidden, [id]: hidden } }),
      ...(width === undefined ? {} : { widths: { ...settings.widths, [id]: width } }),
      ...(pin === undefined ? {} : { pins: { ...settings.pins, [id]: pin } }),
    })
  return (
    <Drawer
      open
      width={Math.min(440, window.innerWidth)}
      title={texts.column.title}
      onClose={onClose}
      extra={
        <Button size="small" onClick={() => onChange(settings.pageSize === undefined ? {} : { pageSize: settings.pageSize })}>
          {texts.column.reset}
        </Button>
      }
      footer={
        <Button type="primary" onClick={onClose}>
          {texts.column.done}
        </Button>
      }
    >
      <div className="sb-list" style={style}>
        {!phone && (
          <Radio.Group
            optionType="button"
            size="small"
            aria-label={texts.density}
            value={settings.density ?? 'normal'}
            options={(['normal', 'compact'] as const).map((value) => ({ value, label: texts.densities[value] }))}
            onChange={(event) => onChange({ ...settings, density: event.target.value as Density })}
          />
        )}
        <p className="sb-list-help">{phone ? texts.column.helpCards : texts.column.help}</p>
        <div>
          <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
            <SortableContext items={ids} strategy={verticalListSortingStrategy}>
              {arranged.map((column) => (
                <Line
                  key={column.id}
                  column={column}
                  cards={phone}
                  last={!column.hidden && shown === 1}
                  texts={texts}
                  onChange={(change) => changeColumn(column.id, change)}
                />
              ))}
            </SortableContext>
          </DndContext>
        </div>
      </div>
    </Drawer>
  )
}
export default ColumnSettings

import { MoreOutlined } from '@ant-design/icons'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button, Dropdown, Tooltip } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { otherLocale, rowsOf, type DictionaryUsage, type DictionaryValue, type ValueAction } from './dictionary'
import { dictionaryTexts } from './texts'
import '../../../runtime/cell/cell.css'

interface ValueLineProps {
  value: DictionaryValue
  /** Null while the rows are counted. */
  usage: DictionaryUsage | null
  editable: boolean
  first: boolean
  last: boolean
  onAction(action: ValueAction): void
}

/** One value: handle, tag, words, code, use, what can be done. */
export const ValueLine = ({ value, usage, editable, first, last, onAction }: ValueLineProps) => {
  const { locale } = useHost()
  const texts = dictionaryTexts[locale]
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: value.code,
    disabled: !editable,
  })
  const label = value.label[locale]
  const { states } = texts
  const marks: readonly (readonly [word: string, help: string | null])[] = [
    ...(value.retired ? ([[states.retired, null]] as const) : []),
    ...(value.origin === 'added' ? ([[states.added, null]] as const) : []),
    ...(value.origin === 'kept' ? ([[states.kept, texts.keptValue]] as const) : []),
    ...(value.fixed ? ([[states.fixed, texts.fixedValue]] as const) : []),
    ...(value.changed && value.released && value.released[locale] !== label
      ? ([[states.changed, texts.releasedAs(value.released[locale])]] as const)
      : []),
  ]
  const items = [
    { key: 'up', label: texts.actions.up, disabled: first },
    { key: 'down', label: texts.actions.down, disabled: last },
    value.retired
      ? { key: 'restore', label: texts.actions.restore }
      : { key: 'retire', label: texts.actions.retire, disabled: value.fixed, title: value.fixed ? texts.fixedValue : undefined },
    ...(value.origin === 'released' ? [] : [{ key: 'remove', label: texts.actions.remove, danger: true }]),
  ]
  return (
    <li
      ref={setNodeRef}
      className="sb-dict-line"
      data-code={value.code}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {editable && (
        <button
          type="button"
          ref={setActivatorNodeRef}
          className="sb-dict-handle"
          {...attributes}
          {...listeners}
          aria-label={texts.drag(label)}
        >
          ⠿
        </button>
      )}
      <span className="sb-dict-tag">
        <Tag label={label} color={value.color} retired={value.retired} />
      </span>
      <span className="sb-dict-other">{value.label[otherLocale(locale)]}</span>
      <code className="sb-dict-code">{value.code}</code>
      <span className="sb-dict-used">
        <Used usage={usage} code={value.code} />
      </span>
      <span className="sb-dict-marks">
        {marks.map(([word, help]) => (
          <Tooltip key={word} title={help}>
            <span className="sb-dict-mark" tabIndex={help ? 0 : undefined}>
              {word}
            </span>
          </Tooltip>
        ))}
      </span>
      {editable && (
        <span className="sb-dict-actions">
          <Button type="link" size="small" onClick={() => onAction('edit')}>
            {texts.actions.edit}
          </Button>
          <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onAction(key as ValueAction) }}>
            <Button type="text" size="small" icon={<MoreOutlined />} aria-label={texts.more(label)} />
          </Dropdown>
        </span>
      )}
    </li>
  )
}

/** How many rows hold a value; where they are on hover and focus. */
const Used = ({ usage, code }: { usage: DictionaryUsage | null; code: string }) => {
  const { locale } = useHost()
  const texts = dictionaryTexts[locale]
  if (!usage) return <span aria-busy>{texts.counting}</span>
  const rows = rowsOf(usage, code)
  if (rows === 0) return <span className="sb-choice-more">{texts.unused}</span>
  const usages = (usage.used[code] ?? []).map(({ title, count, deleted }) => (
    <div key={title.en}>
      {title[locale]}: {texts.rows(count.toLocaleString(locale))}
      {deleted > 0 && texts.deletedToo(deleted)}
    </div>
  ))
  return (
    <Tooltip title={<>{usages}</>}>
      <span tabIndex={0}>{texts.rows(rows.toLocaleString(locale))}</span>
    </Tooltip>
  )
}

/** A value as lists show it. */
const Tag = ({ label, color, retired }: { label: string; color: string | null; retired?: boolean }) => (
  <span className={`sb-tag${color && color !== 'default' ? ` sb-tag-${color}` : ''}${retired ? ' sb-tag-retired' : ''}`}>
    {label}
  </span>
)

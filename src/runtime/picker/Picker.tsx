import './picker.css'
import { DatePicker } from 'antd'
import type { DatePickerProps } from 'antd'
import type { RangePickerProps } from 'antd/es/date-picker'
import { createContext, use, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { isUnread, type Notation } from './notation'
import { useTyped } from './useTyped'

type Own = 'value' | 'onChange' | 'onCalendarChange' | 'onFocus' | 'onBlur' | 'onKeyDown' | 'open' | 'onOpenChange' | 'format'

interface PickerProps extends Omit<DatePickerProps, Own | 'multiple' | 'picker' | 'defaultValue'> {
  notation: Notation
  /** As the notation keeps it, or the text that could not be read. */
  value?: unknown
  onChange?(value: string | null): void
  picker?: DatePickerProps['picker'] | 'time'
}

/** The texts of a picker's boxes that could not be read, in their order; undefined for a box whose value is a moment. */
const KeptTexts = createContext<readonly (string | undefined)[]>([])

/** The box of a picker: the picker itself empties it where its value is no moment; what was typed stays in it. */
const Box = ({ value, ...rest }: ComponentProps<'input'> & { 'date-range'?: 'start' | 'end' }) => {
  const kept = use(KeptTexts)[rest['date-range'] === 'end' ? 1 : 0]
  return <input {...rest} value={kept ?? value} />
}
const COMPONENTS = { input: Box }

/** Escape closes the calendar and nothing around it: the dialog below would take it for its own. */
const closing =
  (open: boolean, close: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return
    event.stopPropagation()
    close()
  }

/** A box for one moment: typed in any notation or chosen in its calendar. What is typed is never dropped. */
export const Picker = ({ notation, value, onChange, picker, placeholder, defaultOpen, ...rest }: PickerProps) => {
  const [open, setOpen] = useState(defaultOpen ?? false)
  const unread = isUnread(value, notation)
  const { counts, kept, note, onCalendarChange, unreadable, ...typed } = useTyped(
    [value],
    notation,
    ([next]) => onChange?.((next ?? null) as string | null),
    () => setOpen(false),
  )
  // weeks and quarters have no notation but the picker's own
  const mode = picker as DatePickerProps['picker']
  const foreign = picker !== undefined && picker !== 'date' && picker !== 'time'
  return (
    <span className="sb-picker" onInput={foreign ? undefined : note} onKeyDown={closing(open, () => setOpen(false))}>
      <KeptTexts value={kept}>
        <DatePicker
          {...rest}
          {...(foreign ? {} : typed)}
          components={COMPONENTS}
          picker={mode}
          open={open}
          onOpenChange={setOpen}
          format={foreign ? undefined : notation.format}
          value={notation.toCalendar(value)}
          onChange={(next, text) => {
            if (foreign || counts([String(text)])) onChange?.(next ? notation.fromCalendar(next) : null)
          }}
          onCalendarChange={(next, texts) => onCalendarChange([Array.isArray(next) ? null : next], [String(texts)])}
          preserveInvalidOnBlur={unread || unreadable}
          placeholder={placeholder}
          status={unread ? 'error' : undefined}
          aria-invalid={unread}
        />
      </KeptTexts>
    </span>
  )
}

interface SpanPickerProps extends Omit<RangePickerProps, Own | 'picker' | 'defaultValue' | 'id'> {
  notation: Notation
  /** [from, to]; either may be open, or the text that could not be read. */
  value: readonly unknown[]
  onChange(value: readonly (string | null)[]): void
  id?: RangePickerProps['id']
  picker?: 'date' | 'time'
}

/** A box for two moments, as `Picker` is for one. */
export const SpanPicker = ({ notation, value, onChange, picker, defaultOpen, ...rest }: SpanPickerProps) => {
  const [open, setOpen] = useState(defaultOpen ?? false)
  const pair = [value[0], value[1]]
  const unread = pair.some((one) => isUnread(one, notation))
  const { counts, kept, note, onCalendarChange, unreadable, ...typed } = useTyped(
    pair,
    notation,
    (next) => onChange(next as (string | null)[]),
    () => setOpen(false),
  )
  return (
    <span className="sb-picker" onInput={note} onKeyDown={closing(open, () => setOpen(false))}>
      <KeptTexts value={kept}>
        <DatePicker.RangePicker
          {...rest}
          {...typed}
          components={COMPONENTS}
          picker={picker as 'date'}
          open={open}
          onOpenChange={setOpen}
          format={notation.format}
          needConfirm={false}
          allowEmpty={[true, true]}
          value={[notation.toCalendar(pair[0]), notation.toCalendar(pair[1])]}
          onChange={(next, texts) => {
            if (counts(texts)) onChange([0, 1].map((at) => (next?.[at] ? notation.fromCalendar(next[at]) : null)))
          }}
          onCalendarChange={(next, texts) => onCalendarChange(next ?? [], texts)}
          preserveInvalidOnBlur={unread || unreadable}
          status={unread ? 'error' : undefined}
          aria-invalid={unread}
        />
      </KeptTexts>
    </span>
  )
}

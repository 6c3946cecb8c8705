import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { isDay } from '../../../schema/formats/time'
import type { ControlProps } from './registry'

const MODES = ['date', 'week', 'month', 'quarter', 'year'] as const

/** A day, kept as YYYY-MM-DD. */
const DateControl = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  props,
  describedBy,
  opened,
  cell,
}: ControlProps) => (
  <DatePicker
    id={id}
    className="sb-control-wide"
    value={isDay(value) ? dayjs(value) : null}
    onChange={(next) => onChange(next ? next.format('YYYY-MM-DD') : null)}
    picker={MODES.find((mode) => mode === props.picker)}
    minDate={isDay(props.min) ? dayjs(props.min) : undefined}
    maxDate={isDay(props.max) ? dayjs(props.max) : undefined}
    disabled={disabled || readOnly}
    placeholder={placeholder ?? ''}
    aria-describedby={describedBy}
    defaultOpen={opened && !readOnly}
    variant={cell ? 'borderless' : undefined}
  />
)

export default DateControl

import dayjs from 'dayjs'
import { isDay } from '../../../schema/formats'
import { DAYS } from '../../picker/notation'
import { Picker } from '../../picker/Picker'
import type { ControlProps } from './control'

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
  <Picker
    notation={DAYS}
    id={id}
    className="sb-control-wide"
    value={value}
    onChange={onChange}
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

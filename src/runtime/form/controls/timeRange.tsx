import { TIMES } from '../../picker/notation'
import { SpanPicker } from '../../picker/Picker'
import type { ControlProps } from './control'

/** Two times of day, kept as [HH:mm, HH:mm]. */
const TimeRange = ({ id, value, onChange, disabled, readOnly, describedBy }: ControlProps) => (
  <SpanPicker
    notation={TIMES}
    picker="time"
    id={{ start: id, end: `${id}-end` }}
    className="sb-control-wide"
    value={Array.isArray(value) ? value : []}
    onChange={(next) => onChange(next.some((time) => time !== null) ? next : null)}
    disabled={disabled || readOnly}
    aria-labelledby={`${id}-label`}
    aria-describedby={describedBy}
  />
)

export default TimeRange

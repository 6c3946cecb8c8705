import { TIMES } from '../../picker/notation'
import { Picker } from '../../picker/Picker'
import type { ControlProps } from './control'

/** A time of day, kept as HH:mm. */
const Time = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => (
  <Picker
    notation={TIMES}
    picker="time"
    id={id}
    className="sb-control-wide"
    value={value}
    onChange={onChange}
    disabled={disabled || readOnly}
    placeholder={placeholder ?? ''}
    aria-describedby={describedBy}
    defaultOpen={opened && !readOnly}
    variant={cell ? 'borderless' : undefined}
  />
)

export default Time

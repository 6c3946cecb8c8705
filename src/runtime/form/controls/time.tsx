import { TimePicker } from 'antd'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import type { ControlProps } from './registry'

dayjs.extend(customParseFormat)
const FORMAT = 'HH:mm'

/** A time of day, kept as HH:mm. */
const Time = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => {
  const time = typeof value === 'string' ? dayjs(value.slice(0, 5), FORMAT, true) : null
  return (
    <TimePicker
      id={id}
      className="sb-control-wide"
      format={FORMAT}
      value={time?.isValid() ? time : null}
      onChange={(next) => onChange(next ? next.format(FORMAT) : null)}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? ''}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default Time

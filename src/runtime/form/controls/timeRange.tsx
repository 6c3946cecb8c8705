import { TimePicker } from 'antd'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import type { ControlProps } from './registry'

dayjs.extend(customParseFormat)
const FORMAT = 'HH:mm'

const timeAt = (value: unknown, index: number) => {
  const given: unknown = Array.isArray(value) ? value[index] : undefined
  const time = typeof given === 'string' ? dayjs(given, FORMAT, true) : null
  return time?.isValid() ? time : null
}

/** Two times of day, kept as [HH:mm, HH:mm]. */
const TimeRange = ({ id, value, onChange, disabled, readOnly, describedBy }: ControlProps) => (
  <TimePicker.RangePicker
    id={{ start: id, end: `${id}-end` }}
    className="sb-control-wide"
    format={FORMAT}
    value={[timeAt(value, 0), timeAt(value, 1)]}
    onChange={(next) => onChange(next ? next.map((time) => time?.format(FORMAT) ?? null) : null)}
    disabled={disabled || readOnly}
    aria-labelledby={`${id}-label`}
    aria-describedby={describedBy}
  />
)

export default TimeRange

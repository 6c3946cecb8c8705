import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { isDay } from '../../../schema/formats/time'
import type { ControlProps } from './registry'

const dayAt = (value: unknown, index: number) => {
  const day: unknown = Array.isArray(value) ? value[index] : undefined
  return isDay(day) ? dayjs(day) : null
}

/** Two days, kept as [YYYY-MM-DD, YYYY-MM-DD]; either may be open. */
const DateRange = ({ id, value, onChange, disabled, readOnly, describedBy, opened }: ControlProps) => (
  <DatePicker.RangePicker
    id={{ start: id, end: `${id}-end` }}
    className="sb-control-wide"
    value={[dayAt(value, 0), dayAt(value, 1)]}
    onChange={(next) => onChange(next ? next.map((day) => day?.format('YYYY-MM-DD') ?? null) : null)}
    allowEmpty={[true, true]}
    disabled={disabled || readOnly}
    aria-labelledby={`${id}-label`}
    aria-describedby={describedBy}
    defaultOpen={opened && !readOnly}
  />
)

export default DateRange

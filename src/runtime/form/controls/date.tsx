import dayjs from 'dayjs'
import { useMemo } from 'react'
import { companyToday } from '../../../headless/scope'
import { isDay } from '../../../schema/formats'
import { daysFrom } from '../../picker/notation'
import { Picker } from '../../picker/Picker'
import { offeredDays } from '../../picker/spoken'
import { useSession } from '../view/session'
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
}: ControlProps) => {
  const { host } = useSession()
  const notation = useMemo(() => daysFrom(() => companyToday(host)), [host])
  const min = isDay(props.min) ? props.min : undefined
  const max = isDay(props.max) ? props.max : undefined
  const mode = MODES.find((one) => one === props.picker)
  return (
    <Picker
      notation={notation}
      id={id}
      className="sb-control-wide"
      value={value}
      onChange={onChange}
      picker={mode}
      minDate={min === undefined ? undefined : dayjs(min)}
      maxDate={max === undefined ? undefined : dayjs(max)}
      presets={
        mode === undefined || mode === 'date'
          ? offeredDays(companyToday(host), host.locale, { min, max }).map(({ label, day }) => ({ label, value: dayjs(day) }))
          : undefined
      }
      disabled={disabled || readOnly}
      placeholder={placeholder ?? ''}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default DateControl

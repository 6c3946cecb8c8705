import { useMemo } from 'react'
import { companyToday } from '../../../headless/scope'
import { daysFrom } from '../../picker/notation'
import { SpanPicker } from '../../picker/Picker'
import { useSession } from '../view/session'
import type { ControlProps } from './control'

/** Two days, kept as [YYYY-MM-DD, YYYY-MM-DD]; either may be open. */
const DateRange = ({ id, value, onChange, disabled, readOnly, describedBy, opened }: ControlProps) => {
  const { host } = useSession()
  const notation = useMemo(() => daysFrom(() => companyToday(host)), [host])
  return (
    <SpanPicker
      notation={notation}
      id={{ start: id, end: `${id}-end` }}
      className="sb-control-wide"
      value={Array.isArray(value) ? value : []}
      onChange={(next) => onChange(next.some((day) => day !== null) ? next : null)}
      disabled={disabled || readOnly}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
    />
  )
}

export default DateRange

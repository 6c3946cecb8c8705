import { useMemo } from 'react'
import { instantsOf } from '../../picker/notation'
import { Picker } from '../../picker/Picker'
import { useSession } from '../view/session'
import type { ControlProps } from './control'
import { useToday } from './useToday'

/** An instant, chosen by the viewer's clock and kept in UTC. */
const DateTime = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => {
  const { timeZone } = useSession().host
  const today = useToday()
  const notation = useMemo(() => instantsOf(timeZone, today), [timeZone, today])
  return (
    <Picker
      notation={notation}
      id={id}
      className="sb-control-wide"
      showTime={{ format: 'HH:mm' }}
      value={value}
      onChange={onChange}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? ''}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default DateTime

import dayjs from 'dayjs'
import { useMemo } from 'react'
import type { Host } from '../../../headless/host'
import { dayOf } from '../../../schema/formats'
import { instantsOf } from '../../picker/notation'
import { Picker } from '../../picker/Picker'
import { MORNING, offeredDays } from '../../picker/spoken'
import { useSession } from '../view/session'
import type { ControlProps } from './control'

/** The day of the viewer's clock: a moment is chosen by it. */
const todayOf = (host: Pick<Host, 'now' | 'timeZone'>): string => dayOf(host.now(), host.timeZone) ?? ''

/** An instant, chosen by the viewer's clock and kept in UTC. */
const DateTime = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => {
  const { host } = useSession()
  const { timeZone, locale } = host
  const notation = useMemo(() => instantsOf(timeZone, () => todayOf(host)), [host, timeZone])
  return (
    <Picker
      notation={notation}
      id={id}
      className="sb-control-wide"
      showTime={{ format: 'HH:mm' }}
      presets={offeredDays(todayOf(host), locale).map(({ label, day }) => ({ label, value: dayjs(`${day}T${MORNING}`) }))}
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

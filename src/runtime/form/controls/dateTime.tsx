import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { fromWallClock, toInstant, wallClock } from '../../../schema/formats/time'
import { useSession } from '../view/session'
import type { ControlProps } from './registry'

dayjs.extend(utc)
const WALL = 'YYYY-MM-DDTHH:mm:ss'

/** An instant, chosen by the viewer's clock and kept in UTC. */
const DateTime = ({ id, value, onChange, disabled, readOnly, placeholder, describedBy, opened, cell }: ControlProps) => {
  const { timeZone } = useSession().host
  const instant = toInstant(value)
  return (
    <DatePicker
      id={id}
      className="sb-control-wide"
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={instant === undefined ? null : dayjs(wallClock(instant, timeZone).format(WALL))}
      onChange={(next) => onChange(next ? new Date(fromWallClock(dayjs.utc(next.format(WALL)), timeZone)).toISOString() : null)}
      disabled={disabled || readOnly}
      placeholder={placeholder ?? ''}
      aria-describedby={describedBy}
      defaultOpen={opened && !readOnly}
      variant={cell ? 'borderless' : undefined}
    />
  )
}

export default DateTime

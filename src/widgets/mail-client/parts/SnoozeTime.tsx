import { Input } from 'antd'
import { useState } from 'react'
import { timedAt } from '../../../headless/mail'
import { Dialog } from '../../../runtime/dialog/Dialog'
import { useHost } from '../../../runtime/hostContext'
import { wallClock } from '../../../schema/formats'
import { mailTexts } from './texts'

interface SnoozeTimeProps {
  onDone(until: string): void
  onClose(): void
}

/** Asks for the moment until which messages are put off, by the clock of the reader. */
const SnoozeTime = ({ onDone, onClose }: SnoozeTimeProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const now = wallClock(host.now().getTime(), host.timeZone)
  const [day, setDay] = useState(now.add(1, 'day').format('YYYY-MM-DD'))
  const [clock, setClock] = useState('09:00')
  const isWhole = /^\d{4}-\d\d-\d\d$/u.test(day) && /^\d\d:\d\d/u.test(clock)
  const until = isWhole ? timedAt(day, clock, host.timeZone) : null
  const isAhead = until !== null && Date.parse(until) > host.now().getTime()
  return (
    <Dialog
      open
      width={420}
      title={texts.snooze}
      okText={texts.snooze}
      cancelText={texts.cancel}
      okButtonProps={{ disabled: !isAhead }}
      onOk={() => until !== null && onDone(until)}
      onCancel={onClose}
    >
      <div className="sb-mail-form sb-mail-until">
        <label>
          {texts.backOn}
          <Input type="date" value={day} min={now.format('YYYY-MM-DD')} onChange={({ target }) => setDay(target.value)} />
        </label>
        <label>
          {texts.backAt}
          <Input type="time" value={clock} onChange={({ target }) => setClock(target.value)} />
        </label>
      </div>
      {until !== null && !isAhead && (
        <p className="sb-mail-note" role="alert">
          {texts.isPast}
        </p>
      )}
    </Dialog>
  )
}
export default SnoozeTime

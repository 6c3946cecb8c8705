import { ClockCircleOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { Suspense, useState } from 'react'
import type { Host } from '../../../headless/host'
import { timedAt } from '../../../headless/mail'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { spokenDay } from '../../../runtime/picker/spoken'
import { momentText } from '../../../runtime/reading/moment'
import { wallClock } from '../../../schema/formats'
import { mailTexts } from './texts'

const SnoozeTime = lazyPart(() => import('./SnoozeTime'), 'over')

/** Later today is the first of these hours that is still to come. */
const EVENINGS = ['18:00', '21:00']
const MORNING = '09:00'

/** The moments that are offered, by the clock of the reader; each once. */
function offered(host: Host): { key: 'today' | 'tomorrow' | 'monday' | 'week'; until: string }[] {
  const { timeZone } = host
  const now = wallClock(host.now().getTime(), timeZone)
  const today = now.format('YYYY-MM-DD')
  const at = (said: string, clock: string): string => timedAt(spokenDay(said, today) ?? today, clock, timeZone)
  const evening = EVENINGS.find((clock) => clock > now.format('HH:mm'))
  const all = [
    ...(evening ? [{ key: 'today' as const, until: at('today', evening) }] : []),
    { key: 'tomorrow' as const, until: at('tomorrow', MORNING) },
    { key: 'monday' as const, until: at('next monday', MORNING) },
    { key: 'week' as const, until: at('+7', MORNING) },
  ]
  return all.filter(({ until }, index) => all.findIndex((one) => one.until === until) === index)
}

interface SnoozeProps {
  /** They are put off already: they can be brought back. */
  isSnoozed: boolean
  /** `null` brings them back at once. */
  onSnooze(until: string | null): void
}

/** Puts messages off until a moment: one of those that are offered, or one's own. */
export const Snooze = ({ isSnoozed, onSnooze }: SnoozeProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [own, setOwn] = useState(false)
  const items: MenuProps['items'] = [
    ...offered(host).map(({ key, until }) => ({
      key,
      label: texts.snoozeTo[key],
      extra: momentText(host, until),
      onClick: () => onSnooze(until),
    })),
    { key: 'own', label: texts.snoozeTo.own, onClick: () => setOwn(true) },
    ...(isSnoozed ? [{ type: 'divider' as const }, { key: 'wake', label: texts.wake, onClick: () => onSnooze(null) }] : []),
  ]
  return (
    <>
      <Dropdown trigger={['click']} autoFocus menu={{ items }}>
        <Button type="text" icon={<ClockCircleOutlined />} aria-label={texts.snooze} title={texts.snooze} data-snooze />
      </Dropdown>
      {own && (
        <Suspense fallback={null}>
          <SnoozeTime
            onClose={() => setOwn(false)}
            onDone={(until) => {
              setOwn(false)
              onSnooze(until)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

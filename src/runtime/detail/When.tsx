import { isDay, toInstant, wallClock } from '../../schema/formats'
import { relativeTime } from '../cell/time'
import type { Host } from '../../headless/host'

/** How long ago something was; the exact time by the viewer's clock on hover. */
export const When = ({ at, host }: { at: string; host: Host }) => {
  const instant = isDay(at) ? undefined : toInstant(at)
  const clock = instant === undefined ? undefined : wallClock(instant, host.timeZone)
  const relative = instant === undefined ? null : relativeTime(instant, host.now().getTime(), host.locale, host.timeZone)
  return (
    <time dateTime={at} title={clock?.format('YYYY-MM-DD HH:mm:ss') ?? at}>
      {relative ?? clock?.format('YYYY-MM-DD HH:mm') ?? at}
    </time>
  )
}

import { relativeTime } from '../../../runtime/cell/time'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'

/** A moment as lists say it, exact on hover. */
export const When = ({ at }: { at: string }) => {
  const host = useHost()
  const exact = momentText(host, at)
  return (
    <time className="sb-when" data-exact={exact} dateTime={at} title={`${exact} (${host.timeZone})`}>
      {relativeTime(new Date(at).getTime(), host.now().getTime(), host.locale, host.timeZone) ?? exact}
    </time>
  )
}

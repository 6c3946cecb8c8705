import type { Host } from '../../../headless/host'
import { wallClock } from '../../../schema/formats'

/** The moment of a row: the hour of today, the day of this year, else the date. */
export function shortMoment(host: Pick<Host, 'timeZone' | 'now'>, moment: string): string {
  const at = wallClock(new Date(moment).getTime(), host.timeZone)
  const today = wallClock(host.now().getTime(), host.timeZone)
  if (at.format('YYYY-MM-DD') === today.format('YYYY-MM-DD')) return at.format('HH:mm')
  return at.format(at.format('YYYY') === today.format('YYYY') ? 'MM-DD' : 'YYYY-MM-DD')
}

/** The hour of a moment of today. */
export const hourOf = (host: Pick<Host, 'timeZone'>, moment: number): string => wallClock(moment, host.timeZone).format('HH:mm')

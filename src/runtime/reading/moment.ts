import type { Host } from '../../headless/host'
import { wallClock } from '../../schema/formats'

const shown = ({ timeZone }: Pick<Host, 'timeZone'>, moment: string, format: string): string =>
  wallClock(new Date(moment).getTime(), timeZone).format(format)

/** A moment in the viewer's zone, to the minute, as lists write it; a dash for none. */
export const momentText = (host: Pick<Host, 'timeZone'>, moment: string | null): string =>
  moment === null ? '—' : shown(host, moment, 'YYYY-MM-DD HH:mm')

/** The day of a moment in the viewer's zone. */
export const dayText = (host: Pick<Host, 'timeZone'>, moment: string): string => shown(host, moment, 'YYYY-MM-DD')

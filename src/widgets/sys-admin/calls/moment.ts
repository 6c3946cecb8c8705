import type { Host } from '../../../runtime/host'

/** A moment in the viewer's zone and language, to the minute; a dash for none. */
export const momentText = (host: Pick<Host, 'locale' | 'timeZone'>, moment: string | null): string =>
  moment === null
    ? '—'
    : new Date(moment).toLocaleString(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
        timeZone: host.timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
      })

/** The day of a moment in the viewer's zone and language. */
export const dayText = (host: Pick<Host, 'locale' | 'timeZone'>, moment: string): string =>
  new Date(moment).toLocaleDateString(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: host.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })

import type { Host } from '../../runtime/host'

/** A moment in the viewer's zone and language, to the minute. */
export const momentText = (host: Pick<Host, 'locale' | 'timeZone'>, moment: string): string =>
  new Date(moment).toLocaleString(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: host.timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })

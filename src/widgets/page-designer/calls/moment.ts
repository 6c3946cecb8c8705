import type { Host } from '../../../runtime/host'

/** An instant in the viewer's zone, to the minute. */
export const momentText = (host: Host, iso: string): string =>
  new Intl.DateTimeFormat(host.locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: host.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(iso))

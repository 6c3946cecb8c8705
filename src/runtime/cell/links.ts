import type { MouseEvent } from 'react'
import type { Host } from '../../headless/host'
import { dock } from '../dock'

const MAIL = 'mailto:'
/** Where the portal writes a mail, and the widget that does so beside the page. */
const WRITE = '/message/email/write'
const WRITER = 'mail.compose'

/**
 * One click handler for all links of a block (`<a data-sb-open>`): a plain click opens the page inside the portal, while the
 * browser keeps what it does with Ctrl, Shift and the middle button (a new tab or window).
 */
export const openLinks =
  (host: Host) =>
  (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a[data-sb-open], a[href^="mailto:"]') : null
    const address = link?.getAttribute('href')
    if (!address) return
    if (address.startsWith(MAIL)) {
      const write = `${WRITE}?to=${address.slice(MAIL.length)}`
      // who has no mail in the portal writes with the program of his machine
      if (!host.canOpen(write)) return
      event.preventDefault()
      if (host.device === 'Mobile' || !dock(WRITER, write)) host.navigate(write)
      return
    }
    event.preventDefault()
    host.navigate(address)
  }

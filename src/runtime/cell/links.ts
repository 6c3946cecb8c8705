import type { MouseEvent } from 'react'
import type { Host } from '../../headless/host'

/**
 * One click handler for all links of a block (`<a data-sb-open>`): a plain click opens the page inside the portal, while the
 * browser keeps what it does with Ctrl, Shift and the middle button (a new tab or window).
 */
export const openLinks =
  (host: Host) =>
  (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a[data-sb-open]') : null
    const address = link?.getAttribute('href')
    if (!address) return
    event.preventDefault()
    host.navigate(address)
  }

import { useMemo, type MouseEvent } from 'react'
import type { Row } from '../../headless/row'
import { openLinks, type CellContext } from '../cell'

interface Given {
  context: CellContext
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
  /** Shows a row beside the list, where a click on it is no click on something in it. Undefined: the list shows none. */
  onLook?: ((row: Row) => void) | undefined
}

/** What a click somewhere on a row does: its menu, one of its actions, a link, or a look at it beside the list. */
export const useRowClick = ({ context: { host }, onAction, onMore, onLook }: Given) => {
  const follow = useMemo(() => openLinks(host), [host])
  return (event: MouseEvent, row: Row): void => {
    const element = event.target instanceof Element ? event.target : null
    if (!element || element.closest('.sb-inline-form')) return
    const more = element.closest<HTMLElement>('[data-sb-more]')
    if (more) return onMore(row, more)
    const action = element.closest<HTMLElement>('[data-sb-action]')
    if (action?.getAttribute('aria-disabled') === 'true') return host.notify('info', action.title)
    if (action) return onAction(action.dataset.sbAction ?? '', row)
    if (onLook && !element.closest('a, button, input, label') && window.getSelection()?.isCollapsed !== false) return onLook(row)
    follow(event)
  }
}

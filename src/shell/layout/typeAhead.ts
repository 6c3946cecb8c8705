import type { LayoutStore } from './layoutStore'
import { isComposing, isEnter } from '../../runtime/typing'

/** The field of the search: it takes its keys itself. */
const FIELD = '.sb-search input'

/**
 * Keeps what is typed while the search is still opening: its chunk has to arrive, and its field takes the focus only when the
 * dialog stands. Until then nothing reaches the page behind it either.
 *
 * @returns the end of it
 */
export function typeAhead(target: Window, layout: Pick<LayoutStore, 'searchText' | 'setSearchText'>): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return
    if (event.target instanceof Element && event.target.matches(FIELD)) return
    const text = [...layout.searchText]
    if ([...event.key].length === 1) layout.setSearchText(layout.searchText + event.key)
    else if (event.key === 'Backspace') layout.setSearchText(text.slice(0, -1).join(''))
    else if (!isEnter(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  target.addEventListener('keydown', onKey, { capture: true })
  return () => target.removeEventListener('keydown', onKey, { capture: true })
}

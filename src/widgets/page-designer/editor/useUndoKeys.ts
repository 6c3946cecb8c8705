import { useEffect, type RefObject } from 'react'

/**
 * Undo and redo by keyboard, from anywhere on the page: what had the focus may have just been removed. Keys of dialogs and of other
 * pages are theirs.
 */
export const useUndoKeys = (root: RefObject<HTMLElement | null>, session: { undo(): void; redo(): void }, enabled: boolean): void => {
  useEffect(() => {
    if (!enabled) return
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y') || event.defaultPrevented) return
      const here = root.current
      // The pages of other tabs stay in the document, hidden.
      if (!here?.checkVisibility({ visibilityProperty: true }) || !(event.target instanceof Node)) return
      if (event.target !== document.body && !here.contains(event.target)) return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) session.redo()
      else session.undo()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [root, session, enabled])
}

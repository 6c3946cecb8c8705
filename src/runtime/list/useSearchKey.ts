import { useEffect, type RefObject } from 'react'

/** The key "/" leads to the keyword of the list in `root`, unless something is being written. */
export const useSearchKey = (root: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
      if (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
      const input = root.current?.querySelector<HTMLInputElement>('input[data-sb-keyword]')
      // Hidden bookmark tabs keep their lists: only the one that is seen may take the focus.
      if (!input || input.offsetParent === null) return
      event.preventDefault()
      input.select()
      input.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [root])
}

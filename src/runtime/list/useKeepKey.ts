import { useEffect, type RefObject } from 'react'

/** Ctrl S (Cmd S) keeps what the list shows as a view, wherever there is something to keep. */
export const useKeepKey = (button: RefObject<HTMLButtonElement | null>): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      // Hidden bookmark tabs keep their lists: only the one that is seen is meant.
      if (
        !button.current ||
        button.current.offsetParent === null ||
        document.querySelector('.ant-modal-wrap:not([style*="none"])')
      )
        return
      event.preventDefault()
      button.current.click()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [button])
}

import { useEffect } from 'react'
import { isComposing } from '../../../runtime/typing'

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]'
/** What stands over the page has keys of its own. */
const OVER = '.ant-modal-wrap:not([style*="display: none"]), .ant-dropdown:not(.ant-dropdown-hidden), .ant-drawer-open'

/** Keys of the page while it is on the screen and nobody types: each names what it does. */
export const useKeys = (keys: Readonly<Record<string, () => void>>, root: { current: HTMLElement | null }): void => {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isComposing(event)) return
      if (!root.current?.checkVisibility() || document.querySelector(OVER)) return
      const { target } = event
      if (target instanceof Element && target.closest(TYPING)) return
      const run = keys[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [keys, root])
}

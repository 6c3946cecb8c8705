import { useEffect } from 'react'

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"], .ant-modal, .ant-dropdown'

/** Keys of the page while it is on the screen and nobody types: each names what it does. */
export const useKeys = (
  keys: Readonly<Record<string, (() => void) | undefined>>,
  root: { current: HTMLElement | null },
): void => {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      // another tab of the portal is in front
      if (!root.current?.checkVisibility()) return
      const { target } = event
      if (target instanceof Element && target.closest(TYPING)) return
      // in a drawer over the page, unless the page itself stands in it
      const drawer = target instanceof Element ? target.closest('.ant-drawer') : null
      if (drawer && !drawer.contains(root.current)) return
      if (document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const run = keys[event.key.toLowerCase()]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [keys, root])
}

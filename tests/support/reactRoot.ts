import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/** A place of its own in the page for each test of a file, to draw into; it is empty again afterwards. */
export function rootOfEachTest(): { readonly current: Root } {
  let root: Root | undefined
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    root = createRoot(document.body.appendChild(document.createElement('div')))
  })
  afterEach(() => {
    act(() => root?.unmount())
    document.body.innerHTML = ''
    vi.unstubAllGlobals()
  })
  return {
    get current() {
      if (!root) throw new Error('There is only something to draw into while a test runs.')
      return root
    },
  }
}

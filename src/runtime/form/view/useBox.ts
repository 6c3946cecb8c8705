import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { loadControl, widgetOf } from '../controls/registry'
import type { Near } from './near'

export interface BoxState {
  ref: RefObject<HTMLDivElement | null>
  /** The real widget stands in the box. */
  live: boolean
  /** The widget was asked for with the pointer: a list or calendar opens at once. */
  opened: boolean
  /** Makes it real and gives it the focus. */
  focus(how?: 'pointer' | 'keyboard'): void
}

/** A widget that did not arrive: the text stays, and the next focus asks for it again. */
const LATER = (): void => undefined

/** What is typed into comes before the tools around it, wherever they stand. */
const FOCUSABLE = [
  'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), [contenteditable=true]',
  'button:not(:disabled), [tabindex="0"]',
]

const DEEDS = ['keydown', 'pointerdown', 'input'] as const
/** Whether the person did anything since. A dialog that moves the focus to what is there already does not count. */
const actedSince = (): (() => boolean) => {
  let acted = false
  const note = (): void => {
    acted = true
  }
  for (const deed of DEEDS) addEventListener(deed, note, { capture: true, once: true })
  return () => {
    for (const deed of DEEDS) removeEventListener(deed, note, { capture: true })
    return acted
  }
}

/**
 * What is typed at a box before its widget is there. Without it the first words would be lost, or be taken for keys of the page.
 * Answers how to stop, which gives the text.
 */
const keepTyped = (box: HTMLElement, how: 'pointer' | 'keyboard'): (() => string) => {
  let typed = ''
  // a press leaves the focus with nobody until the widget takes it
  const place = how === 'pointer' ? document.body : box
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== place || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key.length === 1) typed += event.key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => {
    removeEventListener('keydown', onKeyDown, { capture: true })
    return typed
  }
}

const focusInside = (box: HTMLElement, how: 'pointer' | 'keyboard'): void => {
  const target = FOCUSABLE.map((kind) => box.querySelector<HTMLElement>(kind)).find((found) => found !== null)
  if (!target) return
  target.focus()
  // the browser selects the text of an input that is reached with Tab
  if (how === 'keyboard' && target instanceof HTMLInputElement) target.select()
}

/**
 * A box that shows text until its widget is needed. The element of the box survives the swap (it is what was scrolled to,
 * clicked or referenced); only its content changes.
 */
export const useBox = (control: string, startLive: boolean, near: Near): BoxState => {
  const ref = useRef<HTMLDivElement>(null)
  const [live, setLive] = useState(startLive && widgetOf(control) !== undefined)
  const [opened, setOpened] = useState(false)
  const isLive = useRef(live)
  isLive.current = live

  const ready = useCallback(() => {
    if (widgetOf(control)) return true
    loadControl(control).catch(LATER)
    return false
  }, [control])

  const focus = useCallback(
    (how: 'pointer' | 'keyboard' = 'keyboard') => {
      const box = ref.current
      if (!box) return
      if (isLive.current) {
        focusInside(box, how)
        return
      }
      if (!ready()) {
        // a widget that is still to be loaded: the focus follows when its code is here, unless it went elsewhere meanwhile
        const acted = actedSince()
        const stop = keepTyped(box, how)
        loadControl(control).then(
          () => {
            const at = document.activeElement
            const wanted = at === box || at === document.body || !acted()
            const typed = stop()
            flushSync(() => setLive(true))
            if (!wanted) return
            focusInside(box, how)
            // as if it were typed now: the widget hears of it, and can undo it
            if (typed !== '') document.execCommand('insertText', false, typed)
          },
          () => void stop(),
        )
        return
      }
      flushSync(() => {
        setOpened(how === 'pointer')
        setLive(true)
      })
      focusInside(box, how)
    },
    [control, ready],
  )

  useEffect(() => {
    const box = ref.current
    if (!box || live) return
    return near.wait(box, () => {
      if (widgetOf(control)) setLive(true)
      else loadControl(control).then(() => setLive(true), LATER)
    })
  }, [control, live, near])

  return { ref, live, opened, focus }
}

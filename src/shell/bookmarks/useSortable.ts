import { useEffect, useRef, useState, type ComponentType, type RefObject } from 'react'
import { loadPart } from '../../runtime/part/loadPart'
import type { TabListProps } from './TabItem'

const WITHOUT_IDLE_CALLBACK = 1_500

/**
 * The list with dragging, once it was `wanted` and the browser was idle and loaded it; until then null. The lists change places only while no
 * button is pressed, and the focus goes to the same tab again: nobody's click or key is lost.
 */
export function useSortable(holder: RefObject<HTMLElement | null>, wanted: boolean): ComponentType<TabListProps> | null {
  const [List, setList] = useState<ComponentType<TabListProps> | null>(null)
  const focused = useRef<string | null>(null)

  useEffect(() => {
    if (!wanted) return
    let pressed = false
    let loaded: ComponentType<TabListProps> | null = null
    let cancelled = false
    const show = () => {
      if (pressed || loaded === null || cancelled) return
      const element = document.activeElement
      focused.current = holder.current?.contains(element)
        ? (element?.closest<HTMLElement>('[data-tab]')?.dataset.tab ?? null)
        : null
      const component = loaded
      loaded = null
      setList(() => component)
    }
    const down = () => {
      pressed = true
    }
    const up = () => {
      pressed = false
      // The click comes after the release.
      setTimeout(show)
    }
    const load = () =>
      void loadPart(() => import('./SortableTabs')).then(
        (module) => {
          loaded = module.default
          show()
        },
        // Without it the tabs stay as they are: everything but dragging works.
        () => undefined,
      )
    window.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    window.addEventListener('pointercancel', up, true)
    const hasIdle = typeof window.requestIdleCallback === 'function'
    const id = hasIdle ? window.requestIdleCallback(load) : window.setTimeout(load, WITHOUT_IDLE_CALLBACK)
    return () => {
      cancelled = true
      if (hasIdle) window.cancelIdleCallback(id)
      else window.clearTimeout(id)
      window.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      window.removeEventListener('pointercancel', up, true)
    }
  }, [holder, wanted])

  useEffect(() => {
    if (List !== null && focused.current !== null)
      holder.current?.querySelector<HTMLElement>(`[data-tab="${focused.current}"] a`)?.focus()
  }, [List, holder])

  return List
}

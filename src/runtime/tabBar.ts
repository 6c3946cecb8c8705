import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the chosen tab of a bar in sight where the bar is narrower than its tabs, also when it gets narrower; `drawn` changes with what
 * stands in the bar.
 */
export const useChosenInSight = (chosen: string | undefined, drawn?: unknown): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = bar.current
    if (!box) return
    const show = (): void => {
      const tab = box.querySelector<HTMLElement>('[aria-selected="true"]')
      if (!tab) return
      const { scrollLeft, clientWidth } = box
      const start = tab.offsetLeft - box.offsetLeft
      if (start < scrollLeft || start + tab.offsetWidth > scrollLeft + clientWidth)
        box.scrollLeft = start - (clientWidth - tab.offsetWidth) / 2
    }
    show()
    const observer = new ResizeObserver(show)
    observer.observe(box)
    return () => observer.disconnect()
  }, [chosen, drawn])
  return bar
}

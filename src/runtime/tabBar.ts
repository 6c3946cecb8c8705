import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Keeps the chosen tab of a bar in sight where the bar is narrower than its tabs; `drawn` changes with what stands in the bar. */
export const useChosenInSight = (chosen: string | undefined, drawn?: unknown): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!bar.current || !tab) return
    const { scrollLeft, clientWidth } = bar.current
    const start = tab.offsetLeft - bar.current.offsetLeft
    if (start < scrollLeft || start + tab.offsetWidth > scrollLeft + clientWidth)
      bar.current.scrollLeft = start - (clientWidth - tab.offsetWidth) / 2
  }, [chosen, drawn])
  return bar
}

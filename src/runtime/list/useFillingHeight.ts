import { useEffect, useRef } from 'react'

/** Below this height the table does not scroll by itself: two scroll bars in one small window help nobody. */
const SMALLEST_SCROLLER = 360
/** Pages and padding below the table. */
const BELOW = 68

/**
 * Lets the table fill the window, so that its header, its sums and the pages stay in sight. list.css guesses the height;
 * it is measured after the first paint, because asking for a position before would lay the page out twice.
 */
export const useFillingHeight = (embedded: boolean, virtual: boolean) => {
  const frame = useRef<HTMLDivElement>(null)
  const filling = !embedded || virtual
  useEffect(() => {
    const element = frame.current
    if (!element || !filling) return
    const measure = (): void => {
      const top = embedded ? 160 : Math.min(element.getBoundingClientRect().top + window.scrollY, window.innerHeight / 2)
      element.style.setProperty(
        '--sb-list-height',
        `${Math.max(SMALLEST_SCROLLER, Math.floor(window.innerHeight - top - BELOW))}px`,
      )
    }
    let next = 0
    const soon = (): void => {
      cancelAnimationFrame(next)
      next = requestAnimationFrame(measure)
    }
    // what stands above comes, goes and wraps; the first call is that of the first layout
    const watcher = new ResizeObserver(soon)
    if (element.parentElement) watcher.observe(element.parentElement)
    window.addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(next)
      watcher.disconnect()
      window.removeEventListener('resize', soon)
    }
  }, [embedded, filling])
  return [frame, filling] as const
}

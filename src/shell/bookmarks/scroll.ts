/** R410: a step of 300 px that takes 300 ms. */
export const SCROLL_STEP = 300
export const SCROLL_DURATION = 300

/** Scrolls sideways by `step` px; at once for people who want less motion. */
export function animateScroll(element: HTMLElement, step: number): void {
  const from = element.scrollLeft
  const to = Math.max(0, Math.min(from + step, element.scrollWidth - element.clientWidth))
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    element.scrollLeft = to
    return
  }
  const startedAt = performance.now()
  const frame = (now: number) => {
    const part = Math.min(1, (now - startedAt) / SCROLL_DURATION)
    element.scrollLeft = from + (to - from) * (1 - (1 - part) ** 3)
    if (part < 1) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

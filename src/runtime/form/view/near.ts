/** Pixels around the viewport in which fields become real widgets before they are seen. */
const MARGIN = 400

export interface Near {
  /** Calls back once, when the element comes close to the viewport. Returns how to stop waiting. */
  wait(element: Element, wake: () => void): () => void
  stop(): void
}

/** The scrolling element around the form: an observer's margin counts only around its own root. */
const scroller = (element: Element): Element | null => {
  for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    if (/(auto|scroll|overlay)/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return null
}

/** One observer for all boxes of a form. */
export const createNear = (): Near => {
  const waiting = new Map<Element, () => void>()
  let observer: IntersectionObserver | null = null
  const done = (element: Element): void => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
  return {
    wait: (element, wake) => {
      observer ??= new IntersectionObserver(
        (entries) => {
          for (const entry of entries) {
            if (!entry.isIntersecting) continue
            const call = waiting.get(entry.target)
            done(entry.target)
            call?.()
          }
        },
        { root: scroller(element), rootMargin: `${MARGIN}px 0px` },
      )
      waiting.set(element, wake)
      observer.observe(element)
      return () => done(element)
    },
    stop: () => {
      observer?.disconnect()
      observer = null
      waiting.clear()
    },
  }
}

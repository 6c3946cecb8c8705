/** Milliseconds: long enough for the page to be drawn and its data to be asked for. */
const AFTER = 2_000

/** Runs when the page has stood for a moment and the browser has nothing to do; the answer gives it up. */
export const whenQuiet = (work: () => void): (() => void) => {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // Safari has no idle callbacks; there the pause has to do.
    if (typeof requestIdleCallback === 'undefined') work()
    else idle = requestIdleCallback(work, { timeout: 2_000 })
  }, AFTER)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}

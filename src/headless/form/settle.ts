import type { GeneralField } from '@formily/core'
import { Tracker } from '@formily/reactive'

/** So often one linkage runs for one change: more is a circle that never comes to rest. */
const MOST_RUNS = 50

let waiting = new Set<() => void>()
let running: (() => void) | null = null

/** Runs what waits, one after the other, until nothing changes any more. */
const settleAll = (): void => {
  if (running) return
  const runs = new Map<() => void, number>()
  try {
    for (const run of waiting) {
      // one that is added again meanwhile comes once more, at the end
      waiting.delete(run)
      const count = (runs.get(run) ?? 0) + 1
      runs.set(run, count)
      running = run
      if (count <= MOST_RUNS) run()
    }
  } finally {
    running = null
    waiting = new Set()
  }
}

/**
 * A linkage that runs again whenever what it reads has changed. Formily's own passes over changes that come while it still runs: a
 * sum of two fields, one of which follows the other, would keep the old value of the one that is reckoned last.
 */
export const settled =
  <F extends GeneralField>(reaction: (field: F) => void) =>
  (field: F): void => {
    const run = (): void => void tracker.track(() => reaction(field))
    const tracker = new Tracker(() => {
      // what it sets itself does not start it again
      if (running === run) return
      waiting.add(run)
      settleAll()
    })
    field.disposers.push(() => {
      waiting.delete(run)
      tracker.dispose()
    })
    run()
  }

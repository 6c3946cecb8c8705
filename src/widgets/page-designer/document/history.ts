import type { JsonObject } from '../../../schema/overlay'

/** A document with what was before and, after an undo, what was after. */
export interface History {
  past: readonly JsonObject[]
  present: JsonObject
  future: readonly JsonObject[]
  /** What the last edit was about and when: further typing at the same place is one step of undo. */
  last: { key: string; at: number } | null
}

const MOST_STEPS = 200
const ONE_STEP = 1_000

export const startHistory = (present: JsonObject): History => ({ past: [], present, future: [], last: null })

/** The history with one more edit. Edits with the same key within a second of each other are one step. */
export const edited = (history: History, document: JsonObject, key: string | null, now: number): History => {
  if (document === history.present) return history
  const joins = key !== null && history.last?.key === key && now - history.last.at < ONE_STEP
  return {
    past: joins ? history.past : [...history.past, history.present].slice(-MOST_STEPS),
    present: document,
    future: [],
    last: key === null ? null : { key, at: now },
  }
}

export const undone = (history: History): History => {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], last: null }
}

export const redone = (history: History): History => {
  const [next, ...rest] = history.future
  return next === undefined ? history : { past: [...history.past, history.present], present: next, future: rest, last: null }
}

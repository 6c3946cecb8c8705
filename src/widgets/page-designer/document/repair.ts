import { joinAddress, splitAddress, type Change, type JsonObject } from '../../../schema/overlay'
import { idsAt, valueAt } from './address'

/** Where a change whose place is gone could go: the items of the list in which its own is missing. */
export interface Repairs {
  /** Address of the list. */
  list: string
  /** What is missing in it. */
  missing: string
  ids: readonly string[]
}

export const repairsOf = (document: JsonObject, orphan: Change): Repairs => {
  const steps = splitAddress(orphan.at)
  const length = steps.findIndex((_, index) => valueAt(document, joinAddress('', ...steps.slice(0, index + 1))) === undefined)
  if (length <= 0) return { list: '', missing: '', ids: [] }
  const list = joinAddress('', ...steps.slice(0, length))
  const missing = steps[length] ?? ''
  return { list, missing, ids: idsAt(document, list).filter((id) => id !== missing) }
}

/** The change at another item of the same list. */
export const repaired = (document: JsonObject, orphan: Change, id: string): Change => {
  const { list } = repairsOf(document, orphan)
  const depth = splitAddress(list).length
  return { ...orphan, at: joinAddress(list, id, ...splitAddress(orphan.at).slice(depth + 1)) }
}

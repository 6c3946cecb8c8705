/** A record that was found. */
export interface RecordHit {
  id: string
  title: string
  /** Who it belongs to, its amount and its state, as far as the caller may read them. */
  line: string
  open: string
  /** By what it was found, where the title does not show it. `value` is left out where looking at it is noted. */
  why?: { label: string; value?: string }
}

/** The records of one entity that were found, the best first. */
export interface HitGroup {
  entity: string
  label: string
  hits: readonly RecordHit[]
  /** There are more than are answered. */
  more: boolean
}

/** Answer of `POST /v2/sys/search`. */
export interface FoundRecords {
  groups: readonly HitGroup[]
  /** Nothing has the words as they were typed: these differ by one letter. */
  similar: boolean
}

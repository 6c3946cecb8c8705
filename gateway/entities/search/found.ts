/** Records that are searched, and the page that shows one of them. */
export interface SearchTarget {
  entity: string
  /** A view whose rows are meant, e.g. those of a pool. */
  view?: string | undefined
  /** Address of the page that shows a record. */
  open: (id: string) => string
  /** The page is that of the record which this reference names. */
  through?: string | undefined
}

export interface RecordHit {
  id: string
  title: string
  /** Who it belongs to, its amount and its state, as far as the caller may read them. */
  line: string
  open: string
  /** By what it was found, where the title does not show it. `value` is left out where looking at it is noted. */
  why?: { label: string; value?: string }
}

export interface HitGroup {
  entity: string
  label: string
  hits: RecordHit[]
  /** There are more than are answered. */
  more: boolean
}

export interface FoundRecords {
  groups: HitGroup[]
  /** Nothing has the words as they were typed: these differ by one letter. */
  similar: boolean
}

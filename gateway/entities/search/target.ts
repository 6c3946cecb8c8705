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

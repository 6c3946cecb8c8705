/** What a list shows and how, kept under a name: for its owner, and for roles that he shares it with. */
export interface SavedView {
  id: string
  title: string
  /** Search part of the address: tab, filters, keyword, order, groups, layout. */
  query: string
  /** Columns as the list's own settings have them; null: as each person has them. */
  settings: unknown
  /** Codes of the roles that see it, too. */
  roles: readonly string[]
  /** The list opens with it for those roles. */
  opensFirst: boolean
  /** It opens with it for the caller, by one of his roles. */
  first: boolean
  /** The caller keeps it, or keeps shared views in order. */
  editable: boolean
  /** Whoever keeps it, by name; undefined: the caller. */
  sharedBy?: string
  version: number
}

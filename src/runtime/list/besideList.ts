import { createContext, use } from 'react'

/** What a page is told that is shown beside a list: which rows are around its own, and how to go to another one. */
export interface BesideList {
  previous: string | null
  next: string | null
  /** Shows another row of the list by its key; null: none, the page goes. */
  show(key: string | null): void
}

const BesideContext = createContext<BesideList | null>(null)
export const BesideProvider = BesideContext.Provider

/** The list that a page is shown beside; null: it is shown by itself. */
export const useBeside = (): BesideList | null => use(BesideContext)

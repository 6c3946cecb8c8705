import type { Row } from '../../headless/row'

/** Selected rows by key; `all` means every row that matches the query, also those on other pages. */
export interface Selection {
  readonly keys: ReadonlyMap<string, Row>
  readonly all: boolean
}

export const NOTHING_SELECTED: Selection = { keys: new Map(), all: false }

/** Adds or removes rows. Removing one from "all matching" leaves the rows of the page without it. */
export const select = (selection: Selection, rows: readonly (readonly [string, Row])[], on: boolean): Selection => {
  const keys = new Map(selection.keys)
  for (const [key, row] of rows) {
    if (on) keys.set(key, row)
    else keys.delete(key)
  }
  return keys.size === 0 ? NOTHING_SELECTED : { keys, all: on && selection.all }
}

/** How many rows are selected, given how many match the query. */
export const selectedCount = (selection: Selection, total: number): number => (selection.all ? total : selection.keys.size)

import type { ListBodyModel, ListLayout, QueryWhere, SavedView, Scope } from '../../schema/model'
import type { Failure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'
import type { Store } from '../store'
import type { FilterValue, ListQuery } from '../../headless/list/query'
import type { QueryBody } from '../../headless/list/request'
import type { Selection } from './selection'
import type { ListSettings } from './settings'
import type { ViewToKeep } from './savedViews'

/** Answer of `POST base/queryPage`. */
export interface QueryAnswer {
  records: readonly Row[]
  total: number
  /** There are more rows than were counted: the exact total is asked for on its own, like the sums. */
  totalAtLeast?: boolean
  refs?: Refs
  /** Missing though it was asked for: there are so many rows that the sums are asked for on their own. */
  summary?: Readonly<Record<string, unknown>>
  /** Rows of the selections that were asked to be counted beside. */
  counts?: Readonly<Record<string, number>>
  /** With a cursor: where the rows behind these begin; null = there are none. */
  next?: string | null
}

export interface ListState {
  query: ListQuery
  size: number
  /** first: nothing to show yet; ready: rows are shown (perhaps an older answer, see busy); failed: the last load failed. */
  phase: 'first' | 'ready' | 'failed'
  busy: boolean
  failure: Failure | null
  rows: readonly Row[]
  total: number
  /** There are more rows than the total says, which is being counted. */
  totalAtLeast: boolean
  /** Of a list that adds rows below: where the next ones begin; null = all are shown. */
  next: string | null
  refs: Refs
  /** Null: the sums are being made. */
  summary: Readonly<Record<string, unknown>> | null
  selection: Selection
  /** How often it was loaded anew because something was changed. */
  reloads: number
  /** Number of rows by view tab, for the tabs that count. */
  counts: Readonly<Record<string, number>>
  /** Where the shown tab is empty: number of rows by tab, also of those that do not count. */
  elsewhere: Readonly<Record<string, number>>
  /** Columns, density and rows of a page as they are shown: the person's own, or those of the saved view. */
  settings: ListSettings
  /** Kept under a name by the person, or shared with one of his roles. */
  saved: readonly SavedView[]
}

export interface ListOptions {
  host: Host
  body: ListBodyModel
  scope: Scope
  /** Key of the user's settings: the page's id, with the tab's id for a list inside a page. */
  id: string
  /** Search part of the address; the query is read from it once and whenever `adopt` is called. */
  search: string
  /** Called with the new search part when the query changed. */
  onSearch?: (search: string) => void
  /** Keeps the parameters of several lists in one address apart. */
  prefix?: string
  where?: readonly QueryWhere[]
}

/** The headless list: what it shows and what can be done to it, without drawing. */
export interface ListController extends Store<ListState> {
  readonly options: ListOptions
  /** Loads what is missing; returns the function that stops what is under way. Safe to call again. */
  start(): () => void
  reload(): Promise<void>
  /** Reads one row anew where it stands, with the sums and the numbers of the tabs; a list that shows it no more loads anew. */
  refresh(key: string): Promise<void>
  /** Takes over an address that somebody else set (back button, link). */
  adopt(search: string): void
  /** Takes over a newer description of the same list; the rows are read anew when it asks for others. */
  follow(body: ListBodyModel): void
  setKeyword(keyword: string): void
  setFilter(id: string, value: FilterValue | null): void
  /** Removes keyword and filters, also the page's defaults. */
  clear(): void
  setView(id: string): void
  /** Shows what a saved view keeps. */
  setSaved(id: string): void
  /** Keeps what is shown under a name, as a new view or instead of what one keeps. Rejects with RequestError. */
  keepView(view: ViewToKeep): Promise<void>
  /** Takes a saved view away from everybody who sees it. Rejects with RequestError. */
  removeView(view: SavedView): Promise<void>
  /** As a table, a board or a calendar. */
  setLayout(layout: ListLayout): void
  /** Shows another month of a calendar; undefined: the one of now. */
  setMonth(month: string | undefined): void
  /** Groups the rows by a field; '': by none. */
  setGroup(field: string): void
  /** Header click: ascending, descending, the page's own order; `also`: behind the columns that order the rows already. */
  toggleSort(field: string, also?: boolean): void
  setPage(page: number): void
  /** Adds the next rows below. Only for a list with `paging: more`. */
  loadMore(): Promise<void>
  setSize(size: number): void
  select(keys: readonly string[], on: boolean): void
  selectAllMatching(): void
  clearSelection(): void
  /** Ids of all selected rows; with "all matching" they are fetched, at most `limit`. Rejects with RequestError. */
  selectedKeys(limit: number): Promise<string[]>
  saveSettings(settings: ListSettings): void
  keyOf(row: Row): string
  /** A row as it stands once nothing is loaded any more: what acts on it needs the version that the gateway has now. */
  current(key: string): Promise<Row | undefined>
  /** Body of the query as it stands, for the export. */
  queryBody(): QueryBody
}

/** The open tabs as data (R188-R190, R207-R213). Pure: ids come from outside, navigation is the caller's. */

export interface Bookmark {
  id: string
  path: string
  /** Identity of the tab: path and query, the record alone on a record's page, or the path alone with tagPath=path (R190). */
  fullPath: string
  /** Where the tab leads, with its whole query. */
  address: string
  /** Permission key of the page. */
  international: string | null
  /** A title from the address or from the page; null: the title of the route in the interface language. */
  title: string | null
  /** False for the home tab (R213). */
  close: boolean
  /** The sub-application that shows it, null for our own pages. */
  iframeName: string | null
}

export interface BookmarkState {
  tabs: readonly Bookmark[]
  activeId: string
}

export const HOME_ID = 'home'
export const HOME_PATH = '/home'

const home: Bookmark = {
  id: HOME_ID,
  path: HOME_PATH,
  fullPath: HOME_PATH,
  address: HOME_PATH,
  international: null,
  title: null,
  close: false,
  iframeName: null,
}

export const INITIAL: BookmarkState = { tabs: [home], activeId: HOME_ID }

/** A page to open. */
export interface Opening {
  path: string
  search: string
  single: boolean
  international?: string | null
  iframeName?: string | null
  /** `{{ query.name }}`: the title is that query parameter (R051). */
  titleFrom?: string
  /** The query parameter that names the record of this page. */
  record?: string
}

/** One tab for all queries of a path. */
const isByPath = (search: string): boolean => new URLSearchParams(search).get('tagPath') === 'path'

/** The full address of a tab: with tagPath=path it is the path only (R190). */
export function fullPathOf(path: string, search: string, record?: string): string {
  return isByPath(search) ? path : subjectOf(path, search, record)
}

/** What a page is about: one record, in whatever order and with whatever else an address says it; else its whole address. */
export function subjectOf(path: string, search: string, record?: string): string {
  const id = record === undefined ? null : new URLSearchParams(search).get(record)
  return record === undefined || !id ? path + search : `${path}?${new URLSearchParams({ [record]: id })}`
}

/** tagTitle wins over the title expression of the route (R189). */
export function titleOf(search: string, titleFrom?: string): string | null {
  const query = new URLSearchParams(search)
  const name = /^\{\{\s*query\.([A-Za-z_$][\w$]*)\s*\}\}$/.exec(titleFrom ?? '')?.[1]
  return query.get('tagTitle') || (name === undefined ? null : query.get(name) || null)
}

/** Whether the title of a tab is what its address says, not what its page shows. */
export const isNamedByAddress = ({ address, title }: Pick<Bookmark, 'address' | 'title'>): boolean =>
  title !== null && [...new URLSearchParams(address.split(/\?(.*)/s)[1] ?? '').values()].includes(title)

/** Whether two addresses show the same page. */
export function isSameSubject(one: string, other: string, record?: string): boolean {
  const [first, second] = [one, other].map((address) => {
    const [path = '', search] = address.split(/\?(.*)/s)
    return subjectOf(path, search ? `?${search}` : '', record)
  })
  return first === second
}

/** Opens a tab unless its full address is already open (R207); on a single-bookmark route it takes the place of the old one (R209). */
export function open(state: BookmarkState, opening: Opening, id: string): BookmarkState {
  const { path, search, record, titleFrom } = opening
  const fullPath = fullPathOf(path, search, record)
  const there = state.tabs.find((tab) => tab.fullPath === fullPath)
  if (there) return { ...state, tabs: led(state.tabs, there, opening), activeId: there.id }
  const tab: Bookmark = {
    id,
    path,
    fullPath,
    address: path + search,
    international: opening.international ?? null,
    title: titleOf(search, titleFrom),
    close: true,
    iframeName: opening.iframeName ?? null,
  }
  const old = opening.single ? state.tabs.findIndex((item) => item.path === path) : -1
  const tabs = old === -1 ? [...state.tabs, tab] : state.tabs.map((item, index) => (index === old ? tab : item))
  return { tabs, activeId: id }
}

/** The page changed its own query (a list that keeps its filters, a record that steps to the next): the same tab, another address. */
export function readdress(state: BookmarkState, id: string, opening: Opening): BookmarkState {
  const { path, search, record } = opening
  const fullPath = fullPathOf(path, search, record)
  const tab = state.tabs.find((item) => item.id === id)
  if (!tab || tab.path !== path || !tab.close || state.tabs.some((item) => item.id !== id && item.fullPath === fullPath))
    return state
  return { ...state, tabs: led(state.tabs, { ...tab, fullPath }, opening) }
}

/** The tabs with one of them leading to another address. It keeps its name as long as it is about the same. */
function led(tabs: readonly Bookmark[], tab: Bookmark, { path, search, record, titleFrom }: Opening): readonly Bookmark[] {
  const address = path + search
  const keepsName = record === undefined ? !isByPath(search) : isSameSubject(tab.address, address, record)
  const title = titleOf(search, titleFrom) ?? (keepsName ? tab.title : null)
  if (!tab.close || (address === tab.address && title === tab.title)) return tabs
  return tabs.map((item) => (item.id === tab.id ? { ...tab, address, title } : item))
}

export function retitle(state: BookmarkState, id: string, title: string): BookmarkState {
  return { ...state, tabs: state.tabs.map((tab) => (tab.id === id && tab.close ? { ...tab, title } : tab)) }
}

export function activate(state: BookmarkState, id: string): BookmarkState {
  return state.tabs.some((tab) => tab.id === id) ? { ...state, activeId: id } : state
}

/** Closing the active tab activates the last remaining one (R210); the home tab stays (R213). */
export function close(state: BookmarkState, id: string): BookmarkState {
  const tabs = state.tabs.filter((tab) => tab.id !== id || !tab.close)
  if (tabs.length === state.tabs.length) return state
  return { tabs, activeId: state.activeId === id ? (tabs[tabs.length - 1] ?? home).id : state.activeId }
}

/** Keeps the home tab and the given tab, which becomes the active one (R211). */
export function closeOthers(state: BookmarkState, id: string): BookmarkState {
  const tabs = state.tabs.filter((tab) => !tab.close || tab.id === id)
  return { tabs, activeId: tabs.some((tab) => tab.id === id) ? id : HOME_ID }
}

/** Keeps only the home tab (R212). */
export const closeAll = (state: BookmarkState): BookmarkState => ({
  tabs: state.tabs.filter((tab) => !tab.close),
  activeId: HOME_ID,
})

/** Moves a tab to the place of another one; nothing goes before the home tab. */
export function move(state: BookmarkState, id: string, overId: string): BookmarkState {
  const from = state.tabs.findIndex((tab) => tab.id === id)
  const to = state.tabs.findIndex((tab) => tab.id === overId)
  if (from <= 0 || to <= 0 || from === to) return state
  const tabs = [...state.tabs]
  tabs.splice(to, 0, ...tabs.splice(from, 1))
  return { ...state, tabs }
}

/** Which of the three actions is possible for a tab (R078, R079, R213). */
export function possible(state: BookmarkState, id: string): { current: boolean; others: boolean; all: boolean } {
  return {
    current: state.tabs.some((tab) => tab.id === id && tab.close),
    others: state.tabs.length > 2,
    all: state.tabs.length > 1,
  }
}

/** Tabs kept over a reload; anything that does not read as tabs gives the home tab alone. */
export function restore(text: string | null): BookmarkState {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('tabs' in value) || !Array.isArray(value.tabs)) return INITIAL
    const seen = new Set<string>([HOME_ID])
    const paths = new Set<string>([HOME_PATH])
    const tabs = value.tabs.filter((tab: unknown): tab is Bookmark => {
      if (!isBookmark(tab) || seen.has(tab.id) || paths.has(tab.fullPath)) return false
      seen.add(tab.id)
      paths.add(tab.fullPath)
      return true
    })
    const activeId =
      'activeId' in value && typeof value.activeId === 'string' && seen.has(value.activeId) ? value.activeId : HOME_ID
    return { tabs: [home, ...tabs], activeId }
  } catch {
    return INITIAL
  }
}

function isBookmark(value: unknown): value is Bookmark {
  if (typeof value !== 'object' || value === null) return false
  const tab = value as Partial<Record<keyof Bookmark, unknown>>
  const isPath = (text: unknown) => typeof text === 'string' && /^\/(?![/\\])/.test(text)
  const isTextOrNull = (text: unknown) => text === null || typeof text === 'string'
  return (
    typeof tab.id === 'string' &&
    isPath(tab.path) &&
    isPath(tab.fullPath) &&
    isPath(tab.address) &&
    tab.close === true &&
    isTextOrNull(tab.title) &&
    isTextOrNull(tab.international) &&
    isTextOrNull(tab.iframeName)
  )
}

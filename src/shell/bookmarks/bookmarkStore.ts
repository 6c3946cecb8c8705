import { makeAutoObservable, observableRef } from 'mobx'
import * as tabs from './bookmarks'

const KEY = 'switchboard.tabs'

/** What a page instance shows. */
export type PageContent = { type: 'page' } | { type: 'embed'; iframeName: string } | { type: 'notYet' }

/** A page in memory. Its address is its own: navigation elsewhere does not touch it. */
export interface PageInstance {
  key: string
  /** Null: a page without a tab; it is dropped when it is left. */
  tabId: string | null
  address: string
  content: PageContent
}

/** Open tabs, the pages that are kept in memory for them as long as they are open (R214), and which of them hold unsaved input. */
export class BookmarkStore {
  state: tabs.BookmarkState
  /** Pages in the order of their first opening: an iframe that moved in the document would load again. */
  pages: readonly PageInstance[] = []
  activeKey: string | null = null
  unsaved: ReadonlySet<string> = new Set()
  private openers = new Map<string, string>()
  private counter = 0
  private readonly storage: Storage

  constructor(storage: Storage) {
    this.storage = storage
    this.state = tabs.restore(storage.getItem(KEY))
    for (const tab of this.state.tabs) this.counter = Math.max(this.counter, Number(/^t(\d+)$/.exec(tab.id)?.[1] ?? 0))
    makeAutoObservable<this, 'storage' | 'openers' | 'counter'>(
      this,
      {
        state: observableRef,
        pages: observableRef,
        unsaved: observableRef,
        storage: false,
        openers: false,
        counter: false,
      },
      { autoBind: true },
    )
  }

  get active(): tabs.Bookmark | null {
    const page = this.pages.find((item) => item.key === this.activeKey)
    return this.state.tabs.find((tab) => tab.id === page?.tabId) ?? null
  }

  /** A page with a tab was navigated to. `replaced`: the address bar changed in place, as a list does with its filters. */
  visit(opening: tabs.Opening, content: PageContent, replaced: boolean): void {
    const active = this.active
    const before = this.state
    if (replaced && active !== null && active.close && active.path === opening.path) {
      this.change(tabs.readdress(this.state, active.id, opening))
      if (this.state !== before) this.readdressPage(active.id)
    }
    const id = `t${this.counter + 1}`
    this.change(tabs.open(this.state, opening, id))
    if (this.state.activeId === id) {
      this.counter += 1
      this.openers.set(id, active?.id ?? before.activeId)
    }
    const tab = this.replacedBy(opening)
    if (tab === null) this.readdressPage(this.state.activeId)
    else this.refresh(tab.id)
    this.show(this.state.activeId, content)
  }

  /** The tab whose page gives way to another one when this address is opened, if there is one. */
  replacedBy({
    path,
    search,
    single,
    record,
  }: Pick<tabs.Opening, 'path' | 'search' | 'single' | 'record'>): tabs.Bookmark | null {
    const there = this.tabAt(path, search, record)
    if (there === null) return (single && this.state.tabs.find((tab) => tab.path === path)) || null
    const page = this.pages.find((item) => item.tabId === there.id)
    return page !== undefined && !tabs.isSameSubject(page.address, path + search, record) ? there : null
  }

  /** The home page stands in the fixed tab. */
  visitHome(address: string): void {
    this.change(tabs.activate(this.state, tabs.HOME_ID))
    this.show(tabs.HOME_ID, { type: 'page' }, address)
  }

  /** A page without a tab (R191, R192). */
  visitOnce(address: string, content: PageContent): void {
    const key = `once ${address}`
    if (!this.pages.some((page) => page.key === key)) this.pages = [...this.pages, { key, tabId: null, address, content }]
    this.activatePage(key)
  }

  /** A screen that is no page (403, 404): nothing is active. */
  visitNothing(): void {
    this.pages = this.pages.filter((page) => page.tabId !== null)
    this.activeKey = null
  }

  /** Closes and returns the address to go to, or null when the page in view stays. A missing tab only warns (R215). */
  close(id: string, backToOpener = false): string | null {
    if (!this.state.tabs.some((tab) => tab.id === id)) {
      console.warn(`There is no tab ${id} to close.`)
      return null
    }
    const wasActive = this.active?.id === id
    const opener = this.openers.get(id)
    this.change(tabs.close(this.state, id))
    if (!wasActive) return null
    if (backToOpener && opener !== undefined) this.change(tabs.activate(this.state, opener))
    return this.activeAddress
  }

  closeOthers(id: string): string {
    this.change(tabs.closeOthers(this.state, id))
    return this.activeAddress
  }

  closeAll(): string {
    this.change(tabs.closeAll(this.state))
    return this.activeAddress
  }

  move(id: string, overId: string): void {
    this.change(tabs.move(this.state, id, overId))
  }

  /** A page says what it shows, again whenever that changes: the name of its tab, unless its address gave one. */
  name(key: string, title: string): void {
    const page = this.pages.find((item) => item.key === key)
    const tab = this.state.tabs.find((item) => item.id === page?.tabId)
    if (tab && title !== '' && tab.title !== title && !tabs.isNamedByAddress(tab)) this.retitle(tab.id, title)
  }

  retitle(tabId: string, title: string): void {
    this.change(tabs.retitle(this.state, tabId, title))
  }

  /** Loads the page of one tab anew: its instance is dropped and made again. */
  refresh(tabId: string): void {
    const page = this.pages.find((item) => item.tabId === tabId)
    if (!page) return
    const key = this.newKey(tabId)
    this.setUnsaved(page.key, false)
    this.pages = this.pages.map((item) =>
      item === page ? { ...page, key, address: this.addressOf(tabId) ?? page.address } : item,
    )
    if (this.activeKey === page.key) this.activeKey = key
  }

  /** The tab of a full address, if it is open. */
  tabAt(path: string, search: string, record?: string): tabs.Bookmark | null {
    const fullPath = tabs.fullPathOf(path, search, record)
    return this.state.tabs.find((tab) => tab.fullPath === fullPath) ?? null
  }

  setUnsaved(key: string, unsaved: boolean): void {
    if (this.unsaved.has(key) === unsaved) return
    const next = new Set(this.unsaved)
    if (unsaved) next.add(key)
    else next.delete(key)
    this.unsaved = next
  }

  forgetUnsaved(): void {
    this.unsaved = new Set()
  }

  isUnsaved(tabId: string): boolean {
    return this.pages.some((page) => page.tabId === tabId && this.unsaved.has(page.key))
  }

  private show(tabId: string, content: PageContent, address?: string) {
    const there = this.pages.find((page) => page.tabId === tabId)
    if (there) return this.activatePage(there.key)
    const key = this.newKey(tabId)
    this.pages = [...this.pages, { key, tabId, address: address ?? this.addressOf(tabId) ?? tabs.HOME_PATH, content }]
    this.activatePage(key)
  }

  private activatePage(key: string) {
    this.activeKey = key
    this.pages = this.pages.filter((page) => page.tabId !== null || page.key === key)
  }

  private drop(key: string) {
    this.setUnsaved(key, false)
    this.pages = this.pages.filter((page) => page.key !== key)
  }

  private readdressPage(tabId: string) {
    const address = this.addressOf(tabId)
    if (
      address === null ||
      tabId === tabs.HOME_ID ||
      !this.pages.some((page) => page.tabId === tabId && page.address !== address)
    )
      return
    this.pages = this.pages.map((page) => (page.tabId === tabId ? { ...page, address } : page))
  }

  private change(next: tabs.BookmarkState) {
    if (next === this.state) return
    this.state = next
    const ids = new Set(next.tabs.map((tab) => tab.id))
    for (const page of this.pages) if (page.tabId !== null && !ids.has(page.tabId)) this.drop(page.key)
    try {
      this.storage.setItem(KEY, JSON.stringify(next))
    } catch {
      // A full storage costs only the restoring after a reload.
    }
  }

  private get activeAddress(): string {
    return this.addressOf(this.state.activeId) ?? tabs.HOME_PATH
  }

  private addressOf(tabId: string): string | null {
    return this.state.tabs.find((tab) => tab.id === tabId)?.address ?? null
  }

  private newKey(tabId: string): string {
    this.counter += 1
    return `${tabId}.${this.counter}`
  }
}

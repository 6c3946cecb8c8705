// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BookmarkStore } from '../../../../src/shell/bookmarks/bookmarkStore'

const PAGE = { type: 'page' } as const
beforeEach(() => sessionStorage.clear())
const visit = (store: BookmarkStore, path: string, search = '', replaced = false, single = false) =>
  store.visit({ path, search, single }, PAGE, replaced)
const titles = (store: BookmarkStore) => store.state.tabs.map((tab) => tab.fullPath)
const activePage = (store: BookmarkStore) => store.pages.find((page) => page.key === store.activeKey)

describe('open tabs and the pages behind them', () => {
  it('keeps the page of an open tab, with its own address, while others are visited (R214)', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a', '?x=1')
    const page = activePage(store)
    visit(store, '/b')
    expect(store.pages).toContain(page)
    visit(store, '/a', '?x=1')
    expect(activePage(store)).toBe(page)
    expect(page?.address).toBe('/a?x=1')
  })

  it('follows a list that keeps its filters in the address, without a new page', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    const key = store.activeKey
    visit(store, '/a', '?page=2', true)
    expect(titles(store)).toEqual(['/home', '/a?page=2'])
    expect(store.activeKey).toBe(key)
    expect(activePage(store)?.address).toBe('/a?page=2')
  })

  it('drops the page with its tab, and gives the address to go to (R210)', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    visit(store, '/b')
    visit(store, '/c')
    visit(store, '/a')
    const id = store.active?.id ?? ''
    expect(store.close(id)).toBe('/c')
    expect(store.pages.map((page) => page.address)).toEqual(['/b', '/c'])
  })

  it('a page that closes itself goes back to where it was opened from', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    visit(store, '/z')
    visit(store, '/a')
    visit(store, '/a/edit')
    expect(store.close(store.active?.id ?? '', true)).toBe('/a')
  })

  it('a missing tab only produces a console warning (R215)', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const store = new BookmarkStore(sessionStorage)
    expect(store.close('nothing')).toBeNull()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('replaces page and tab on a single-bookmark route (R209, R041)', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/sea', '?k=1', false, true)
    const key = store.activeKey
    visit(store, '/sea', '?k=2', false, true)
    expect(titles(store)).toEqual(['/home', '/sea?k=2'])
    expect(store.activeKey).not.toBe(key)
    expect(store.pages).toHaveLength(1)
  })

  it('takes the name of a tab from its page, unless the address names it (R189)', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    store.name(store.activeKey ?? '', 'Acme')
    expect(store.active?.title).toBe('Acme')
    visit(store, '/b', '?tagTitle=Given')
    store.name(store.activeKey ?? '', 'Acme')
    expect(store.active?.title).toBe('Given')
  })

  it('refreshing a tab makes its page anew and forgets its unsaved mark', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    const key = store.activeKey ?? ''
    store.setUnsaved(key, true)
    store.refresh(store.active?.id ?? '')
    expect(store.activeKey).not.toBe(key)
    expect(store.unsaved.size).toBe(0)
  })

  it('shows a page without a tab only while it is there (R191)', () => {
    const store = new BookmarkStore(sessionStorage)
    store.visitOnce('/offerManage', PAGE)
    expect(titles(store)).toEqual(['/home'])
    expect(store.pages).toHaveLength(1)
    visit(store, '/a')
    expect(store.pages.map((page) => page.address)).toEqual(['/a'])
  })

  it('restores the tabs after a reload and loads only the page that is looked at', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a')
    visit(store, '/b')
    const again = new BookmarkStore(sessionStorage)
    expect(titles(again)).toEqual(['/home', '/a', '/b'])
    visit(again, '/a')
    expect(again.pages).toHaveLength(1)
    visit(again, '/c')
    expect(new Set(again.state.tabs.map((tab) => tab.id)).size).toBe(4)
  })

  it('keeps at most twelve pages; one with unsaved input goes only after a question', () => {
    const store = new BookmarkStore(sessionStorage)
    for (let n = 1; n <= 14; n += 1) visit(store, `/p${n}`)
    expect(store.pages).toHaveLength(12)
    expect(store.state.tabs).toHaveLength(15)
    expect(store.asking).toBeNull()
    for (const page of store.pages) store.setUnsaved(page.key, true)
    visit(store, '/p15')
    expect(store.pages).toHaveLength(13)
    expect(store.asking?.address).toBe('/p3')
    store.settle(false)
    expect(store.asking?.address).toBe('/p4')
    store.settle(true)
    expect(store.asking).toBeNull()
    expect(store.pages.map((page) => page.address)).not.toContain('/p4')
    expect(store.pages.map((page) => page.address)).toContain('/p3')
  })
})

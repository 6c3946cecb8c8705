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

  it('keeps the pages of all open tabs, however many, each as it was left (R214)', () => {
    const store = new BookmarkStore(sessionStorage)
    for (let n = 1; n <= 30; n += 1) visit(store, `/p${n}`)
    const pages = store.pages
    expect(pages).toHaveLength(30)
    visit(store, '/p1')
    expect(store.pages).toEqual(pages)
  })

  it('shows another query of a path in its one tab as a page of its own, with its own name (R190)', () => {
    const store = new BookmarkStore(sessionStorage)
    visit(store, '/a', '?id=7&tagPath=path&tagTitle=Seven')
    const key = store.activeKey ?? ''
    expect(store.replacedBy({ path: '/a', search: '?id=8&tagPath=path', single: false })?.id).toBe(store.active?.id)
    visit(store, '/a', '?id=8&tagPath=path')
    expect(titles(store)).toEqual(['/home', '/a'])
    expect(store.active).toMatchObject({ address: '/a?id=8&tagPath=path', title: null })
    expect(activePage(store)?.address).toBe('/a?id=8&tagPath=path')
    expect(store.activeKey).not.toBe(key)
    // a list writes its filters: the page stays
    const second = store.activeKey
    visit(store, '/a', '?id=8&tagPath=path&q=x', true)
    expect(store.activeKey).toBe(second)
    expect(activePage(store)?.address).toBe('/a?id=8&tagPath=path&q=x')
  })
})

describe('one record has one tab', () => {
  const visitRecord = (store: BookmarkStore, search: string, replaced = false) =>
    store.visit({ path: '/a', search, single: false, record: 'id' }, PAGE, replaced)

  it('by whatever link it is opened; the page stays and follows the address', () => {
    const store = new BookmarkStore(sessionStorage)
    visitRecord(store, '?id=1&tagTitle=One')
    const key = store.activeKey
    for (const search of ['?tagTitle=One&id=1', '?id=%31', '?tab=rights&id=1']) {
      visit(store, '/b')
      visitRecord(store, search)
      expect(titles(store)).toEqual(['/home', '/a?id=1', '/b'])
      expect(store.active).toMatchObject({ address: `/a${search}`, title: 'One' })
      expect(activePage(store)).toMatchObject({ key, address: `/a${search}` })
    }
    visitRecord(store, '?id=1&tagTitle=Renamed')
    expect(store.active?.title).toBe('Renamed')
    visitRecord(store, '?id=2')
    expect(titles(store)).toHaveLength(4)
  })

  it('and takes over tab, address and name when the page steps to the next one; one that is open is gone to', () => {
    const store = new BookmarkStore(sessionStorage)
    visitRecord(store, '?id=3')
    visitRecord(store, '?id=1&tagTitle=One')
    const key = store.activeKey ?? ''
    visitRecord(store, '?id=2', true)
    expect(store.active).toMatchObject({ fullPath: '/a?id=2', address: '/a?id=2', title: null })
    store.name(key, 'Two')
    expect(store.active?.title).toBe('Two')
    expect(store.activeKey).toBe(key)
    visitRecord(store, '?id=3', true)
    expect(store.active?.fullPath).toBe('/a?id=3')
    expect(store.state.tabs.map((tab) => tab.title)).toEqual([null, null, 'Two'])
  })
})

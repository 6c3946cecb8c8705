import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as tabs from '../../../../src/shell/bookmarks/bookmarks'

const opening = (path: string, search = '', single = false): tabs.Opening => ({ path, search, single })

/** States that people can reach: any sequence of opening, closing, moving. */
const path = fc.constantFrom('/crm/a', '/crm/b', '/crm/client-partner/open-sea', '/srm/c')
const search = fc.constantFrom('', '?id=1', '?id=2', '?id=1&tagPath=path', '?tagTitle=T')
const action = fc.oneof(
  fc.record({ do: fc.constant('open' as const), path, search }),
  fc.record({
    do: fc.constantFrom('close', 'others', 'activate', 'move') as fc.Arbitrary<'close' | 'others' | 'activate' | 'move'>,
    at: fc.nat(8),
    to: fc.nat(8),
  }),
  fc.record({ do: fc.constant('all' as const) }),
)
const isSingle = (at: string) => at === '/crm/client-partner/open-sea'

function run(actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[]): tabs.BookmarkState {
  return actions.reduce<tabs.BookmarkState>((state, step, index) => {
    const at = (index: number) => state.tabs[index % state.tabs.length]?.id ?? tabs.HOME_ID
    switch (step.do) {
      case 'open':
        return tabs.open(state, opening(step.path, step.search, isSingle(step.path)), `t${index}`)
      case 'close':
        return tabs.close(state, at(step.at))
      case 'others':
        return tabs.closeOthers(state, at(step.at))
      case 'activate':
        return tabs.activate(state, at(step.at))
      case 'move':
        return tabs.move(state, at(step.at), at(step.to))
      case 'all':
        return tabs.closeAll(state)
    }
  }, tabs.INITIAL)
}
const reachable = fc.array(action, { maxLength: 25 }).map(run)

describe('bookmarks', () => {
  it('always holds: home first and not closable (R213), unique ids and addresses (R207), an active tab that exists', () => {
    fc.assert(
      fc.property(reachable, (state) => {
        expect(state.tabs[0]).toMatchObject({ id: tabs.HOME_ID, path: '/home', close: false })
        expect(new Set(state.tabs.map((tab) => tab.id)).size).toBe(state.tabs.length)
        expect(new Set(state.tabs.map((tab) => tab.fullPath)).size).toBe(state.tabs.length)
        expect(state.tabs.some((tab) => tab.id === state.activeId)).toBe(true)
      }),
    )
  })

  it('adds a tab unless its full address is open (R207), and a second one for another query (R208)', () => {
    fc.assert(
      fc.property(reachable, fc.constantFrom('/crm/a', '/srm/c'), search, (state, at, query) => {
        const there = state.tabs.some((tab) => tab.fullPath === tabs.fullPathOf(at, query))
        const next = tabs.open(state, opening(at, query), 'new')
        expect(next.tabs.length).toBe(state.tabs.length + (there ? 0 : 1))
        expect(next.tabs.find((tab) => tab.id === next.activeId)?.fullPath).toBe(tabs.fullPathOf(at, query))
      }),
    )
    const two = tabs.open(tabs.open(tabs.INITIAL, opening('/crm/a', '?id=1'), 'a'), opening('/crm/a', '?id=2'), 'b')
    expect(two.tabs.map((tab) => tab.fullPath)).toEqual(['/home', '/crm/a?id=1', '/crm/a?id=2'])
  })

  it('replaces the old tab of a single-bookmark path in its place, as in the open sea (R209, R115, R041)', () => {
    fc.assert(
      fc.property(reachable, search, (state, query) => {
        const sea = '/crm/client-partner/open-sea'
        const before = state.tabs.findIndex((tab) => tab.path === sea)
        const next = tabs.open(state, opening(sea, query, true), 'new')
        expect(next.tabs.filter((tab) => tab.path === sea)).toHaveLength(1)
        expect(next.tabs.findIndex((tab) => tab.path === sea)).toBe(before === -1 ? state.tabs.length : before)
      }),
    )
  })

  it('closing the active tab activates the last remaining one (R210); another one changes nothing else', () => {
    fc.assert(
      fc.property(reachable, fc.nat(8), (state, at) => {
        const tab = state.tabs[at % state.tabs.length]
        if (!tab) return
        const next = tabs.close(state, tab.id)
        if (!tab.close) expect(next).toBe(state)
        else {
          expect(next.tabs).toEqual(state.tabs.filter((item) => item.id !== tab.id))
          expect(next.activeId).toBe(state.activeId === tab.id ? next.tabs.at(-1)?.id : state.activeId)
        }
      }),
    )
  })

  it('close others keeps the home tab and the active one (R211); close all keeps only home (R212)', () => {
    fc.assert(
      fc.property(reachable, (state) => {
        const others = tabs.closeOthers(state, state.activeId)
        expect(others.tabs.map((tab) => tab.id)).toEqual([...new Set([tabs.HOME_ID, state.activeId])])
        expect(others.activeId).toBe(state.activeId)
        const all = tabs.closeAll(state)
        expect(all.tabs.map((tab) => tab.id)).toEqual([tabs.HOME_ID])
        expect(all.activeId).toBe(tabs.HOME_ID)
      }),
    )
  })

  it('disables close others with 2 or fewer tabs (R078), close all with 1 or fewer (R079), close current on home (R213)', () => {
    fc.assert(
      fc.property(reachable, (state) => {
        const can = tabs.possible(state, state.activeId)
        expect(can.others).toBe(!(state.tabs.length <= 2))
        expect(can.all).toBe(!(state.tabs.length <= 1))
        expect(can.current).toBe(state.activeId !== tabs.HOME_ID)
      }),
    )
  })

  it('moves a tab without losing one, and never before home', () => {
    fc.assert(
      fc.property(reachable, fc.nat(8), fc.nat(8), (state, from, to) => {
        const next = tabs.move(
          state,
          state.tabs[from % state.tabs.length]?.id ?? '',
          state.tabs[to % state.tabs.length]?.id ?? '',
        )
        expect(next.tabs[0]?.id).toBe(tabs.HOME_ID)
        expect([...next.tabs].map((tab) => tab.id).sort()).toEqual([...state.tabs].map((tab) => tab.id).sort())
      }),
    )
  })

  it('hold path, full path, key, title from its encoded form, whether they close, and the sub-application (R145)', () => {
    const given = { path: '/srm/c', search: '?tagTitle=A%26B', single: false, international: 'srm:c', iframeName: 'srm' }
    expect(tabs.open(tabs.INITIAL, given, 't1').tabs[1]).toEqual({
      id: 't1',
      path: '/srm/c',
      fullPath: '/srm/c?tagTitle=A%26B',
      address: '/srm/c?tagTitle=A%26B',
      international: 'srm:c',
      title: 'A&B',
      close: true,
      iframeName: 'srm',
    })
  })

  it('takes the title from tagTitle (R189), else from the query parameter that the route names (R051)', () => {
    expect(tabs.titleOf('?tagTitle=Acme%20%26%20Co&name=x', '{{ query.name }}')).toBe('Acme & Co')
    expect(tabs.titleOf('?name=Beta', '{{ query.name }}')).toBe('Beta')
    expect(tabs.titleOf('?name=Beta')).toBeNull()
  })

  it('with tagPath=path the address of the tab is the path only (R190), and it still leads to the whole address', () => {
    const state = tabs.open(tabs.INITIAL, opening('/crm/a', '?id=7&tagPath=path'), 'a')
    expect(state.tabs[1]).toMatchObject({ fullPath: '/crm/a', address: '/crm/a?id=7&tagPath=path' })
    expect(tabs.open(state, opening('/crm/a', '?id=8&tagPath=path'), 'b').tabs).toHaveLength(2)
  })

  it('follows a page that changes its own query, unless another tab has that address', () => {
    const state = tabs.open(tabs.open(tabs.INITIAL, opening('/crm/a', '?page=1'), 'a'), opening('/crm/a', '?page=2'), 'b')
    expect(tabs.readdress(state, 'b', opening('/crm/a', '?page=3')).tabs[2]).toMatchObject({ id: 'b', fullPath: '/crm/a?page=3' })
    expect(tabs.readdress(state, 'b', opening('/crm/a', '?page=1'))).toBe(state)
    expect(tabs.readdress(state, 'b', opening('/srm/c'))).toBe(state)
  })

  it('survives a reload unchanged, whatever was open', () => {
    fc.assert(
      fc.property(reachable, (state) => {
        expect(tabs.restore(JSON.stringify(state))).toEqual(state)
      }),
    )
  })

  it('restores nothing from garbage, foreign addresses or doubled tabs', () => {
    for (const text of [null, '', 'x', '[]', '{"tabs":1}', '{"tabs":[null,1,{"id":"x"}]}'])
      expect(tabs.restore(text)).toEqual(tabs.INITIAL)
    const tab = { ...tabs.open(tabs.INITIAL, opening('/crm/a'), 'a').tabs[1] }
    const kept = tabs.restore(
      JSON.stringify({ tabs: [tab, tab, { ...tab, id: 'b', fullPath: '/crm/b', address: '//evil.example' }], activeId: 'zzz' }),
    )
    expect(kept.tabs.map((item) => item.id)).toEqual([tabs.HOME_ID, 'a'])
    expect(kept.activeId).toBe(tabs.HOME_ID)
  })
})

import { describe, expect, it } from 'vitest'
import { createRouteTable } from '../../../../src/shell/guard/routeTable'
import {
  buildMenu,
  entriesOf,
  groupsAbove,
  highlightedPath,
  moduleNames,
  opensNewWindow,
  searchEntries,
  type MenuResource,
} from '../../../../src/shell/layout/menu'
import { MENU, ROUTES } from '../../../e2e/support/fakeWorld'

const table = createRouteTable(ROUTES)
const menus = buildMenu(MENU, table)
const entries = entriesOf(menus)
const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path)
const one = (resource: Partial<MenuResource>): MenuResource => ({
  id: 'x',
  name: '甲',
  international: 'crm:x',
  router: '/crm/list',
  webShowFlag: true,
  ...resource,
})

describe('menus from the resources of a person', () => {
  it('show only what was returned (R299, R004), in the order of the modules', () => {
    expect(menus.map((menu) => menu.name)).toEqual(['crm', 'srm'])
    expect(paths(entries).slice(0, 3)).toEqual(['/crm/list', '/crm/sea', '/srm/many/p1'])
    expect(buildMenu([], table)).toEqual([])
  })

  it('leave out what webShowFlag hides (R300), detail pages (R049) and pages that are not there yet', () => {
    expect(buildMenu([one({ webShowFlag: false }), one({ webShowFlag: 0 })], table)).toEqual([])
    expect(buildMenu([one({ router: '/crm/list/details' })], table)).toEqual([])
    expect(paths(entries)).not.toContain('/crm/coming')
    expect(buildMenu([one({ router: null, children: [one({ router: '/crm/coming' })] })], table)).toEqual([])
  })

  it('open in a new browser tab, and come from a sub-application, where the entry says so', () => {
    const [menu] = buildMenu([one({ router: null, children: [one({ newWindow: true }), one({ router: '/crm/sea' })] })], table)
    expect(menu && entriesOf([menu]).map(({ path, newWindow }) => [path, newWindow])).toEqual([
      ['/crm/list', true],
      ['/crm/sea', false],
    ])
    expect(['/crm/list', '/crm/sea'].map((path) => opensNewWindow(menu?.nodes ?? [], path))).toEqual([true, false])
    expect(buildMenu([one({ router: '/crm/coming', iframeName: 'srm' })], table)).toHaveLength(1)
  })

  it('tell which modules outside the portal the person has (R071, R299)', () => {
    const given = moduleNames([one({ international: 'imfs:imfs' }), one({ international: 'nwp:nwp', webShowFlag: false })])
    expect([...given]).toEqual(['IMFS'])
  })

  it('name an entry in both languages', () => {
    expect(entries[0]?.title).toEqual({ zh: '我的客户', en: 'My customers' })
    expect(entries[0]?.trail.map((title) => title.en)).toEqual(['Customers', 'Customers and partners'])
  })

  it('highlight the entry itself, the parent of a detail page (R039), or the nearest entry above', () => {
    expect(highlightedPath(entries, '/crm/sea', undefined)).toBe('/crm/sea')
    expect(highlightedPath(entries, '/crm/list/details', '/crm/list')).toBe('/crm/list')
    expect(highlightedPath(entries, '/crm/sea/somewhere', undefined)).toBe('/crm/sea')
    expect(highlightedPath(entries, '/crm/seaside', undefined)).toBeNull()
    expect(groupsAbove(menus[0]?.nodes ?? [], '/crm/list')).toEqual(['crm:group'])
  })
})

describe('the search over all entries', () => {
  it('finds parts of titles and trails in both languages, whatever the interface language', () => {
    expect(paths(searchEntries(entries, '公海', 'en'))).toEqual(['/crm/sea'])
    expect(paths(searchEntries(entries, 'OPEN', 'zh'))).toEqual(['/crm/sea'])
    expect(paths(searchEntries(entries, 'partners my', 'en'))).toEqual(['/crm/list'])
    expect(searchEntries(entries, 'nothing like it', 'en')).toEqual([])
    expect(searchEntries(entries, '  ', 'en')).toEqual(entries)
  })

  it('puts titles that start with the text first', () => {
    expect(paths(searchEntries(entries, 'supplier page 1', 'en'))[0]).toBe('/srm/many/p1')
    expect(searchEntries(entries, 'my', 'en')[0]?.path).toBe('/crm/list')
  })
})

// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { deviceOf, menuWidth } from '../../../../src/shell/layout/device'
import { LayoutStore } from '../../../../src/shell/layout/layoutStore'
import { initialOf } from '../../../../src/shell/layout/UserMenu'

beforeEach(() => localStorage.clear())

describe('device modes', () => {
  it('1080 or more is PC (R201), above 768 is IPAD (R202), 768 or less is Mobile (R203, R406)', () => {
    expect([1920, 1080, 1079, 769, 768, 320].map(deviceOf)).toEqual(['PC', 'PC', 'IPAD', 'IPAD', 'Mobile', 'Mobile'])
  })

  it('the menu is 221, 65 or 0 px wide (R073, R074, R075)', () => {
    expect(menuWidth('PC', false)).toBe(221)
    expect(menuWidth('PC', true)).toBe(65)
    expect(menuWidth('IPAD', true)).toBe(65)
    expect(menuWidth('Mobile', false)).toBe(0)
  })

  it('the menu starts expanded on a PC (R201) and collapsed on the others (R202, R203); the mode is stored (R204)', () => {
    for (const [width, device, collapsed] of [
      [1440, 'PC', false],
      [900, 'IPAD', true],
      [375, 'Mobile', true],
    ] as const) {
      expect(new LayoutStore({ width, height: 800 }, localStorage)).toMatchObject({ device, collapsed })
      expect(localStorage.getItem('switchboard.device')).toBe(device)
    }
  })

  it('remembers for each mode whether the menu was collapsed (R072), and which groups were open', () => {
    const store = new LayoutStore({ width: 1440, height: 800 }, localStorage)
    store.toggleMenu()
    store.setOpenKeys('crm', ['crm:group'])
    store.resize({ width: 900, height: 600 })
    store.toggleMenu()
    expect(store.collapsed).toBe(false)
    const again = new LayoutStore({ width: 1440, height: 800 }, localStorage)
    expect(again.collapsed).toBe(true)
    expect(again.openKeys('crm')).toEqual(['crm:group'])
    again.resize({ width: 900, height: 600 })
    expect(again.collapsed).toBe(false)
  })

  it('holds loading, collapsed, device, width and height (R170)', () => {
    const store = new LayoutStore({ width: 1440, height: 800 }, localStorage)
    expect(store).toMatchObject({ loading: true, collapsed: false, device: 'PC', width: 1440, height: 800 })
    store.setLoading(false)
    store.resize({ width: 1200, height: 700 })
    expect(store).toMatchObject({ loading: false, collapsed: false, device: 'PC', width: 1200, height: 700 })
  })

  it('on a phone the menu button opens the drawer and changes nothing else', () => {
    const store = new LayoutStore({ width: 375, height: 800 }, localStorage)
    store.toggleMenu()
    expect(store.drawerOpen).toBe(true)
    store.resize({ width: 1440, height: 600 })
    expect(store).toMatchObject({ drawerOpen: false, collapsed: false })
  })

  it('is not disturbed by garbage in the storage', () => {
    for (const text of ['x', 'null', '[]', '{"open":{"crm":1},"collapsed":{"PC":"yes"}}']) {
      localStorage.setItem('switchboard.menu', text)
      expect(new LayoutStore({ width: 1440, height: 800 }, localStorage)).toMatchObject({ collapsed: false })
    }
  })
})

it('the badge of a person without a picture is the first letter of the name (R081)', () => {
  expect(['王伟', ' anna', '𠮷田', ''].map(initialOf)).toEqual(['王', 'A', '𠮷', '?'])
})

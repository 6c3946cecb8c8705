import { expect, it } from 'vitest'
import { chatWidth, firstIconTop, iconTop, panelWidth } from '../../../../src/shell/assistant/placing'

it('the icon stays between the top and the height of the window less 52 (R089)', () => {
  expect([-80, 0, 300, 848, 2000].map((wanted) => iconTop(wanted, 900))).toEqual([0, 0, 300, 848, 848])
  expect([iconTop(10, 40), firstIconTop(100), firstIconTop(900)]).toEqual([0, 0, 680])
})

it('the conversation is 556 wide, 700 in full screen or with the history folded, and never wider than the window (R415)', () => {
  const state = { fullScreen: false, sidebarCollapsed: false, window: 1440, phone: false }
  const width = (change: Partial<typeof state>) => chatWidth({ ...state, ...change })
  expect([width({}), width({ fullScreen: true }), width({ sidebarCollapsed: true })]).toEqual([556, 700, 700])
  expect([width({ window: 700 }), width({ window: 640, sidebarCollapsed: true }), width({ window: 375, phone: true })]).toEqual([
    468, 640, 375,
  ])
  expect(panelWidth({ ...state, fullScreen: true })).toBe(1440)
  expect(panelWidth(state) - chatWidth(state)).toBeGreaterThan(150)
  expect(panelWidth({ ...state, sidebarCollapsed: true })).toBe(700)
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LayoutStore } from '../../../../src/shell/layout/layoutStore'
import { typeAhead } from '../../../../src/shell/layout/typeAhead'

let layout: LayoutStore
let end: () => void

const press = (key: string, on: EventTarget = document.body, more: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  on.dispatchEvent(event)
  return event
}

beforeEach(() => {
  localStorage.clear()
  document.body.innerHTML = '<input id="page"><div class="sb-search"><div id="panel"></div><input id="field"></div>'
  layout = new LayoutStore({ width: 1440, height: 800 }, localStorage)
  layout.setSearch(true)
  end = typeAhead(window, layout)
})
afterEach(() => end())

describe('typing while the search over the menu opens', () => {
  it('keeps every character, also those outside the basic plane, and takes the last one back', () => {
    for (const key of ['c', 'u', '客', '𠮷', 'Backspace', 's']) press(key)
    expect(layout.searchText).toBe('cu客s')
  })

  it('keeps from the page behind what is typed, and from the button that opened the search its Enter', () => {
    const page = document.getElementById('page')!
    expect(press('a', page).defaultPrevented).toBe(true)
    expect(press('Enter', page).defaultPrevented).toBe(true)
    expect(layout.searchText).toBe('a')
  })

  it('takes what is typed while the dialog has the focus, and leaves the field its own keys', () => {
    press('x', document.getElementById('panel')!)
    expect(press('y', document.getElementById('field')!).defaultPrevented).toBe(false)
    expect(layout.searchText).toBe('x')
  })

  it('leaves shortcuts, arrows and Escape alone', () => {
    for (const event of [press('k', document.body, { ctrlKey: true }), press('ArrowDown'), press('Escape')])
      expect(event.defaultPrevented).toBe(false)
    expect(layout.searchText).toBe('')
  })

  it('forgets the text when the search closes and no longer listens', () => {
    press('a')
    end()
    layout.setSearch(false)
    press('b')
    expect(layout.searchText).toBe('')
  })
})

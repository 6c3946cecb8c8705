// @vitest-environment jsdom
import { act, createRef, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { DesignSession } from '../../../../src/widgets/page-designer/document/session'
import { DesignContext, SurroundingsContext, type Design } from '../../../../src/widgets/page-designer/editor/design'
import { useSettled } from '../../../../src/widgets/page-designer/editor/useSettled'
import { useUndoKeys } from '../../../../src/widgets/page-designer/editor/useUndoKeys'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language } from '../../../../src/widgets/page-designer/language/meta'
import { Control } from '../../../../src/widgets/page-designer/panel/Control'
import { fakeHost } from '../../../support/fakeHost'

let root: Root
let place: HTMLElement
const draw = (node: ReactNode): void =>
  act(() => root.render(<HostProvider value={fakeHost({ locale: 'en' })}>{node}</HostProvider>))

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a name that something else gives', () => {
  const page = { kind: 'list', columns: [] }
  const language = new Language('page', page)
  const design: Design = {
    document: page,
    language,
    labels: new Labels(page, {}, 'en'),
    entities: [],
    dictionaries: {},
    dictionaryNames: [{ name: 'contactRole', label: { zh: '联系人角色', en: 'Role of a contact' } }],
    permissions: ['crm:customer:edit'],
    base: null,
    edit: () => undefined,
    change: () => undefined,
  }
  /** What is offered after that was typed. */
  const offered = (name: string, typed: string): string[] => {
    draw(
      <SurroundingsContext value={design}>
        <DesignContext value={design}>
          <Control
            at={name}
            name={name}
            word={name === 'permission' ? { type: 'string', def: 'Permission' } : { type: 'string' }}
            value={undefined}
            onChange={() => undefined}
          />
        </DesignContext>
      </SurroundingsContext>,
    )
    const input = place.querySelector('input')
    if (!input) throw new Error('There is nothing to type into.')
    act(() => {
      input.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, typed)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    return [...document.querySelectorAll('.ant-select-item-option')].map((option) => option.textContent ?? '')
  }

  it('is a dictionary that exists, found by its name; no other can be typed', () => {
    expect(offered('x-dictionary', 'role of')).toEqual(['Role of a contact · contactRole'])
    expect(offered('x-dictionary', 'none.such')).toEqual([])
  })

  it('is a permission key that is held, or one that is typed', () => {
    expect(offered('permission', 'customer')).toEqual(['crm:customer:edit', 'customer'])
  })
})

describe('undo by keyboard', () => {
  it('works wherever the focus was lost, not in dialogs above the page and not while it is hidden', () => {
    const done: string[] = []
    const session = { undo: () => done.push('undo'), redo: () => done.push('redo') } as unknown as DesignSession
    const ref = createRef<HTMLDivElement>()
    const Page = () => {
      useUndoKeys(ref, session, true)
      return <div ref={ref} />
    }
    draw(<Page />)
    const shown = { now: true }
    Object.assign(ref.current ?? {}, { checkVisibility: () => shown.now })
    const press = (target: Element, init: KeyboardEventInit): void => {
      target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ctrlKey: true, ...init }))
    }
    press(document.body, { key: 'z' })
    press(ref.current ?? document.body, { key: 'Z', shiftKey: true })
    const dialog = document.body.appendChild(document.createElement('div'))
    press(dialog, { key: 'z' })
    dialog.remove()
    press(document.body, { key: 'z', ctrlKey: false })
    shown.now = false
    press(document.body, { key: 'z' })
    expect(done).toEqual(['undo', 'redo'])
  })
})

describe('what need not follow each key', () => {
  it('follows after a rest, at once where nothing is typed', () => {
    vi.useFakeTimers()
    const Settled = ({ value, typing }: { value: string; typing: boolean }) => <p>{useSettled(value, typing)}</p>
    draw(<Settled value="a" typing />)
    draw(<Settled value="ab" typing />)
    act(() => void vi.advanceTimersByTime(100))
    draw(<Settled value="abc" typing />)
    act(() => void vi.advanceTimersByTime(100))
    expect(place.textContent).toBe('a')
    act(() => void vi.advanceTimersByTime(100))
    expect(place.textContent).toBe('abc')
    draw(<Settled value="d" typing={false} />)
    expect(place.textContent).toBe('d')
  })
})

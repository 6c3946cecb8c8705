// @vitest-environment jsdom
import { act, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAYS, daysFrom, instantsOf, isUnread, TIMES, unreadReason, type Notation } from '../../../../src/runtime/picker/notation'
import { Picker, SpanPicker } from '../../../../src/runtime/picker/Picker'
import { offeredDays } from '../../../../src/runtime/picker/spoken'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})

const INSTANTS = instantsOf('Asia/Shanghai')
let given: unknown
/** Draws a picker; what it gives is kept in `given`. */
const show = (notation: Notation, start: unknown = null): void => {
  given = start
  const Kept = () => {
    const [value, setValue] = useState(start)
    const take = (next: unknown): void => {
      given = next
      setValue(next)
    }
    return Array.isArray(value) ? (
      <SpanPicker notation={notation} value={value} onChange={take} />
    ) : (
      <Picker notation={notation} value={value} onChange={take} showTime={notation === INSTANTS} />
    )
  }
  act(() => root.current.render(<Kept />))
}
const box = (at = 0): HTMLInputElement => document.querySelectorAll<HTMLInputElement>('.ant-picker input')[at]!
const type = (text: string, at = 0): void =>
  act(() => {
    box(at).focus()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box(at), text)
    box(at).dispatchEvent(new Event('input', { bubbles: true }))
  })
const press = (key: string, more: KeyboardEventInit = {}): void =>
  act(() => void box().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })))
const leave = (at = 0): void => act(() => box(at).blur())
/** The picker settles what it holds some frames after it was left. */
const settle = () => act(async () => new Promise((done) => setTimeout(done, 150)))

describe('a text that is no date, over a date that was there', () => {
  it('stays in the box as it was typed, can be typed on and taken away', async () => {
    show(DAYS, '2026-11-30')
    type('2026-13-45')
    leave()
    await settle()
    expect([given, box().value, box().getAttribute('aria-invalid')]).toEqual(['2026-13-45', '2026-13-45', 'true'])
    type('2026-12-02')
    press('Enter')
    await settle()
    expect([given, box().value]).toEqual(['2026-12-02', '2026-12-02'])
    type('soon')
    leave()
    await settle()
    type('')
    expect(box().value).toBe('')
    leave()
    await settle()
    expect([given, box().value]).toEqual([null, ''])
  })

  it('stays in its box of two', async () => {
    show(DAYS, ['2026-11-01', '2026-11-30'])
    type('31/31/2026', 1)
    leave(1)
    await settle()
    expect(given).toEqual(['2026-11-01', '31/31/2026'])
    expect([box(0).value, box(1).value]).toEqual(['2026-11-01', '31/31/2026'])
  })
})

describe('a date and time that is typed', () => {
  it.each([
    '2026-11-30 08:00',
    '2026-11-30 8:00',
    '2026/11/30 08:00:00',
    '2026年11月30日 8点',
    '20261130 08:00',
    '2026-11-30T08:00',
    '30 Nov 2026 8:00 AM',
    '２０２６-１１-３０ ０８：００',
  ])('as %s is taken over when the box is left', async (text) => {
    show(INSTANTS)
    type(text)
    leave()
    expect(given).toBe('2026-11-30T00:00:00.000Z')
    await settle()
    expect(given).toBe('2026-11-30T00:00:00.000Z')
    expect(box().value).toBe('2026-11-30 08:00')
  })

  it('is taken over by Enter, also with Ctrl, before the form hears of the key', () => {
    for (const more of [{}, { ctrlKey: true }]) {
      show(INSTANTS)
      type('2026/11/30 8:00')
      press('Enter', more)
      expect(given).toBe('2026-11-30T00:00:00.000Z')
      act(() => root.current.render(null))
    }
  })

  it('stands in the place of the value when it cannot be read, with a sentence that says so', async () => {
    show(INSTANTS, '2026-01-01T00:00:00.000Z')
    type('2026-13-45 08:00')
    leave()
    await settle()
    expect(given).toBe('2026-13-45 08:00')
    expect(isUnread(given, INSTANTS)).toBe(true)
    expect(unreadReason(given, 'dateTime', 'en')).toBe('"2026-13-45 08:00" is not a time: write it as 2025-03-01 14:30.')
    expect(box().getAttribute('aria-invalid')).toBe('true')
    expect(box().value).toBe('2026-13-45 08:00')
  })

  it('is not replaced by the part of it that the picker understands', async () => {
    show(INSTANTS)
    type('2026-11-30 08:00')
    type('2026-11-30 08:00 or later')
    leave()
    await settle()
    expect(given).toBe('2026-11-30 08:00 or later')
  })

  it('empties the box when it is deleted', async () => {
    show(INSTANTS, '2026-01-01T00:00:00.000Z')
    type('')
    leave()
    await settle()
    expect(given).toBeNull()
  })

  it('stays untouched by a visit with Tab', async () => {
    show(INSTANTS, '2026-01-01T00:00:30.000Z')
    act(() => box().focus())
    leave()
    await settle()
    expect(given).toBe('2026-01-01T00:00:30.000Z')
  })
})

describe('a day and a time in the calendar', () => {
  it('count when the box is left without the button that confirms them', async () => {
    show(INSTANTS)
    act(() => box().focus())
    act(() => box().click())
    await settle()
    const cell = document.querySelector<HTMLElement>('.ant-picker-cell-in-view .ant-picker-cell-inner')
    act(() => cell?.click())
    leave()
    await settle()
    expect(given).toMatch(/^\d{4}-\d{2}-\d{2}T/)
  })
})

describe('other moments that are typed', () => {
  it('are taken over too: days, times of day and both ends of a span', async () => {
    show(DAYS)
    type('2026/3/1')
    leave()
    expect(given).toBe('2026-03-01')
    act(() => root.current.render(null))
    show(TIMES)
    type('0830')
    leave()
    expect(given).toBe('08:30')
    act(() => root.current.render(null))
    show(DAYS, [null, null])
    type('2026.3.1')
    leave()
    type('2026年4月2日', 1)
    leave(1)
    await settle()
    expect(given).toEqual(['2026-03-01', '2026-04-02'])
  })
})

describe('Escape', () => {
  it('closes the calendar first, and only then what is around it', async () => {
    const heard: string[] = []
    act(() =>
      root.current.render(
        <div onKeyDown={({ key }) => heard.push(key)}>
          <Picker notation={DAYS} value={null} />
        </div>,
      ),
    )
    act(() => box().focus())
    act(() => box().click())
    await settle()
    expect(document.querySelector('.ant-picker-dropdown')).not.toBeNull()
    press('Escape')
    expect(heard).toEqual([])
    await settle()
    press('Escape')
    expect(heard).toEqual(['Escape'])
  })
})

describe('a day as people say it', () => {
  // a Monday
  const TODAY = '2026-11-30'
  it.each([
    ['tomorrow', '2026-12-01'],
    ['In 3 days', '2026-12-03'],
    ['next Monday', '2026-12-07'],
    ['next sun', '2026-12-13'],
    ['monday', '2026-12-07'],
    ['Fri', '2026-12-04'],
    ['2 weeks ago', '2026-11-16'],
    ['+10', '2026-12-10'],
    ['end of month', '2026-11-30'],
    ['明天', '2026-12-01'],
    ['大后天', '2026-12-03'],
    ['三天后', '2026-12-03'],
    ['10天后', '2026-12-10'],
    ['两周后', '2026-12-14'],
    ['1个月后', '2026-12-30'],
    ['下周一', '2026-12-07'],
    ['周日', '2026-12-06'],
    ['下星期天', '2026-12-13'],
    ['月底', '2026-11-30'],
  ])('%s is %s, counted from a Monday', (said, day) => {
    expect(daysFrom(() => TODAY).read(said)).toBe(day)
  })

  it('is none where it is not sure', () => {
    for (const text of ['soon', 'in x days', 'mo', '下周', '天后', '+', 'next', '二十天后'])
      expect([text, daysFrom(() => TODAY).read(text)]).toEqual([text, undefined])
  })

  it('has its hour, or nine in the morning', () => {
    const { read } = instantsOf('Asia/Shanghai', () => TODAY)
    expect([read('明天 14:30'), read('tomorrow')]).toEqual(['2026-12-01T06:30:00.000Z', '2026-12-01T01:00:00.000Z'])
  })

  it('is offered by name where it may be chosen', () => {
    expect(offeredDays(TODAY, 'en', { max: '2026-12-02' })).toEqual([
      { label: 'Tomorrow', day: '2026-12-01' },
      { label: 'End of month', day: '2026-11-30' },
    ])
    expect(offeredDays(TODAY, 'zh').map(({ label }) => label)).toContain('下周一')
  })
})

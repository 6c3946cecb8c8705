// @vitest-environment jsdom
import { act, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bestRank, rankOf } from '../../../../src/runtime/choice/rank'
import { RemoteSelect, SearchSelect } from '../../../../src/runtime/choice/SearchSelect'
import { RequestError } from '../../../../src/headless/host'
import Select from '../../../../src/runtime/form/controls/select'
import { RecordSelect } from '../../../../src/runtime/list/RecordSelect'
import { listTexts } from '../../../../src/headless/list/texts'
import { fakeHost } from '../../../support/fakeHost'
import { filter } from '../../../support/models'
import { rootOfEachTest } from '../../../support/reactRoot'

vi.mock('../../../../src/runtime/form/view/session', () => ({ useText: () => (key: string) => key }))

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})
const settle = (time = 50) => act(async () => new Promise((done) => setTimeout(done, time)))
const box = (): HTMLInputElement => document.querySelector<HTMLInputElement>('input[role="combobox"], .ant-select input')!
const type = async (text: string): Promise<void> => {
  act(() => {
    box().focus()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box(), text)
    box().dispatchEvent(new Event('input', { bubbles: true }))
  })
  await settle()
}
/** Answers whether the list took the key for itself. */
const press = (key: string, keyCode: number): boolean => {
  let taken = false
  act(() => {
    const init = { key, bubbles: true, cancelable: true } as KeyboardEventInit
    const event = new KeyboardEvent('keydown', init)
    Object.defineProperties(event, { which: { value: keyCode }, keyCode: { value: keyCode } })
    taken = !box().dispatchEvent(event)
    box().dispatchEvent(new KeyboardEvent('keyup', init))
  })
  return taken
}
const enter = (): void => void press('Enter', 13)

const STATES = [
  { value: 'r', label: 'Reopened' },
  { value: 'open-late', label: 'Open late' },
  { value: 'o', label: 'Open' },
  { value: 'c', label: 'Closed' },
]

describe('what was typed', () => {
  it('is answered by the text itself, then by its beginning, by a word in it and by its middle', () => {
    const texts = ['Reopened', 'Not open', 'Open late', 'Open']
    expect(texts.map((text) => rankOf(text, ' open '))).toEqual([3, 2, 1, 0])
    expect(rankOf('Closed', 'open')).toBeNull()
    expect(bestRank(['中国', 'CN', 'China'], 'cn')).toBe(4)
  })
})

let chosen: unknown
const show = <Value,>(start: Value, mode?: 'multiple'): void => {
  chosen = start
  const Kept = () => {
    const [value, setValue] = useState(start)
    return (
      <SearchSelect<Value>
        virtual={false}
        mode={mode}
        value={value}
        options={STATES}
        onChange={(next) => {
          chosen = next
          setValue(next)
        }}
      />
    )
  }
  act(() => root.current.render(<Kept />))
}

describe('a list to choose several from', () => {
  it('takes the best match with Tab, and lets the keyboard go with the next one', async () => {
    show<readonly string[]>([], 'multiple')
    await type('clo')
    expect(press('Tab', 9)).toBe(true)
    await settle()
    expect(chosen).toEqual(['c'])
    expect(box().value).toBe('')
    expect(press('Tab', 9)).toBe(false)
    await settle()
    expect(chosen).toEqual(['c'])
  })
})

describe('a list to choose from', () => {
  it.each([
    ['open', 'o'],
    ['open l', 'open-late'],
    ['reo', 'r'],
  ])('gives Enter the best match of %s', async (typed, value) => {
    show<string | null>(null)
    await type(typed)
    enter()
    expect(chosen).toBe(value)
  })

  it('gives it also where another value is chosen, or one whose code begins with what is typed', async () => {
    show<string | null>('r')
    await type('open')
    enter()
    expect(chosen).toBe('o')
  })

  it('gives Enter nothing where nothing matches', async () => {
    show<string | null>('c')
    await type('xyz')
    enter()
    await settle()
    expect(chosen).toBe('c')
  })

  it('is searched also where it is short: a field of few values takes what was typed', async () => {
    const given: unknown[] = []
    const props = { id: 's', value: null, onChange: (next: unknown) => given.push(next), disabled: false, readOnly: false }
    act(() =>
      root.current.render(
        <Select
          {...props}
          choices={STATES}
          props={{}}
          node={{ type: 'string' }}
          path="s"
          placeholder={undefined}
          describedBy={undefined}
        />,
      ),
    )
    await type('clo')
    enter()
    expect(given).toEqual(['c'])
  })
})

describe('records that are searched elsewhere', () => {
  it('are not chosen before the answer to what was typed is there', async () => {
    const given: unknown[] = []
    let answer: (found: { id: string; title: string }[]) => void = () => undefined
    const host = fakeHost({
      answer: ({ body }) => {
        const { keyword } = body as { keyword: string }
        if (keyword === '') return [{ id: '1', title: 'Aurora' }]
        return new Promise((done) => (answer = done))
      },
    })
    const model = filter('customer', 'ref', { operator: 'eq' }, { ref: { entity: 'c', path: '/c', label: 'C', where: () => [] } })
    act(() =>
      root.current.render(
        <RecordSelect
          filter={model}
          draft={{ operator: 'eq', value: null }}
          host={host}
          texts={listTexts.en}
          titles={{}}
          onTitles={() => undefined}
          onChange={(next) => given.push(next)}
        />,
      ),
    )
    await settle()
    await type('bor')
    await settle(400)
    enter()
    expect(given).toEqual([])
    await act(async () =>
      answer([
        { id: '3', title: 'Harbor' },
        { id: '2', title: 'Boreal' },
      ]),
    )
    await type('bore')
    await settle(400)
    await act(async () =>
      answer([
        { id: '3', title: 'Harbor' },
        { id: '2', title: 'Boreal' },
      ]),
    )
    await settle()
    enter()
    expect(given).toEqual(['2'])
  })

  it('say why there are none, and ask anew where a record was made meanwhile', async () => {
    let fails = true
    const host = fakeHost({
      answer: () => {
        if (fails) throw new RequestError('business', 'Not today', 10010003)
        return []
      },
    })
    const show = (version: number) =>
      act(() =>
        root.current.render(
          <RemoteSelect
            host={host}
            path="/c"
            key={version}
            value={['7']}
            titleOf={() => 'Seven'}
            onChange={() => undefined}
            opened
          />,
        ),
      )
    show(0)
    await settle()
    expect(document.querySelector('.ant-select-content, .ant-select-selection-item')?.textContent).toContain('Seven')
    await type('x')
    await settle(400)
    expect(document.body.textContent).toContain('The search failed: Not today')
    fails = false
    show(1)
    await type('x')
    await settle(400)
    expect(document.body.textContent).toContain('Nothing found for "x"')
  })
})

// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { act, createRef, useState, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { compileExpression } from '../../../../src/schema/expression'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { PageField, FilterOperator } from '../../../../src/schema/model'
import type { JsonObject } from '../../../../src/schema/overlay'
import type { Locale } from '../../../../src/schema/problem'
import { valueAt } from '../../../../src/widgets/page-designer/document/address'
import type { DesignSession } from '../../../../src/widgets/page-designer/document/session'
import { DesignContext, SurroundingsContext, type Design } from '../../../../src/widgets/page-designer/editor/design'
import { useSettled } from '../../../../src/widgets/page-designer/editor/useSettled'
import { useUndoKeys } from '../../../../src/widgets/page-designer/editor/useUndoKeys'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { wholeSchema } from '../../../support/schemas'
import { Language } from '../../../../src/widgets/page-designer/language/meta'
import { relativeValues } from '../../../../src/widgets/page-designer/language/values'
import type { TargetKind } from '../../../../src/widgets/page-designer/types'
import { Control } from '../../../../src/widgets/page-designer/panel/Control'
import { fakeHost } from '../../../support/fakeHost'

let root: Root
let element: HTMLElement
const draw = (node: ReactNode): void =>
  act(() => root.render(<HostProvider value={fakeHost({ locale: 'en' })}>{node}</HostProvider>))

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  element = document.body.appendChild(document.createElement('div'))
  root = createRoot(element)
})
afterEach(() => {
  act(() => root.unmount())
  element.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('an expression', () => {
  it('has the functions that it can call below it: one is found by what it does, and written by a click', async () => {
    const change = vi.fn()
    const page = { kind: 'list', columns: [] }
    const design = { document: page, language: new Language('page', page), labels: new Labels(page, {}, 'en') }
    draw(
      <SurroundingsContext value={design as unknown as Design}>
        <DesignContext value={design as unknown as Design}>
          <Control at="/x" name="x" word={{ type: 'string', def: 'Expression' }} value="{{ $values.total }}" onChange={change} />
        </DesignContext>
      </SurroundingsContext>,
    )
    const details = element.querySelector('details')!
    expect(details.textContent).toBe('Functions to use')
    await act(async () => {
      details.open = true
      details.dispatchEvent(new Event('toggle'))
      await import('../../../../src/widgets/page-designer/panel/FunctionList')
    })
    const search = details.querySelector('input')!
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'cheques')
      search.dispatchEvent(new Event('input', { bubbles: true }))
    })
    const found = [...details.querySelectorAll('button')]
    expect(found.map(({ textContent }) => textContent)).toEqual(['capitals(amount)'])
    act(() => found[0]!.click())
    expect(change).toHaveBeenCalledWith('{{ capitals($values.total) }}')
  })
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
    const input = element.querySelector('input')
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

describe('a value of a field', () => {
  const read = <T,>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
  const customer = wholeSchema<EntityDocument>('crm/entities/customer.json')
  const entities = { 'crm.customer': customer }
  const dictionaries = { customerLevel: read<DictionaryDocument>('schemas/dictionaries/customerLevel.json') }
  const asked: unknown[] = []
  const host = fakeHost({
    locale: 'en',
    answer: ({ body }) => {
      asked.push(body)
      return [{ id: 's7', title: 'Haoran Wang' }]
    },
  })
  let given: unknown[] = []
  /** Draws the control of a value in a document; `given` follows what it is set to. */
  const show = (document: JsonObject, at: string, kind: TargetKind = 'page', locale: Locale = 'en'): void => {
    given = []
    const language = new Language(kind, document)
    const labels = new Labels(document, entities, locale)
    const design: Design = {
      document,
      language,
      labels,
      entities: [],
      dictionaries,
      dictionaryNames: [],
      permissions: [],
      base: null,
      edit: () => undefined,
      change: () => undefined,
    }
    const word = language.at(at) ?? {}
    const name = at.slice(at.lastIndexOf('/') + 1)
    const Own = () => {
      const [value, setValue] = useState(() => valueAt(document, at))
      const change = (next: unknown): void => {
        given.push(next)
        setValue(next)
      }
      return <Control at={at} name={name} word={word} value={value} onChange={change} />
    }
    act(() =>
      root.render(
        <HostProvider value={{ ...host, locale }}>
          <SurroundingsContext value={design}>
            <DesignContext value={design}>
              <Own key={at + JSON.stringify(document)} />
            </DesignContext>
          </SurroundingsContext>
        </HostProvider>,
      ),
    )
  }
  const list = (filter: JsonObject): JsonObject => ({ kind: 'list', entity: 'crm.customer', filters: [filter] })
  const labelled = (): string[] => [...element.querySelectorAll('fieldset label')].map((label) => label.textContent ?? '')
  const check = (label: string): void => {
    const found = [...element.querySelectorAll('fieldset label')].find(({ textContent }) => textContent === label)
    act(() => found?.querySelector('input')?.click())
  }
  /** How it is given, and what else that could be. */
  const waysOf = (): string[] => {
    const select = element.querySelector('.ant-select-selector') ?? element
    act(() => void select.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })))
    return [...document.querySelectorAll('.ant-select-item-option')].map((option) => option.textContent ?? '')
  }
  const take = (way: string): void => {
    waysOf()
    const option = [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')].find(
      ({ textContent }) => textContent === way,
    )
    act(() => option?.click())
  }

  it('of a dictionary is chosen by its names, in the language of the admin', () => {
    show(list({ field: 'level', operator: 'in' }), 'filters/level/default')
    const names = dictionaries.customerLevel.items.map(({ label }) => label.en)
    expect(labelled()).toEqual(names)
    check(names[1] ?? '')
    check(names[0] ?? '')
    const codes = dictionaries.customerLevel.items.map(({ code }) => code)
    expect(given).toEqual([[codes[1]], [codes[1], codes[0]]])
    show(list({ field: 'level' }), 'filters/level/default', 'page', 'zh')
    expect(labelled()).toEqual(dictionaries.customerLevel.items.map(({ label }) => label.zh))
  })

  it('of a condition is chosen the same way, one where one is compared', () => {
    const view = { id: 'best', title: { zh: '优', en: 'Best' }, where: [{ field: 'level', operator: 'eq', value: 'B' }] }
    show({ kind: 'list', entity: 'crm.customer', views: [view] }, 'views/best/where/0/value')
    expect([...element.querySelectorAll<HTMLInputElement>('fieldset input')].map(({ type }) => type)).toContain('radio')
    check(dictionaries.customerLevel.items[0]?.label.en ?? '')
    expect(given).toEqual([dictionaries.customerLevel.items[0]?.code])
  })

  it('of yes and no, and of a field in a form, has its own control as well', () => {
    const flag = Object.entries(customer.properties).find(([, field]) => field.type === 'boolean')?.[0] ?? ''
    show(list({ field: flag, operator: 'eq' }), `filters/${flag}/default`)
    expect(labelled()).toEqual(['Yes', 'No'])
    check('No')
    expect(given).toEqual([false])
    const form = { kind: 'form', entity: 'crm.customer', schema: { properties: { level: { $field: 'crm.customer.level' } } } }
    show(form, 'schema/properties/level/default')
    check(dictionaries.customerLevel.items[0]?.label.en ?? '')
    expect(given).toEqual([dictionaries.customerLevel.items[0]?.code])
    show(customer as unknown as JsonObject, 'properties/level/x-backfill', 'entity')
    check(dictionaries.customerLevel.items[0]?.label.en ?? '')
    expect(given).toEqual([dictionaries.customerLevel.items[0]?.code])
  })

  it('of a day follows the day on which somebody looks, or is fixed', () => {
    show(list({ field: 'createdAt', operator: 'between' }), 'filters/createdAt/default')
    expect(waysOf()).toEqual([
      'A fixed value',
      'Today',
      'Last 7 days',
      'Last 30 days',
      'This month',
      'Last month',
      'An expression',
    ])
    take('Last 7 days')
    take('A fixed value')
    expect(given).toEqual([['{{ addDays(today, -6) }}', '{{ today }}'], undefined])
    expect(element.querySelectorAll('.ant-picker input')).toHaveLength(2)
  })

  it('of a person is whoever looks, or somebody by name', async () => {
    show(list({ field: 'ownerId', operator: 'in', default: ['s7'] }), 'filters/ownerId/default')
    await act(() => new Promise((done) => setTimeout(done, 20)))
    expect(asked).toContainEqual({ ids: ['s7'] })
    expect(element.textContent).toContain('Haoran Wang')
    expect(element.textContent).not.toContain('s7')
    take('Whoever looks')
    expect(given).toEqual([['{{ user.staffId }}']])
  })

  it('that no control can show stays an expression, and one of an unknown field is typed', () => {
    const type = (text: string): void => {
      const box = element.querySelector('textarea')
      if (!box) throw new Error('There is nothing to type into.')
      act(() => {
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, text)
        box.dispatchEvent(new Event('input', { bubbles: true }))
      })
    }
    show(list({ field: 'level', default: '{{ query.level }}' }), 'filters/level/default')
    expect(element.querySelector('textarea')?.value).toBe('{{ query.level }}')
    expect(labelled()).toEqual([])
    show(list({ field: 'nobody' }), 'filters/nobody/default')
    type('7')
    expect(given).toEqual([7])
    show(list({ field: 'name', operator: 'contains' }), 'filters/name/default')
    type('7')
    expect(given).toEqual(['7'])
    show(list({ field: 'name', operator: 'empty' }), 'filters/name/default')
    expect(element.textContent).toContain('needs no value')
  })
})

describe('the values that follow who looks and when', () => {
  it('are expressions that the language takes, and mean those days', () => {
    const roots = { today: '2026-03-10', user: { staffId: 's1' } }
    const run = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(run) : compileExpression(String(value))(roots, { locale: 'en', timeZone: 'Asia/Shanghai' })
    const mean = (operator: FilterOperator) =>
      Object.fromEntries(
        relativeValues({ field: { kind: 'date' } as PageField, operator }).map(([name, value]) => [name, run(value)]),
      )
    expect(mean('between')).toEqual({
      today: ['2026-03-10', '2026-03-10'],
      week: ['2026-03-04', '2026-03-10'],
      month: ['2026-02-09', '2026-03-10'],
      thisMonth: ['2026-03-01', '2026-03-31'],
      lastMonth: ['2026-02-01', '2026-02-28'],
    })
    expect(mean('gte')).toEqual({
      today: '2026-03-10',
      weekAgo: '2026-03-04',
      monthAgo: '2026-02-09',
      thisMonth: '2026-03-01',
      lastMonth: '2026-02-01',
    })
    expect(mean('lte')).toEqual({ today: '2026-03-10', inWeek: '2026-03-16', thisMonth: '2026-03-31', lastMonth: '2026-02-28' })
    expect(mean('eq')).toEqual({ today: '2026-03-10', yesterday: '2026-03-09' })
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
    expect(element.textContent).toBe('a')
    act(() => void vi.advanceTimersByTime(100))
    expect(element.textContent).toBe('abc')
    draw(<Settled value="d" typing={false} />)
    expect(element.textContent).toBe('d')
  })
})

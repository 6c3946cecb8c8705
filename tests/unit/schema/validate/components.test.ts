import { describe, expect, it } from 'vitest'
import { COMPONENTS } from '../../../../src/runtime/form/formily/components'
import { CONTROLS } from '../../../../src/schema/controls'
import type { FormNode } from '../../../../src/schema/generated/page'
import { pageAs, problemsOf } from './world'

/** What is wrong with the components of a form: where, and why in English. */
const faultsOf = (properties: Readonly<Record<string, unknown>>): [at: string, why: string][] =>
  problemsOf([
    pageAs({
      formatVersion: 3,
      kind: 'form',
      path: '/demo/made',
      title: { zh: '表单', en: 'Form' },
      permission: 'demo:items',
      submit: { call: 'POST /v2/demo/item/save' },
      schema: { type: 'object', properties } as FormNode,
    }),
  ]).flatMap(({ code, at, message }) => (code === 'unknown-control' ? [[at, message.en]] : []))

const text = { type: 'string', 'x-component': 'Input' }
const plain = (component: string, properties?: object) => ({
  type: 'void',
  'x-component': component,
  ...(properties ? { properties } : {}),
})

describe('a component that would be drawn nowhere is refused at its place', () => {
  it('a field right in tabs, steps or folds', () => {
    expect(faultsOf({ tabs: plain('FormTab', { name: text }) })).toEqual([
      ['/schema/properties/tabs/properties/name', '"Input" cannot stand here. "FormTab" consists of "FormTab.TabPane" only.'],
    ])
    expect(faultsOf({ steps: plain('FormStep', { one: plain('FormStep.StepPane', { name: text }) }) })).toEqual([])
  })

  it('a tab outside of tabs, a column outside of its table', () => {
    expect(faultsOf({ tab: plain('FormTab.TabPane', { name: text }) })).toEqual([
      ['/schema/properties/tab/x-component', '"FormTab.TabPane" cannot stand here. It stands right inside a "FormTab" only.'],
    ])
    expect(faultsOf({ column: { ...text, 'x-component': 'SelectTable.Column' } })).toHaveLength(1)
  })

  it('parts of rows outside of rows', () => {
    const rows = (parts: object, below: object = {}) => ({
      type: 'array',
      'x-component': 'ArrayCards',
      items: { type: 'object', properties: { name: text, ...parts } },
      properties: below,
    })
    const [remove, addition] = [plain('ArrayCards.Remove'), plain('ArrayCards.Addition')]
    expect(faultsOf({ rows: rows({ remove }, { addition }) })).toEqual([])
    expect(faultsOf({ rows: rows({}, { remove }) }).map(([at]) => at)).toEqual([
      '/schema/properties/rows/properties/remove/x-component',
    ])
    expect(faultsOf({ addition }).map(([at]) => at)).toEqual(['/schema/properties/addition/x-component'])
  })

  it('a list without rows, also one without a value', () => {
    expect(faultsOf({ rows: plain('ArrayTable') })).toEqual([
      [
        '/schema/properties/rows/x-component',
        '"ArrayTable" cannot stand here. It needs the type array and items with properties.',
      ],
    ])
  })

  it('what would wrap a field and is no component', () => {
    expect(faultsOf({ name: { ...text, 'x-decorator': 'FormItm' } })).toEqual([
      [
        '/schema/properties/name/x-decorator',
        '"FormItm" cannot stand here. There is no such component to wrap a field; "FormItem" is the usual one.',
      ],
    ])
    expect(faultsOf({ name: { ...text, 'x-decorator': 'Editable' } })).toEqual([])
  })
})

it('a function, with braces or without, is refused with what says the same without code', () => {
  const said = (name: object): string | undefined =>
    problemsOf([
      pageAs({
        formatVersion: 3,
        kind: 'form',
        path: '/demo/made',
        title: { zh: '表单', en: 'Form' },
        permission: 'demo:items',
        submit: { call: 'POST /v2/demo/item/save' },
        schema: { type: 'object', properties: { name: { ...text, ...name } } } as FormNode,
      }),
    ]).find(({ code }) => code === 'forbidden-code')?.message.en
  expect(said({ 'x-reactions': ['{{ (field) => { field.value = 1 } }}'] })).toContain('"fulfill": { "state"')
  expect(said({ 'x-reactions': 'function (field) { field.value = 1 }' })).toContain('"fulfill": { "state"')
  expect(said({ 'x-validator': [{ validator: '(value) => value > 1' }] })).toContain('{ "maximum": 100 }')
  expect(said({ 'x-component-props': { onChange: '{{ (value) => value }}' } })).toContain('x-reactions')
  expect(said({ 'x-component-props': { dataSource: 'async () => []' } })).toContain('x-options')
  expect(said({ 'x-value': '{{ () => 1 }}' })).toContain('Write the value itself')
  expect(said({ 'x-content': 'function follows form (they say) => so be it' })).toBeUndefined()
})

/** Drawn by the portal itself, or laid out by what they are part of. */
const OWN = ['Group', 'Note', 'Upload', 'Upload.Dragger', 'FormTab.TabPane', 'FormStep.StepPane', 'FormCollapse.CollapsePanel']

it('every component that a form may name is there to be drawn', () => {
  const found = (name: string): unknown =>
    name
      .split('.')
      .reduce<unknown>((part, step) => (part as Readonly<Record<string, unknown>> | undefined)?.[step], COMPONENTS as unknown)
  const names = [...CONTROLS].filter((name) => /^[A-Z]/.test(name) && !OWN.includes(name))
  expect(names.filter((name) => found(name) === undefined)).toEqual([])
})

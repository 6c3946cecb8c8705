import { expect, test } from 'vitest'
import { planForm } from '../../../../src/headless/form/plan'
import { part } from '../../../../src/headless/form/part'
import { firstScreen } from '../../../../src/runtime/form/view/Layout'
import { object } from './support'

test("Formily's own component names become our controls", () => {
  const plan = planForm(
    object({
      a: { type: 'string', 'x-component': 'Input' },
      b: { type: 'number', 'x-component': 'NumberPicker' },
      c: { type: 'string', 'x-component': 'DatePicker', 'x-component-props': { showTime: true } },
      d: { type: 'array', 'x-component': 'Select', 'x-component-props': { mode: 'multiple' } },
      e: { type: 'string', enum: [{ label: 'A', value: 'a' }] },
      f: { type: 'boolean' },
    }),
  )
  expect(plan.items.map(({ control }) => control)).toEqual(['text', 'number', 'dateTime', 'selectMany', 'select', 'switch'])
})

test('nodes that only arrange leave no group; x-index orders', () => {
  const plan = planForm(
    object({
      grid: {
        type: 'void',
        'x-component': 'FormLayout',
        properties: { second: { type: 'string', 'x-index': 2 }, first: { type: 'string', 'x-index': 1 } },
      },
    }),
  )
  expect(plan.blocks.map((block) => block.address)).toEqual(['grid.first', 'grid.second'])
})

test('what Formily draws is one block; its fields are checked and named like others; its panes are laid out again', () => {
  const pane = (name: string) => ({
    type: 'void' as const,
    'x-component': 'FormTab.TabPane',
    properties: { [name]: { type: 'string' as const, 'x-component': 'Input' } },
  })
  const plan = planForm(
    object({
      name: { type: 'string', 'x-component': 'Input' },
      grid: { type: 'void', 'x-component': 'FormGrid', properties: { size: { type: 'number', 'x-component': 'NumberPicker' } } },
      tabs: { type: 'void', 'x-component': 'FormTab', properties: { first: pane('mail'), second: pane('phone') } },
      week: { type: 'string', 'x-component': 'DatePicker', 'x-component-props': { picker: 'week' } },
    }),
    part,
  )
  expect(plan.blocks.map(({ type, address }) => `${type} ${address}`)).toEqual([
    'item name',
    'formily grid',
    'formily tabs',
    'formily week',
  ])
  expect(plan.items.map(({ path }) => path)).toEqual(['name', 'size', 'mail', 'phone', 'week'])
  const tabs = plan.blocks.find((block) => block.type === 'formily' && block.name === 'tabs')
  expect(tabs?.type === 'formily' && [...tabs.panes.keys()]).toEqual(['tabs.first', 'tabs.second'])
})

test('columns of an array table are found inside its void columns', () => {
  const plan = planForm(
    object({
      rows: {
        type: 'array',
        'x-component': 'ArrayTable',
        items: object({
          column: {
            type: 'void',
            'x-component': 'ArrayTable.Column',
            'x-component-props': { title: 'Price', width: 90 },
            properties: { price: { type: 'number' } },
          },
        }),
      },
    }),
  )
  expect(plan.tables[0]?.columns.map(({ name, title, width }) => ({ name, title, width }))).toEqual([
    { name: 'price', title: 'Price', width: 90 },
  ])
  expect(plan.controls).toEqual(['number'])
})

test('the first screen is an estimate that skips what is hidden', () => {
  const plan = planForm(object(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, { type: 'string' as const }]))))
  const live = firstScreen(plan, 2, (address) => address !== 'f0', 860)
  expect(live.size).toBe(20)
  expect(live.has('f0')).toBe(false)
  expect(live.has('f20')).toBe(true)
})

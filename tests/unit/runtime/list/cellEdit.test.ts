import { expect, it } from 'vitest'
import { cellBeside, isChosen, isEditable } from '../../../../src/runtime/list/cellEdit/editable'
import { drawColumns } from '../../../../src/runtime/list/columns'
import { column } from '../../../support/models'

const columns = drawColumns(
  [column('name'), column('dueOn', 'date', { edit: true }), column('rate', 'percent', { edit: true })],
  0,
  0,
)
const rows = [
  { id: '1', $write: true },
  { id: '2', $write: false },
  { id: '3', $write: true, $refused: { edit: 'It is closed.' } },
  { id: '4', $write: true, $refused: { delete: 'Never.' } },
]
const keyOf = (row: Readonly<Record<string, unknown>>): string => String(row.id)

it('A cell is changed in a row that the viewer may change and whose state allows it, in a column that says so', () => {
  expect(rows.map((row) => columns.map((one) => isEditable(one, row)))).toEqual([
    [false, true, true],
    [false, false, false],
    [false, false, false],
    [false, true, true],
  ])
})

it('Tab goes to the next cell that can be changed, over the rows that cannot, and ends with the page', () => {
  const beside = (row: string, name: string, step: 1 | -1) => cellBeside(rows, columns, keyOf, { row, column: name }, step)
  expect(beside('1', 'dueOn', 1)).toEqual({ row: '1', column: 'rate' })
  expect(beside('1', 'rate', 1)).toEqual({ row: '4', column: 'dueOn' })
  expect(beside('4', 'dueOn', -1)).toEqual({ row: '1', column: 'rate' })
  expect(beside('4', 'rate', 1)).toBeUndefined()
  expect(beside('2', 'rate', 1)).toBeUndefined()
})

it('A choice is the whole input; what is written waits for Enter', () => {
  expect((['date', 'dictionary', 'ref', 'boolean'] as const).every(isChosen)).toBe(true)
  expect((['string', 'money', 'integer', 'email'] as const).some(isChosen)).toBe(false)
})

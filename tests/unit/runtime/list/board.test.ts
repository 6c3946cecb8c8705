import { expect, it } from 'vitest'
import { boardColumns, columnBody } from '../../../../src/headless/list/board'
import type { QueryBody } from '../../../../src/headless/list/request'
import type { BoardModel, QueryWhere } from '../../../../src/schema/model'
import { field } from '../../../support/models'

const board: BoardModel = {
  field: field('stage', 'dictionary'),
  columns: ['found', 'quoted', 'won', 'lost'].map((code) => ({ code, label: code })),
}
const left = (...where: QueryWhere[]): string[] => boardColumns(board, where).map(({ code }) => code)

it('a board has the columns that the conditions on its field leave, in the order of the dictionary', () => {
  expect(left()).toEqual(['found', 'quoted', 'won', 'lost'])
  expect(left({ field: 'stage', operator: 'in', value: ['won', 'found'] })).toEqual(['found', 'won'])
  expect(left({ field: 'stage', operator: 'notIn', value: ['won'] }, { field: 'stage', operator: 'ne', value: 'lost' })).toEqual([
    'found',
    'quoted',
  ])
  expect(left({ field: 'country', operator: 'eq', value: 'won' }, { field: 'stage', operator: 'notEmpty' })).toHaveLength(4)
  expect(
    left(
      { or: [{ field: 'stage', operator: 'eq', value: 'won' }] },
      { field: 'stage', operator: 'eq', value: '{{ $user.stage }}' },
    ),
  ).toHaveLength(4)
})

it('a column asks what the list asks, for its value; sums with its first cards only', () => {
  const whole: QueryBody = {
    pageNo: 1,
    pageSize: 50,
    where: [{ field: 'country', operator: 'eq', value: 'CN' }],
    summary: [{ field: 'amount', function: 'sum' }],
  }
  const first = columnBody(whole, board, 'won', '')
  expect(first).toEqual({
    pageSize: 50,
    cursor: '',
    where: [
      { field: 'country', operator: 'eq', value: 'CN' },
      { field: 'stage', operator: 'eq', value: 'won' },
    ],
    summary: whole.summary,
  })
  expect(columnBody(whole, board, 'won', 'next')).not.toHaveProperty('summary')
})

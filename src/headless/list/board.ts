import type { BoardModel, ListBodyModel, QueryWhere } from '../../schema/model'
import { isCondition } from '../../schema/where'
import type { ListQuery } from './query'
import { toQueryBody, type QueryBody, type RequestContext } from './request'

/** Cards of a column that are read at once. */
export const CARDS = 50

/** Columns that the conditions of the list, its tab and its filters leave: the others would always be empty. */
export function boardColumns(board: BoardModel, where: readonly QueryWhere[]): BoardModel['columns'] {
  const own = where.filter(isCondition).filter(({ field }) => field === board.field.name)
  return board.columns.filter(({ code }) =>
    own.every(({ operator, value }) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value]
      switch (operator) {
        case 'eq':
        case 'in':
          return values.includes(code)
        case 'ne':
        case 'notIn':
          return !values.includes(code)
        default:
          return true
      }
    }),
  )
}

/** What the whole list asks for, as its table would. Throws ExpressionError when a fixed condition cannot be evaluated. */
export const boardBody = (body: ListBodyModel, query: ListQuery, context: RequestContext): QueryBody =>
  toQueryBody(body, { ...query, page: 1 }, CARDS, context)

/** The cards of one column from a cursor on; '' is the beginning. */
export const columnBody = (whole: QueryBody, board: BoardModel, code: string, cursor: string): object => {
  const { pageNo: _pageNo, summary, where = [], ...rest } = whole
  return {
    ...rest,
    where: [...where, { field: board.field.name, operator: 'eq', value: code }],
    cursor,
    // sums are of the whole column: asked for once
    ...(summary && cursor === '' ? { summary } : {}),
  }
}

import type { BoardModel, ListBodyModel, QueryWhere } from '../../schema/model'
import { mayHave } from '../../schema/where'
import type { ListQuery } from './query'
import { toQueryBody, type QueryBody, type RequestContext } from './request'

/** Cards of a column that are read at once. */
export const CARDS = 50

/** Columns that the conditions of the list, its tab and its filters leave: the others would always be empty. */
export const boardColumns = ({ field, columns }: BoardModel, where: readonly QueryWhere[]): BoardModel['columns'] =>
  columns.filter(({ code }) => mayHave(where, field.name, code))

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

/** Whether there is more than one column to look at. */
export function makesBoard(body: ListBodyModel, query: ListQuery, context: RequestContext): boolean {
  if (!body.board) return false
  try {
    return boardColumns(body.board, boardBody(body, query, context).where ?? []).length > 1
  } catch {
    // a condition that cannot be worked out: the list says so itself
    return false
  }
}

import type { QueryWhere } from '../../schema/model'
import type { QueryBody } from './request'

/** The rows of a part of a list, which meet `further` as well, from a cursor on; '' is the beginning. Same rights, conditions and order. */
export const partBody = (whole: QueryBody, further: readonly QueryWhere[], cursor: string): object => {
  const { pageNo: _pageNo, summary: _summary, where = [], ...rest } = whole
  return { ...rest, where: [...where, ...further], cursor }
}

import type { QueryAnswer } from '../../src/runtime/list'
import type { QueryBody } from '../../src/headless/list/request'
import type { Row } from '../../src/headless/row'
import { leavesOf } from '../../src/schema/where'

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))

/** Answers queryPage over rows in memory: keyword, sort and paging like the gateway does it. */
export const queryRows = (rows: readonly Row[], body: QueryBody): QueryAnswer => {
  const keyword = body.keyword?.toLowerCase()
  let found = keyword
    ? rows.filter((row) => Object.values(row).some((value) => String(value).toLowerCase().includes(keyword)))
    : [...rows]
  for (const { field, operator, value } of leavesOf(body.where)) {
    if (operator === 'eq') found = found.filter((row) => row[field] === value)
    if (operator === 'in' && Array.isArray(value)) found = found.filter((row) => value.includes(row[field]))
  }
  const sort = body.sort?.[0]
  if (sort) found.sort((a, b) => compare(a[sort.field], b[sort.field]) * (sort.order === 'asc' ? 1 : -1))
  const start = (body.pageNo - 1) * body.pageSize
  const { counts } = body as { counts?: Readonly<Record<string, Partial<QueryBody>>> }
  const counted = Object.entries(counts ?? {}).map(([name, one]) => [
    name,
    queryRows(rows, { pageNo: 1, pageSize: 0, ...one }).total,
  ])
  return {
    ...{ records: found.slice(start, start + body.pageSize), total: found.length, refs: {} },
    ...(counts ? { counts: Object.fromEntries(counted) as Record<string, number> } : {}),
  }
}

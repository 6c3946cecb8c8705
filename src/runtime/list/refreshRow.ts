import type { Row } from '../../headless/row'
import type { QueryBody } from '../../headless/list/request'
import type { Store } from '../store'
import type { ListState, QueryAnswer } from './types'

interface Given {
  store: Store<ListState> & { set(change: Partial<ListState>): void }
  /** The query as it stands. */
  asked: QueryBody
  rowKey: string
  keyOf(row: Row): string
  send(payload: object): Promise<QueryAnswer>
}

/**
 * Reads one row anew where it stands, and the sums with it: nothing else of the list moves. False where the list shows it no more. Rejects with RequestError.
 */
export const refreshRow = async (key: string, { store, asked, rowKey, keyOf, send }: Given): Promise<boolean> => {
  const { summary, ...rest } = asked
  const where = [...(asked.where ?? []), { field: rowKey, operator: 'eq' as const, value: key }]
  const [one, sums] = await Promise.all([
    send({ ...rest, where, pageNo: 1, pageSize: 1 }),
    summary ? send({ ...asked, pageNo: 1, pageSize: 0 }) : undefined,
  ])
  const [row] = one.records
  if (!row) return false
  const { rows, refs } = store.getState()
  const titles = Object.entries(one.refs ?? {}).map(([entity, more]) => [entity, { ...refs[entity], ...more }] as const)
  store.set({
    rows: rows.map((former) => (keyOf(former) === key ? row : former)),
    refs: { ...refs, ...Object.fromEntries(titles) },
    ...(sums?.summary ? { summary: sums.summary } : {}),
  })
  return true
}

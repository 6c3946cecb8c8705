import type { ListBodyModel, ListViewModel, QuerySort } from '../../schema/model'
import type { ListQuery } from './query'

/** Columns that the gateway orders by at most. */
export const MOST_SORTS = 5

/** The order that the rows stand in: what the person asked for, else the tab's or the page's own. */
export const sortOf = (
  body: ListBodyModel,
  view: ListViewModel | undefined,
  query: Pick<ListQuery, 'sort'>,
): readonly QuerySort[] => (query.sort.length > 0 ? query.sort : (view?.sort ?? body.sort))

/** A click on a head: ascending, descending, the page's own order. It alone orders the rows. */
export const sortedBy = (asked: readonly QuerySort[], field: string): QuerySort[] => {
  const now = asked.length === 1 ? asked[0] : undefined
  if (now?.field !== field) return [{ field, order: 'asc' }]
  return now.order === 'asc' ? [{ field, order: 'desc' }] : []
}

/**
 * A click with Shift: the column orders what the columns before leave equal; then descending, then not at all. Undefined: there are as many
 * columns already as the gateway takes.
 */
export const sortedAlso = (shown: readonly QuerySort[], field: string): QuerySort[] | undefined => {
  const now = shown.find((entry) => entry.field === field)
  if (now?.order === 'desc') return shown.filter((entry) => entry !== now)
  if (now) return shown.map((entry) => (entry === now ? { field, order: 'desc' } : entry))
  return shown.length < MOST_SORTS ? [...shown, { field, order: 'asc' }] : undefined
}

import type {
  FilterModel,
  ListBodyModel,
  ListLayout,
  ListViewModel,
  QueryCondition,
  QuerySort,
  QueryWhere,
  Scope,
} from '../../schema/model'
import { isUnary, isVoid, type FilterValue, type ListQuery } from './query'
import { sortOf } from './sorting'

/** Body of `POST base/queryPage`. */
export interface QueryBody {
  pageNo: number
  pageSize: number
  keyword?: string
  view?: string
  where?: QueryWhere[]
  sort?: readonly QuerySort[]
  summary?: { field: string; function: string }[]
  expand?: string[]
}

/** A filter as conditions. A day goes as it is: compared with a moment it means that whole day of the company, which the gateway knows. */
export const toConditions = ({ path }: Pick<FilterModel, 'path'>, filter: FilterValue): QueryCondition[] => {
  if (isVoid(filter)) return []
  const { operator, value } = filter
  const name = path.join('.')
  if (isUnary(operator)) return [{ field: name, operator }]
  if (operator === 'between' && Array.isArray(value)) {
    const [low, high] = value as readonly unknown[]
    if (low === null || low === undefined || low === '') return [{ field: name, operator: 'lte', value: high }]
    if (high === null || high === undefined || high === '') return [{ field: name, operator: 'gte', value: low }]
  }
  return [{ field: name, operator, value }]
}

/** The view tab that a query shows: the named one, else the first; undefined when the list has no tabs. */
export const activeView = (body: ListBodyModel, query: ListQuery): ListViewModel | undefined =>
  body.views.find((view) => view.id === query.view) ?? body.views[0]

/** How the rows are seen: as the person chose, else as the tab or the page has it; as a table where the list has not what that takes. */
export const layoutOf = (body: ListBodyModel, view: ListViewModel | undefined, query: ListQuery): ListLayout => {
  const layout = query.layout ?? view?.layout ?? body.layout
  return layout === 'table' || body[layout] === undefined ? 'table' : layout
}

/** The list with the columns as its active tab shows them. */
export const inView = (body: ListBodyModel, view: ListViewModel | undefined): ListBodyModel => {
  const { show = [], hide = [] } = view ?? {}
  if (show.length + hide.length === 0) return body
  const columns = body.columns.map((column) => ({
    ...column,
    hidden: show.includes(column.id) ? false : hide.includes(column.id) || column.hidden,
  }))
  return { ...body, columns }
}

export interface RequestContext {
  scope: Scope
  /** Conditions of the place where the list stands, e.g. the record of a detail. */
  where?: readonly QueryWhere[]
}

/** Row view and fixed conditions of a tab, without what the user asked for. */
export const toViewBody = (
  body: ListBodyModel,
  view: ListViewModel | undefined,
  context: RequestContext,
): Pick<QueryBody, 'view' | 'where'> => {
  const name = view?.view ?? body.view
  const where = [...(context.where ?? []), ...body.where(context.scope), ...(view?.where(context.scope) ?? [])]
  return { ...(name ? { view: name } : {}), ...(where.length > 0 ? { where } : {}) }
}

/** What the rows of a tab are counted by: its own conditions and what the user asked for, as the tab would show them. */
export const toCountBody = (
  body: ListBodyModel,
  view: ListViewModel | undefined,
  query: ListQuery,
  context: RequestContext,
): Pick<QueryBody, 'keyword' | 'view' | 'where'> => {
  const fixed = toViewBody(body, view, context)
  const where = [...(fixed.where ?? []), ...askedConditions(body, query)]
  return {
    ...(query.keyword.trim() ? { keyword: query.keyword.trim() } : {}),
    ...fixed,
    ...(where.length > 0 ? { where } : {}),
  }
}

/** Filters of a query as conditions. */
const askedConditions = (body: ListBodyModel, query: ListQuery): QueryWhere[] => [
  ...body.filters.flatMap((filter): QueryWhere[] => {
    const value = query.filters[filter.id]
    return value ? toConditions(filter, value) : []
  }),
  ...(query.where ?? []),
]

/** Whether a tab narrows nothing: its list is empty as a whole when it is. */
export const isWhole = (view: ListViewModel, scope: Scope): boolean => view.view === undefined && view.where(scope).length === 0

/** The whole request of a list; pure. Throws ExpressionError when a fixed condition cannot be evaluated. */
export const toQueryBody = (body: ListBodyModel, query: ListQuery, size: number, context: RequestContext): QueryBody => {
  const view = activeView(body, query)
  const fixed = toViewBody(body, view, context)
  const where = [...(fixed.where ?? []), ...askedConditions(body, query)]
  const sort = sortOf(body, view, query)
  const expand = [...new Set(body.columns.filter((column) => column.path.length > 1).map((column) => column.path.join('.')))]
  const summary = body.summary
    ? body.columns.flatMap((column) =>
        column.summary && column.path[0] ? [{ field: column.path[0], function: column.summary }] : [],
      )
    : []
  return {
    pageNo: query.page,
    pageSize: size,
    ...(query.keyword.trim() ? { keyword: query.keyword.trim() } : {}),
    ...fixed,
    ...(where.length > 0 ? { where } : {}),
    ...(sort.length > 0 ? { sort } : {}),
    ...(expand.length > 0 ? { expand } : {}),
    ...(summary.length > 0 ? { summary } : {}),
  }
}

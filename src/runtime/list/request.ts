import type { FieldModel, ListBodyModel, ListViewModel, QueryCondition, QuerySort, Scope } from '../../schema/model'
import { startOfDay } from '../scope'
import { isUnary, isVoid, type FilterValue, type ListQuery } from './query'

/** Body of `POST base/queryPage`. */
export interface QueryBody {
  pageNo: number
  pageSize: number
  keyword?: string
  view?: string
  where?: QueryCondition[]
  sort?: readonly QuerySort[]
  summary?: { field: string; function: string }[]
  expand?: string[]
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const last = (date: string, timeZone: string): string => new Date(Date.parse(startOfDay(date, timeZone, 1)) - 1).toISOString()

/** A filter as conditions. A day that is compared with an instant means the whole day in the viewer's time zone. */
export const toConditions = (field: FieldModel, filter: FilterValue, timeZone: string): QueryCondition[] => {
  if (isVoid(filter)) return []
  const { operator, value } = filter
  const name = field.name
  if (isUnary(operator)) return [{ field: name, operator }]
  const instant = field.kind === 'dateTime'
  const from = (part: unknown): unknown =>
    instant && typeof part === 'string' && DATE.test(part) ? startOfDay(part, timeZone) : part
  const to = (part: unknown): unknown => (instant && typeof part === 'string' && DATE.test(part) ? last(part, timeZone) : part)
  if (operator === 'between' && Array.isArray(value)) {
    const [low, high] = value as readonly unknown[]
    if (low === null || low === undefined || low === '') return [{ field: name, operator: 'lte', value: to(high) }]
    if (high === null || high === undefined || high === '') return [{ field: name, operator: 'gte', value: from(low) }]
    return [{ field: name, operator, value: [from(low), to(high)] }]
  }
  if (operator === 'eq' && instant && typeof value === 'string' && DATE.test(value))
    return [{ field: name, operator: 'between', value: [from(value), to(value)] }]
  return [{ field: name, operator, value: operator === 'gte' ? from(value) : operator === 'lte' ? to(value) : value }]
}

/** The view tab that a query shows: the named one, else the first; undefined when the list has no tabs. */
export const activeView = (body: ListBodyModel, query: ListQuery): ListViewModel | undefined =>
  body.views.find((view) => view.id === query.view) ?? body.views[0]

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
  timeZone: string
  /** Conditions of the place where the list stands, e.g. the record of a detail. */
  where?: readonly QueryCondition[]
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

/** The whole request of a list; pure. Throws ExpressionError when a fixed condition cannot be evaluated. */
export const toQueryBody = (body: ListBodyModel, query: ListQuery, size: number, context: RequestContext): QueryBody => {
  const view = activeView(body, query)
  const fixed = toViewBody(body, view, context)
  const where = [...(fixed.where ?? [])]
  for (const filter of body.filters) {
    const value = query.filters[filter.id]
    if (value) where.push(...toConditions(filter.field, value, context.timeZone))
  }
  const sort = query.sort.length > 0 ? query.sort : (view?.sort ?? body.sort)
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

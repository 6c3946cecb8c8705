import type {
  FieldKind,
  FilterModel,
  FilterOperator,
  ListBodyModel,
  ListLayout,
  QueryWhere,
  QuerySort,
  Scope,
} from '../../schema/model'
import { isMonth } from './days'
import { groupings } from './groupings'
import { groupOf, isCondition, MOST_CONDITIONS } from '../../schema/where'

/** What a filter asks for. `value` is a scalar, a list (in, notIn, overlaps) or [from, to] (between; null = open side). */
export interface FilterValue {
  operator: FilterOperator
  value?: unknown
  /** Stands for a group of conditions, told by the names of their fields. */
  grouped?: true
}
/** Everything that decides which rows a list shows. It is written into the address, so that a link shows the same list. */
export interface ListQuery {
  page: number
  /** Undefined: the size of the page document, or the one that the user chose last. */
  size?: number
  view?: string
  keyword: string
  /** Empty: the order of the view or of the page. */
  sort: readonly QuerySort[]
  /** Filters by id. */
  filters: Readonly<Record<string, FilterValue>>
  /** Conditions that no filter of the list asks for: what a figure counted that led here. */
  where?: readonly QueryWhere[]
  /** Undefined: as the tab or the page has it. */
  layout?: ListLayout
  /** The month of a calendar, YYYY-MM. Undefined: the one of now. */
  month?: string
  /** Name of the field that the rows are grouped by; '': by none. Undefined: as the tab or the page has it. */
  group?: string
  /** The saved view that was chosen; what it keeps stands beside it, so that the address is whole without it. */
  saved?: string
}

const OPERATORS: readonly FilterOperator[] = [
  'eq',
  'ne',
  'contains',
  'startsWith',
  'in',
  'notIn',
  'gte',
  'lte',
  'between',
  'empty',
  'notEmpty',
  'overlaps',
]
const LISTS: readonly FilterOperator[] = ['in', 'notIn', 'overlaps', 'between']
const MAX_SIZE = 1000
const LAYOUTS: readonly ListLayout[] = ['table', 'board', 'calendar']
const isLayout = (text: string | null): text is ListLayout => LAYOUTS.some((layout) => layout === text)
/** Parameter of an address with conditions besides the filters: what a figure counted. */
export const WHERE = 'where'
/** Parameter of an address with the row that is looked at beside the list. */
export const BESIDE = 'open'

/** True for operators that need no value. */
export const isUnary = (operator: FilterOperator): boolean => operator === 'empty' || operator === 'notEmpty'
/** True for operators whose value is a list. */
export const takesList = (operator: FilterOperator): boolean => LISTS.includes(operator)

const blank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** True when a filter asks for nothing, so that it neither travels nor shows as a chip. */
export const isVoid = ({ operator, value }: FilterValue): boolean => {
  if (isUnary(operator)) return false
  if (Array.isArray(value)) return value.every(blank)
  return blank(value)
}

const encodeItem = (value: unknown): string => (blank(value) ? '' : encodeURIComponent(String(value)))
const decodeItem = (text: string, kind: FieldKind): unknown => {
  if (text === '') return null
  let plain = text
  try {
    plain = decodeURIComponent(text)
  } catch {
    // A hand-written address with a bare percent sign means what it says.
  }
  if (kind === 'integer') return /^-?\d{1,15}$/.test(plain) ? Number(plain) : null
  if (kind === 'boolean') return plain === 'true' ? true : plain === 'false' ? false : null
  return plain
}

/** A filter as it stands in an address: the operator and its values. */
export const encodeFilter = (filter: FilterValue): string => {
  if (isUnary(filter.operator)) return filter.operator
  const items = takesList(filter.operator) && Array.isArray(filter.value) ? filter.value : [filter.value]
  return `${filter.operator}:${items.map(encodeItem).join(',')}`
}

const decodeFilter = (text: string, filter: FilterModel): FilterValue | null => {
  const colon = text.indexOf(':')
  const operator = (colon < 0 ? text : text.slice(0, colon)) as FilterOperator
  if (!OPERATORS.includes(operator)) return null
  if (isUnary(operator)) return { operator }
  const kind = filter.field.kind
  const items = text
    .slice(colon + 1)
    .split(',')
    .map((item) => decodeItem(item, kind))
  if (operator === 'between') return { operator, value: [items[0] ?? null, items[1] ?? null] }
  if (takesList(operator)) return { operator, value: items.filter((item) => item !== null) }
  return { operator, value: items[0] ?? null }
}

/** The filters that a page sets by itself. A default that fails to evaluate counts as none. */
export const defaultFilters = (body: Pick<ListBodyModel, 'filters'>, scope: Scope): Record<string, FilterValue> => {
  const filters: Record<string, FilterValue> = {}
  for (const filter of body.filters) {
    let value: unknown
    try {
      value = filter.default?.(scope)
    } catch {
      continue
    }
    const given = {
      operator: filter.operator,
      value: takesList(filter.operator) && !Array.isArray(value) && !blank(value) ? [value] : value,
    }
    if (!isVoid(given)) filters[filter.id] = given
  }
  return filters
}

/** What reading and writing an address needs to know of a list. */
type Asked = Pick<ListBodyModel, 'filters' | 'further' | 'views' | 'columns'> & Partial<Pick<ListBodyModel, 'calls'>>

interface Given {
  field?: unknown
  operator?: unknown
}

/** A condition on a field that the list can compare, or a group of such. */
const isTerm = (body: Asked, value: unknown): value is QueryWhere => {
  if (typeof value !== 'object' || value === null) return false
  const group = groupOf(value as QueryWhere)
  if (group) return Array.isArray(group.terms) && group.terms.length > 0 && group.terms.every((term) => isTerm(body, term))
  const { field, operator } = value as Given
  return (
    typeof field === 'string' &&
    OPERATORS.some((known) => known === operator) &&
    (body.filters.some(({ path }) => path.join('.') === field) || body.further(field) !== undefined)
  )
}

/**
 * Conditions out of an address. One that a filter of the list can ask for as well becomes that filter's; what the list does not know
 * is left out, as with filters.
 */
const readWhere = (body: Asked, text: string | null): Pick<ListQuery, 'filters' | 'where'> => {
  if (text === null) return { filters: {} }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { filters: {} }
  }
  const list: readonly unknown[] = Array.isArray(given) ? given.slice(0, MOST_CONDITIONS) : []
  const terms = list.filter((term) => isTerm(body, term))
  const filters: Record<string, FilterValue> = {}
  const where: QueryWhere[] = []
  for (const term of terms) {
    if (!isCondition(term)) {
      where.push(term)
      continue
    }
    const { field, operator, value } = term
    const once = terms.filter((other) => isCondition(other) && other.field === field).length === 1
    const filter = once ? body.filters.find(({ path }) => path.join('.') === field) : undefined
    const asked: FilterValue = { operator, ...(value === undefined ? {} : { value }) }
    if (filter?.field.operators.includes(operator) && !isVoid(asked)) filters[filter.id] = asked
    else where.push(term)
  }
  return { filters, ...(where.length > 0 ? { where } : {}) }
}

const sortable = (body: Asked, field: string): boolean =>
  body.columns.some((column) => column.sortable && column.path.join('.') === field)

/**
 * Reads the query out of an address' search part. Unknown views, filters, operators and columns are left out, so that an
 * old link still shows a list. `prefix` keeps several lists of one page apart.
 */
export const parseQuery = (body: Asked, search: string, scope: Scope, prefix = ''): ListQuery => {
  const params = new URLSearchParams(search)
  const get = (name: string): string | null => params.get(prefix + name)
  const page = Number(get('page'))
  const size = Number(get('size'))
  const view = get('view')
  const layout = get('layout')
  const saved = get('saved')
  const group = get('group')
  const month = get('month')
  const counted = readWhere(body, get(WHERE))
  const filters = get('f') === null && get(WHERE) === null ? defaultFilters(body, scope) : { ...counted.filters }
  for (const filter of body.filters) {
    const text = get(`f.${filter.id}`)
    if (text === null) continue
    const value = decodeFilter(text, filter)
    if (value && !isVoid(value)) filters[filter.id] = value
  }
  const sort: QuerySort[] = []
  for (const part of (get('sort') ?? '').split(',')) {
    const match = /^(.+)\.(asc|desc)$/.exec(part)
    if (match?.[1] && sortable(body, match[1]) && !sort.some((entry) => entry.field === match[1]))
      sort.push({ field: match[1], order: match[2] as 'asc' | 'desc' })
  }
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    ...(Number.isInteger(size) && size > 0 && size <= MAX_SIZE ? { size } : {}),
    ...(view !== null && body.views.some((entry) => entry.id === view) ? { view } : {}),
    keyword: get('q') ?? '',
    sort,
    filters,
    ...(counted.where ? { where: counted.where } : {}),
    ...(isLayout(layout) ? { layout } : {}),
    ...(month !== null && isMonth(month) ? { month } : {}),
    ...(group !== null && (group === '' || groupings(body).some(({ field }) => field === group)) ? { group } : {}),
    ...(saved ? { saved } : {}),
  }
}

const ownNames = (body: Asked, prefix: string): ReadonlySet<string> =>
  new Set(
    [
      'page',
      'size',
      'view',
      'layout',
      'saved',
      'group',
      'month',
      'q',
      'sort',
      'f',
      WHERE,
      'import',
      BESIDE,
      ...body.filters.map((filter) => `f.${filter.id}`),
    ].map((name) => prefix + name),
  )

/** The search part without what the list itself wrote: what the page was opened with. */
export const foreignSearch = (body: Asked, search: string, prefix = ''): string => {
  const params = new URLSearchParams(search)
  const own = ownNames(body, prefix)
  for (const name of [...params.keys()]) if (own.has(name)) params.delete(name)
  return params.toString()
}

/** Writes the query into a search part (without `?`), keeping parameters that are not its own. The inverse of parseQuery. */
export const writeQuery = (body: Asked, query: ListQuery, search: string, scope: Scope, prefix = ''): string => {
  const params = new URLSearchParams(foreignSearch(body, search, prefix))
  const set = (name: string, value: string): void => params.set(prefix + name, value)
  if (query.view !== undefined) set('view', query.view)
  if (query.layout !== undefined) set('layout', query.layout)
  if (query.saved !== undefined) set('saved', query.saved)
  if (query.group !== undefined) set('group', query.group)
  if (query.month !== undefined) set('month', query.month)
  if (query.keyword) set('q', query.keyword)
  const defaults = defaultFilters(body, scope)
  if (query.where || !sameFilters(defaults, query.filters)) {
    // `f` says that the filters are written out, so that a removed default stays removed in the link.
    if (Object.keys(defaults).length > 0) set('f', '')
    for (const filter of body.filters) {
      const value = query.filters[filter.id]
      if (value && !isVoid(value)) set(`f.${filter.id}`, encodeFilter(value))
    }
  }
  if (query.where) set(WHERE, JSON.stringify(query.where))
  if (query.sort.length > 0) set('sort', query.sort.map(({ field, order }) => `${field}.${order}`).join(','))
  if (query.size !== undefined) set('size', String(query.size))
  if (query.page > 1) set('page', String(query.page))
  return params.toString()
}

/** True when two sets of filters ask for the same. */
export const sameFilters = (a: ListQuery['filters'], b: ListQuery['filters']): boolean => {
  const text = (filters: ListQuery['filters']): string =>
    JSON.stringify(
      Object.entries(filters)
        .filter(([, value]) => !isVoid(value))
        .map(([id, value]) => [id, encodeFilter(value)])
        .sort(),
    )
  return text(a) === text(b)
}

import type { ReportModel, Scope } from '../../schema/model'
import { foreignSearch, parseQuery, writeQuery, type ListQuery } from '../list/query'

/** The filters of a report by id. */
export type ReportFilters = ListQuery['filters']

const asList = (model: ReportModel) => ({ filters: model.filters, views: [], columns: [], further: () => undefined })

/** The filters that an address says, else those that the page sets by itself. */
export const readFilters = (model: ReportModel, search: string, scope: Scope): ReportFilters =>
  parseQuery(asList(model), search, scope).filters

/** The address with these filters; without any it is what the page was opened with. */
export const writeFilters = (
  model: ReportModel,
  given: { filters: ReportFilters; scope: Scope } | undefined,
  search: string,
): string =>
  given
    ? writeQuery(asList(model), { page: 1, keyword: '', sort: [], filters: given.filters }, search, given.scope)
    : foreignSearch(asList(model), search)
